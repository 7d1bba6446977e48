/* Numbers sorted on all processors: first they are spread into buckets of neighbouring values, then
each bucket is sorted by itself, while it lies in the processor's own memory.

Sorted are keys: unsigned numbers in the order of what they stand for. */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 256, DIGITS = 256, FEW = 64, BATCH = 16 };

/* The key of a number of 64 bits. Both zeros have one; whatever is no number has one too, above all
   others. */
static uint64_t key_of(uint64_t bits, int64_t is_float) {
    uint64_t sign = UINT64_C(1) << 63;
    if (!is_float) return bits ^ sign;
    double number;
    memcpy(&number, &bits, sizeof number);
    number += 0.0;
    memcpy(&bits, &number, sizeof bits);
    bits = bits & sign ? ~bits : bits | sign;
    return number == number ? bits : UINT64_MAX;
}

void keys_of(int64_t rows, const uint64_t *numbers, int64_t are_floats, uint64_t *keys) {
    for (int64_t row = 0; row < rows; row++) keys[row] = key_of(numbers[row], are_floats);
}

/* How many of the ascending borders, which are one less than the buckets, each key has reached. A
   batch goes down the borders together: no key waits for another, and nothing is guessed. */
static void find_buckets(const uint64_t *keys, const uint64_t *borders, uint32_t *buckets) {
    memset(buckets, 0, BATCH * sizeof *buckets);
    for (uint32_t step = BUCKETS / 2; step; step /= 2) {
        for (int k = 0; k < BATCH; k++) {
            buckets[k] += step & -(uint32_t)(borders[buckets[k] + step - 1] <= keys[k]);
        }
    }
}

/* The bucket of each row; those of the second kind have buckets of their own. Counts the rows of
   each bucket of either kind. */
void choose_buckets(int64_t rows, const uint64_t *numbers, int64_t are_floats,
                    const uint8_t *is_second, const uint64_t *borders, uint16_t *buckets,
                    int64_t *counts) {
    memset(counts, 0, 2 * BUCKETS * sizeof *counts);
    for (int64_t first = 0; first < rows; first += BATCH) {
        int64_t count = rows - first < BATCH ? rows - first : BATCH;
        uint64_t keys[BATCH] = {0};
        uint32_t found[BATCH];
        for (int64_t k = 0; k < count; k++) keys[k] = key_of(numbers[first + k], are_floats);
        find_buckets(keys, borders, found);
        for (int64_t k = 0; k < count; k++) {
            uint32_t bucket = found[k] + (is_second[first + k] ? BUCKETS : 0);
            buckets[first + k] = (uint16_t)bucket;
            counts[bucket]++;
        }
    }
}

/* Lay the keys into their buckets; `places` says for each where its next key comes to lie. */
void fill_buckets(int64_t rows, const uint64_t *numbers, int64_t are_floats,
                  const uint16_t *buckets, int64_t *places, uint64_t *sorted) {
    for (int64_t row = 0; row < rows; row++) {
        sorted[places[buckets[row]]++] = key_of(numbers[row], are_floats);
    }
}

static void sort_few(int64_t count, uint64_t *keys) {
    for (int64_t next = 1; next < count; next++) {
        uint64_t key = keys[next];
        int64_t place = next;
        for (; place && keys[place - 1] > key; place--) keys[place] = keys[place - 1];
        keys[place] = key;
    }
}

static void sort_by_digit(int64_t count, const uint64_t *from, int shift, uint64_t *to) {
    int64_t places[DIGITS] = {0}, sum = 0;
    for (int64_t k = 0; k < count; k++) places[from[k] >> shift & (DIGITS - 1)]++;
    for (int digit = 0; digit < DIGITS; digit++) {
        int64_t here = places[digit];
        places[digit] = sum;
        sum += here;
    }
    for (int64_t k = 0; k < count; k++) to[places[from[k] >> shift & (DIGITS - 1)]++] = from[k];
}

/* By one digit after the other, from the last; those in which no two keys differ are left out. */
static void sort_many(int64_t count, uint64_t *keys, uint64_t *scratch) {
    uint64_t differing = 0, *from = keys, *to = scratch;
    for (int64_t k = 1; k < count; k++) differing |= keys[k] ^ keys[0];
    for (int shift = 0; shift < 64; shift += 8) {
        if (differing >> shift & (DIGITS - 1)) {
            sort_by_digit(count, from, shift, to);
            uint64_t *other = from;
            from = to;
            to = other;
        }
    }
    if (from != keys) memcpy(keys, from, (size_t)count * sizeof *keys);
}

/* Sort each bucket by itself: number k lies between `edges[k]` and the next. Gives −1 if there is
   no memory. */
int64_t sort_buckets(int64_t buckets, const int64_t *edges, uint64_t *keys) {
    int64_t largest = 0;
    for (int64_t k = 0; k < buckets; k++) {
        int64_t count = edges[k + 1] - edges[k];
        largest = count > largest ? count : largest;
    }
    uint64_t *scratch = malloc((size_t)(largest + 1) * sizeof *scratch);
    if (!scratch) return -1;
    for (int64_t k = 0; k < buckets; k++) {
        int64_t count = edges[k + 1] - edges[k];
        if (count <= FEW) {
            sort_few(count, keys + edges[k]);
        } else {
            sort_many(count, keys + edges[k], scratch);
        }
    }
    free(scratch);
    return 0;
}

/* Pairs of one key above and one below, both sorted, that are right, twice; and those that are
   equal, once. */
int64_t count_beaten(int64_t above_count, const uint64_t *above, int64_t below_count,
                     const uint64_t *below) {
    int64_t smaller = 0, not_larger = 0, beaten = 0;
    for (int64_t k = 0; k < above_count; k++) {
        while (smaller < below_count && below[smaller] < above[k]) smaller++;
        not_larger = not_larger > smaller ? not_larger : smaller;
        while (not_larger < below_count && below[not_larger] == above[k]) not_larger++;
        beaten += smaller + not_larger;
    }
    return beaten;
}
