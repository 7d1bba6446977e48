/* Predicted boxes in pictures matched with true ones, row by row. */

#include "boxes.h"

enum { MAX_DETECTIONS = 100, IS_FALSE = 1, IS_HIT = 2, FLAT = 5, ZEROS = -1 };

static double lower(double one, double other) {
    return one < other || one != one ? one : other;
}

static double higher(double one, double other) {
    return one > other || one != one ? one : other;
}

static double corner_area(const double *place) {
    return (place[2] - place[0]) * (place[3] - place[1]);
}

/* Of boxes `x_min y_min x_max y_max`; areas are signed. */
double corner_iou(const double *one, const double *other) {
    double width = lower(one[2], other[2]) - higher(one[0], other[0]);
    double height = lower(one[3], other[3]) - higher(one[1], other[1]);
    double common = higher(width, 0) * higher(height, 0);
    double all = corner_area(one) + corner_area(other) - common;
    return all > 0 ? common / all : 0;
}

/* Of boxes `x y width height`; 0 where they do not meet. */
double size_iou(const double *one, const double *other) {
    double width = lower(one[0] + one[2], other[0] + other[2]) - higher(one[0], other[0]);
    double height = lower(one[1] + one[3], other[1] + other[3]) - higher(one[1], other[1]);
    double common = width * height;
    double all = one[2] * one[3] + other[2] * other[3] - common;
    return width > 0 && height > 0 ? common / all : 0;
}

/* The free true box of the row and label that a prediction overlaps most and enough, or -1. */
static int64_t best_free(const Boxes *truth, int64_t row, const Boxes *predicted, int64_t box,
                         double iou_above, const uint8_t *is_found) {
    int64_t best = -1;
    for (int64_t target = truth->begin[row]; target < truth->end[row]; target++) {
        if (is_found[target] || truth->labels[target] != predicted->labels[box]) continue;
        double iou = corner_iou(place_of(predicted, box), place_of(truth, target));
        if (iou > iou_above) {
            iou_above = iou;
            best = target;
        }
    }
    return best;
}

/* By falling confidence each prediction takes the free true box that it overlaps most. Gives 0, or
   -1 when there is no memory. */
int64_t match_greedily(int64_t rows, const int64_t *true_begin, const int64_t *true_end,
                       const int64_t *true_labels, const double *true_numbers, const int64_t *begin,
                       const int64_t *end, const int64_t *labels, const double *numbers,
                       double iou_above, uint8_t *is_hit, uint8_t *is_found) {
    Boxes truth = {true_begin, true_end, true_labels, true_numbers, FLAT};
    Boxes predicted = {begin, end, labels, numbers, FLAT};
    Ranked *ranked = room_for(2 * most_in_a_row(&predicted, rows), sizeof *ranked);
    if (!ranked) return -1;
    for (int64_t row = 0; row < rows; row++) {
        int64_t left = count_in(&truth, row);
        if (left) rank_row(&predicted, row, ranked);
        for (int64_t rank = 0; rank < count_in(&predicted, row) && left; rank++) {
            int64_t box = ranked[rank].box;
            int64_t target = best_free(&truth, row, &predicted, box, iou_above, is_found);
            if (target >= 0) {
                is_hit[box] = is_found[target] = 1;
                left--;
            }
        }
    }
    free(ranked);
    return 0;
}

static int64_t count_label(const Boxes *boxes, int64_t rows, int64_t label) {
    int64_t count = 0;
    for (int64_t row = 0; row < rows; row++) {
        for (int64_t box = boxes->begin[row]; box < boxes->end[row]; box++) {
            count += boxes->labels[box] == label;
        }
    }
    return count;
}

/* Sum over falling distinct scores of (gain of recall) times precision. One entry stands for all
   misses and for all rows without the label. */
static double sum_precision(const Ranked *ranked, int64_t count, int64_t missed, int64_t absent) {
    double sum = 0;
    int64_t hits = 0, hits_before = 0, seen = 0;
    for (int64_t rank = 0; rank < count; rank++) {
        int is_zeros = ranked[rank].box == ZEROS;
        hits += is_zeros ? missed : ranked[rank].box;
        seen += is_zeros ? missed + absent : 1;
        int is_last = rank + 1 == count || ranked[rank].confidence != ranked[rank + 1].confidence;
        if (is_last && hits > hits_before) {
            sum += (double)(hits - hits_before) * (double)hits / (double)seen;
            hits_before = hits;
        }
    }
    return sum / (double)hits;
}

