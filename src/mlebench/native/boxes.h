/* The boxes of many rows, and their order by falling confidence. */

#ifndef BOXES_H
#define BOXES_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FEW = 12, MANY = 2048, DIGIT_BITS = 11, DIGITS = 6 };

typedef struct {
    const int64_t *starts; /* the first box of each row, and behind them the number of boxes */
    const int64_t *labels;
    const double *numbers; /* of each box: mostly its confidence, then its place */
    int64_t width;         /* how many these are */
} Boxes;

typedef struct {
    uint64_t rank; /* see rank_of */
    int64_t box;
} Ranked;

static inline const double *place_of(const Boxes *boxes, int64_t box) {
    return boxes->numbers + box * boxes->width + 1;
}

static inline int64_t count_in(const Boxes *boxes, int64_t row) {
    return boxes->starts[row + 1] - boxes->starts[row];
}

static inline int64_t most_in_a_row(const Boxes *boxes, int64_t rows) {
    int64_t most = 0;
    for (int64_t row = 0; row < rows; row++) {
        most = count_in(boxes, row) > most ? count_in(boxes, row) : most;
    }
    return most;
}

/* Room for so many things at least, or nothing. */
static inline void *room_for(int64_t count, size_t size) {
    return malloc((size_t)(count + 1) * size);
}

/* Numbers that grow as confidences fall, equal for equal ones; what is no number comes last. */
static inline uint64_t rank_of(double confidence) {
    uint64_t bits, sign = UINT64_C(1) << 63;
    double value = confidence + 0.0; /* both zeros are one */
    memcpy(&bits, &value, sizeof bits);
    return value != value ? UINT64_MAX : bits & sign ? bits : ~(bits | sign);
}

static inline void insert_in_order(Ranked *ranked, int64_t count) {
    for (int64_t done = 1; done < count; done++) {
        Ranked own = ranked[done];
        int64_t place = done;
        for (; place && own.rank < ranked[place - 1].rank; place--) {
            ranked[place] = ranked[place - 1];
        }
        ranked[place] = own;
    }
}

/* Which one comes next is as good as random, so that no jump may depend on it. */
static inline void merge(const Ranked *first, int64_t firsts, const Ranked *second, int64_t seconds,
                         Ranked *merged) {
    const Ranked *first_end = first + firsts, *second_end = second + seconds;
    while (first < first_end && second < second_end) {
        int64_t is_second = second->rank < first->rank;
        const Ranked *next = is_second ? second : first;
        *merged++ = *next;
        second += is_second;
        first += 1 - is_second;
    }
    memcpy(merged, first, (size_t)(first_end - first) * sizeof *merged);
    merged += first_end - first;
    memcpy(merged, second, (size_t)(second_end - second) * sizeof *merged);
}

/* Runs of a few are merged two by two. */
static inline void sort_few(Ranked *ranked, int64_t count, Ranked *spare) {
    Ranked *from = ranked, *to = spare;
    for (int64_t start = 0; start < count; start += FEW) {
        insert_in_order(ranked + start, count - start < FEW ? count - start : FEW);
    }
    for (int64_t run = FEW; run < count; run *= 2) {
        for (int64_t start = 0; start < count; start += 2 * run) {
            int64_t firsts = count - start < run ? count - start : run;
            int64_t left = count - start - firsts;
            merge(from + start, firsts, from + start + firsts, left < run ? left : run, to + start);
        }
        Ranked *merged = to;
        to = from;
        from = merged;
    }
    if (from != ranked) memcpy(ranked, from, (size_t)count * sizeof *ranked);
}

static inline uint64_t digit_of(Ranked ranked, int digit) {
    return ranked.rank >> DIGIT_BITS * digit & ((1 << DIGIT_BITS) - 1);
}

/* Dealt out by one digit after another, the last first. */
static inline void sort_many(Ranked *ranked, int64_t count, Ranked *spare) {
    int64_t places[DIGITS][1 << DIGIT_BITS] = {{0}};
    for (int64_t number = 0; number < count; number++) {
        for (int digit = 0; digit < DIGITS; digit++) {
            places[digit][digit_of(ranked[number], digit)]++;
        }
    }
    for (int digit = 0; digit < DIGITS; digit++) {
        Ranked *from = digit % 2 ? spare : ranked, *to = digit % 2 ? ranked : spare;
        int64_t place = 0;
        for (int value = 0; value < 1 << DIGIT_BITS; value++) {
            int64_t own = places[digit][value];
            places[digit][value] = place;
            place += own;
        }
        for (int64_t number = 0; number < count; number++) {
            to[places[digit][digit_of(from[number], digit)]++] = from[number];
        }
    }
}

/* Sorts by falling confidence, equal ones as they stand; there is room for twice as many. */
static inline void sort_ranked(Ranked *ranked, int64_t count) {
    if (count < MANY) {
        sort_few(ranked, count, ranked + count);
    } else {
        sort_many(ranked, count, ranked + count);
    }
}

/* The boxes of a row by falling confidence, in room for twice as many. */
static inline void rank_row(const Boxes *boxes, int64_t row, Ranked *ranked) {
    int64_t count = count_in(boxes, row);
    for (int64_t rank = 0; rank < count; rank++) {
        int64_t box = boxes->starts[row] + rank;
        ranked[rank] = (Ranked){rank_of(boxes->numbers[box * boxes->width]), box};
    }
    sort_ranked(ranked, count);
}

#endif
