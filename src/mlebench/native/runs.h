/* Masks as cells of text: pairs `start length`, pixels counted from 1, blanks between. */

#ifndef RUNS_H
#define RUNS_H

#include <stdint.h>
#include <string.h>

/* The cells of a column: they may lie in several pieces of memory and come in any order. */
typedef struct {
    const uint8_t *const *begins;
    const int64_t *lengths;
} Cells;

typedef struct {
    const uint8_t *place, *end;
} Text;

/* The runs of a cell one by one, free of what lies past the last pixel. */
typedef struct {
    Text text;
    int64_t size;          /* pixels of the picture */
    int64_t overlap_limit; /* from this pixel on runs may overlap */
    int64_t runs;
    int64_t length; /* of the last run, as it is written */
    int64_t last_start, last_end;
    int64_t start, end; /* of the last run inside of the picture */
    int64_t area;       /* of all runs so far */
} Runs;

enum { RUN_MAX_DIGITS = 18, LANE = 8 };
enum { NOTHING_LEFT = 0, FOUND = 1, FAULT = -1 };

/* What is to be taken off the code of each digit. */
static const uint64_t ZEROS = 0x3030303030303030u;

static const uint64_t RUN_POWERS[LANE + 1] = {1,      10,      100,      1000,     10000,
                                              100000, 1000000, 10000000, 100000000};

static inline Text cell_text(const Cells *cells, int64_t row) {
    Text text = {cells->begins[row], cells->begins[row] + cells->lengths[row]};
    return text;
}

/* The next eight bytes, the first in the lowest place; past the end there are zeros. */
static inline uint64_t window(const uint8_t *place, const uint8_t *end) {
    uint64_t bytes = 0;
    if (end - place >= LANE) {
        memcpy(&bytes, place, LANE);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        bytes = __builtin_bswap64(bytes);
#endif
    } else {
        for (int k = 0; k < end - place; k++) bytes |= (uint64_t)place[k] << 8 * k;
    }
    return bytes;
}

/* The highest bit of each byte that is no digit; 48 is the code of 0, which is taken off before. */
static inline uint64_t others_in(uint64_t digits) {
    uint64_t low_bits = 0x7F7F7F7F7F7F7F7Fu, to_highest_from_10 = 0x7676767676767676u;
    return (((digits & low_bits) + to_highest_from_10) | digits) & ~low_bits;
}

/* The value of the first digits, joined two by two in three steps. */
static inline uint64_t join_digits(uint64_t digits, int count) {
    if (count == 0) return 0;
    digits <<= 8 * (LANE - count);
    digits = (digits * (10 * (1u << 8) + 1) >> 8) & 0x00FF00FF00FF00FFu;
    digits = (digits * (100 * (1u << 16) + 1) >> 16) & 0x0000FFFF0000FFFFu;
    return digits * (10000 * ((uint64_t)1 << 32) + 1) >> 32;
}

/* The next word as a number of 1 to 18 digits; all up to the blank in ASCII counts as one. */
static inline int next_number(Text *text, int64_t *number) {
    const uint8_t *place = text->place, *end = text->end;
    while (place < end && *place <= ' ') place++;
    text->place = place;
    if (place == end) return NOTHING_LEFT;
    uint64_t value = 0;
    int count;
    do {
        uint64_t digits = window(place, end) ^ ZEROS;
        uint64_t others = others_in(digits);
        count = others ? __builtin_ctzll(others) / 8 : LANE;
        value = value * RUN_POWERS[count] + join_digits(digits, count);
        place += count;
    } while (count == LANE);
    int64_t length = place - text->place;
    if (length == 0 || length > RUN_MAX_DIGITS || (place < end && *place > ' ')) return FAULT;
    text->place = place;
    *number = (int64_t)value;
    return FOUND;
}

/* The next word, if it has up to seven digits and a blank follows; there are eight bytes to be read.
   Gives its length, or 0. */
static inline int short_number(const uint8_t *place, int64_t *number) {
    uint64_t digits = window(place, place + LANE) ^ ZEROS;
    uint64_t others = others_in(digits);
    int count = others ? __builtin_ctzll(others) / 8 : 0;
    *number = (int64_t)join_digits(digits, count);
    return place[count] <= ' ' ? count : 0;
}

/* Both numbers of a run, if they are as they mostly are: short, with one blank behind each. */
static inline int next_pair(Text *text, int64_t *start, int64_t *length) {
    const uint8_t *place = text->place;
    if (text->end - place < 2 * LANE) return 0;
    int first = short_number(place, start);
    if (!first) return 0;
    int second = short_number(place + first + 1, length);
    if (!second) return 0;
    text->place = place + first + 1 + second + 1;
    return 1;
}

static inline int64_t at_most(int64_t value, int64_t limit) {
    return value < limit ? value : limit;
}

static inline Runs runs_of(Text text, int64_t size, int64_t overlap_limit) {
    Runs runs = {.text = text, .size = size, .overlap_limit = overlap_limit};
    return runs;
}

/* Odd counts follow the published decoder: a lone number marks nothing, and in three numbers both
   runs have the one length. */
static inline int next_run(Runs *runs) {
    int64_t start;
    if (!next_pair(&runs->text, &start, &runs->length)) {
        int found = next_number(&runs->text, &start);
        if (found != FOUND) return found;
        found = next_number(&runs->text, &runs->length);
        if (found == FAULT || (found == NOTHING_LEFT && runs->runs > 1)) return FAULT;
        if (found == NOTHING_LEFT && runs->runs == 0) return start < 1 ? FAULT : NOTHING_LEFT;
    }
    if (start < 1 || runs->length < 1) return FAULT;
    start--;
    if (start < runs->last_start || start < at_most(runs->last_end, runs->overlap_limit))
        return FAULT;
    runs->runs++;
    runs->last_start = start;
    runs->last_end = start + runs->length;
    runs->start = at_most(start, runs->size);
    runs->end = at_most(runs->last_end, runs->size);
    runs->area += runs->end - runs->start;
    return FOUND;
}

#endif