/* The average precision of a label, with a score of 0 for boxes that are missed and for a false
   alarm in each row that does not have it on either side; -1 when there is no memory. */
double precision_of_label(int64_t rows, const int64_t *true_begin, const int64_t *true_end,
                          const int64_t *true_labels, const int64_t *begin, const int64_t *end,
                          const int64_t *labels, const double *numbers, const uint8_t *is_hit,
                          const uint8_t *is_found, int64_t label) {
    Boxes predicted = {begin, end, labels, numbers, FLAT};
    int64_t count = 0, missed = 0, absent = 0;
    Ranked *ranked = room_for(2 * (count_label(&predicted, rows, label) + 1), sizeof *ranked);
    if (!ranked) return -1;
    for (int64_t row = 0; row < rows; row++) {
        int is_named = 0;
        for (int64_t box = true_begin[row]; box < true_end[row]; box++) {
            if (true_labels[box] != label) continue;
            is_named = 1;
            missed += !is_found[box];
        }
        for (int64_t box = begin[row]; box < end[row]; box++) {
            if (labels[box] != label) continue;
            is_named = 1;
            ranked[count++] = (Ranked){numbers[FLAT * box], is_hit[box]};
        }
        absent += !is_named;
    }
    ranked[count++] = (Ranked){0, ZEROS};
    sort_ranked(ranked, count);
    double result = sum_precision(ranked, count, missed, absent);
    free(ranked);
    return result;
}

/* The last true box of the row and label, or -1. */
static int64_t true_partner(const Boxes *truth, int64_t row, int64_t label) {
    for (int64_t target = truth->end[row] - 1; target >= truth->begin[row]; target--) {
        if (truth->labels[target] == label) return target;
    }
    return -1;
}

static int is_counted_area(double area) {
    return area >= 0 && area <= 1e10;
}

/* Two faults of the published grader: a hit on its first true box is none, and its first prediction
   does not use up the box that it hits. */
typedef struct {
    int64_t target, box;
} Firsts;

static uint8_t coco_kind(const Boxes *truth, const Boxes *predicted, int64_t box, int64_t target,
                         double iou_from, Firsts firsts, uint8_t *is_used) {
    const double *place = place_of(predicted, box);
    int is_near = target >= 0 && size_iou(place, place_of(truth, target)) >= iou_from;
    int is_hit = is_near && !is_used[target] && target != firsts.target;
    if (is_near && box != firsts.box) is_used[target] = 1;
    return is_hit ? IS_HIT : is_counted_area(corner_area(place)) ? IS_FALSE : 0;
}

/* Finds for each prediction whether it is a hit, false, or does not count. Of each row and label,
   which is below `label_count`, only the first 100 predictions by falling confidence count. Gives
   0, or -1 when there is no memory. */
int64_t match_as_coco(int64_t rows, const int64_t *true_begin, const int64_t *true_end,
                      const int64_t *true_labels, const double *true_numbers, const int64_t *begin,
                      const int64_t *end, const int64_t *labels, const double *numbers,
                      double iou_from, int64_t first_target, int64_t first_box, int64_t label_count,
                      uint8_t *kinds, uint8_t *is_used) {
    Boxes truth = {true_begin, true_end, true_labels, true_numbers, FLAT};
    Boxes predicted = {begin, end, labels, numbers, FLAT};
    Firsts firsts = {first_target, first_box};
    Ranked *ranked = room_for(2 * most_in_a_row(&predicted, rows), sizeof *ranked);
    int64_t *tally = room_for(label_count, sizeof *tally);
    for (int64_t row = 0; row < rows && ranked && tally; row++) {
        rank_row(&predicted, row, ranked);
        memset(tally, 0, (size_t)label_count * sizeof *tally);
        for (int64_t rank = 0; rank < count_in(&predicted, row); rank++) {
            int64_t box = ranked[rank].box, label = labels[box];
            if (label < 0 || label >= label_count || tally[label]++ >= MAX_DETECTIONS) continue;
            int64_t target = true_partner(&truth, row, label);
            kinds[box] = coco_kind(&truth, &predicted, box, target, iou_from, firsts, is_used);
        }
    }
    int64_t result = ranked && tally ? 0 : -1;
    free(ranked);
    free(tally);
    return result;
}
