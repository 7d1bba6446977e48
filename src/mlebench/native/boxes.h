/* The boxes of many rows, and their order by falling confidence. */

#ifndef BOXES_H
#define BOXES_H

#include <stdint.h>
#include <string.h>

enum { FEW = 12 };

typedef struct {
    const int64_t *begin, *end; /* a row's boxes are order[begin] to order[end - 1] */
    int64_t *order;
    const int64_t *labels;
    const double *numbers; /* of each box: mostly its confidence, then its place */
    int64_t width;         /* how many these are */
} Boxes;

static inline double confidence(const Boxes *boxes, int64_t box) {
    return boxes->numbers[box * boxes->width];
}

static inline const double *place_of(const Boxes *boxes, int64_t box) {
    return boxes->numbers + box * boxes->width + 1;
}

/* What is no number comes last. */
static inline int comes_before(double one, double other) {
    return one > other || (other != other && one == one);
}

static inline void insert_in_order(const Boxes *boxes, int64_t *order, int64_t count) {
    for (int64_t done = 1; done < count; done++) {
        int64_t box = order[done], place = done;
        double own = confidence(boxes, box);
        for (; place && comes_before(own, confidence(boxes, order[place - 1])); place--) {
            order[place] = order[place - 1];
        }
        order[place] = box;
    }
}

static inline void merge(const Boxes *boxes, const int64_t *first, int64_t firsts, const int64_t *second,
                  int64_t seconds, int64_t *merged) {
    while (firsts && seconds) {
        int is_second = comes_before(confidence(boxes, *second), confidence(boxes, *first));
        *merged++ = is_second ? *second++ : *first++;
        firsts -= !is_second;
        seconds -= is_second;
    }
    memcpy(merged, first, (size_t)firsts * sizeof *merged);
    memcpy(merged + firsts, second, (size_t)seconds * sizeof *merged);
}

/* By falling confidence; what is equal stays as it stood. Runs of a few are merged two by two. */
static inline void sort_row(const Boxes *boxes, int64_t row, int64_t *spare) {
    int64_t *order = boxes->order + boxes->begin[row];
    int64_t count = boxes->end[row] - boxes->begin[row];
    spare += boxes->begin[row];
    for (int64_t start = 0; start < count; start += FEW) {
        insert_in_order(boxes, order + start, count - start < FEW ? count - start : FEW);
    }
    for (int64_t run = FEW; run < count; run *= 2) {
        memcpy(spare, order, (size_t)count * sizeof *order);
        for (int64_t start = 0; start < count; start += 2 * run) {
            int64_t firsts = count - start < run ? count - start : run;
            int64_t left = count - start - firsts;
            merge(boxes, spare + start, firsts, spare + start + firsts, left < run ? left : run,
                  order + start);
        }
    }
}

#endif
