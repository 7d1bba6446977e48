/* The boxes of many rows, and their order by falling confidence. */

#ifndef BOXES_H
#define BOXES_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FEW = 12 };

typedef struct {
    const int64_t *begin, *end; /* of each row: its first box, and the one behind its last */
    const int64_t *labels;
    const double *numbers; /* of each box: mostly its confidence, then its place */
    int64_t width;         /* how many these are */
} Boxes;

typedef struct {
    double confidence;
    int64_t box;
} Ranked;

static inline const double *place_of(const Boxes *boxes, int64_t box) {
    return boxes->numbers + box * boxes->width + 1;
}

static inline int64_t count_in(const Boxes *boxes, int64_t row) {
    return boxes->end[row] - boxes->begin[row];
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

/* What is no number comes last. */
static inline int comes_before(Ranked one, Ranked other) {
    return one.confidence > other.confidence ||
           (other.confidence != other.confidence && one.confidence == one.confidence);
}

static inline void insert_in_order(Ranked *ranked, int64_t count) {
    for (int64_t done = 1; done < count; done++) {
        Ranked own = ranked[done];
        int64_t place = done;
        for (; place && comes_before(own, ranked[place - 1]); place--) {
            ranked[place] = ranked[place - 1];
        }
        ranked[place] = own;
    }
}

static inline void merge(const Ranked *first, int64_t firsts, const Ranked *second, int64_t seconds,
                         Ranked *merged) {
    while (firsts && seconds) {
        int is_second = comes_before(*second, *first);
        *merged++ = is_second ? *second++ : *first++;
        firsts -= !is_second;
        seconds -= is_second;
    }
    memcpy(merged, first, (size_t)firsts * sizeof *merged);
    memcpy(merged + firsts, second, (size_t)seconds * sizeof *merged);
}

/* Sorts by falling confidence, equal ones as they stand; there is room for twice as many. Runs of
   a few are merged two by two. */
static inline void sort_ranked(Ranked *ranked, int64_t count) {
    Ranked *spare = ranked + count;
    for (int64_t start = 0; start < count; start += FEW) {
        insert_in_order(ranked + start, count - start < FEW ? count - start : FEW);
    }
    for (int64_t run = FEW; run < count; run *= 2) {
        memcpy(spare, ranked, (size_t)count * sizeof *spare);
        for (int64_t start = 0; start < count; start += 2 * run) {
            int64_t firsts = count - start < run ? count - start : run;
            int64_t left = count - start - firsts;
            merge(spare + start, firsts, spare + start + firsts, left < run ? left : run,
                  ranked + start);
        }
    }
}

/* The boxes of a row by falling confidence, in room for twice as many. */
static inline void rank_row(const Boxes *boxes, int64_t row, Ranked *ranked) {
    int64_t count = count_in(boxes, row);
    for (int64_t rank = 0; rank < count; rank++) {
        int64_t box = boxes->begin[row] + rank;
        ranked[rank] = (Ranked){boxes->numbers[box * boxes->width], box};
    }
    sort_ranked(ranked, count);
}

#endif
