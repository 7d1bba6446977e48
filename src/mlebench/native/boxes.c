/* Predicted boxes in pictures matched with true ones, row by row. */

#include "boxes.h"

enum { MAX_DETECTIONS = 100, FLAT = 5, ZEROS = -1, NOT_COUNTED = -1 };

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
    for (int64_t target = truth->starts[row]; target < truth->starts[row + 1]; target++) {
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
int64_t match_greedily(int64_t rows, const int64_t *true_starts, const int64_t *true_labels,
                       const double *true_numbers, const int64_t *starts, const int64_t *labels,
                       const double *numbers, double iou_above, uint8_t *is_hit,
                       uint8_t *is_found) {
    Boxes truth = {true_starts, true_labels, true_numbers, FLAT};
    Boxes predicted = {starts, labels, numbers, FLAT};
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

/* Where a label stands among those that are known, which ascend; or -1. */
static int64_t place_of_label(const int64_t *known, int64_t count, int64_t label) {
    int64_t first = 0;
    while (count > 1) {
        int64_t half = count / 2;
        first += known[first + half] <= label ? half : 0;
        count -= half;
    }
    return count && known[first] == label ? first : -1;
}

/* What is counted of each known label: boxes that are missed, and rows that have it on either
   side. */
typedef struct {
    const int64_t *known;
    int64_t count;
    int64_t *missed, *named, *last_row;
} Tallies;

static int64_t name_label(Tallies *tallies, int64_t label, int64_t row) {
    int64_t place = place_of_label(tallies->known, tallies->count, label);
    if (place >= 0 && tallies->last_row[place] != row) {
        tallies->last_row[place] = row;
        tallies->named[place]++;
    }
    return place;
}

/* Notes score and mark of each prediction, and adds to the tallies: missed boxes of all labels,
   then rows that have them. Gives 0; or 1 if a true label is not known; or -1 when there is no
   memory. */
int64_t mark_labels(int64_t rows, const int64_t *true_starts, const int64_t *true_labels,
                    const int64_t *starts, const int64_t *labels, const double *numbers,
                    const uint8_t *is_hit, const uint8_t *is_found, int64_t count,
                    const int64_t *known, int64_t *tally, double *scores, int32_t *marks) {
    Tallies tallies = {known, count, tally, tally + count,
                       room_for(count, sizeof *tallies.last_row)};
    int64_t result = tallies.last_row ? 0 : -1;
    if (tallies.last_row) memset(tallies.last_row, -1, (size_t)count * sizeof *tallies.last_row);
    for (int64_t row = 0; row < rows && result >= 0; row++) {
        for (int64_t box = true_starts[row]; box < true_starts[row + 1]; box++) {
            int64_t place = name_label(&tallies, true_labels[box], row);
            if (place < 0) {
                result = 1;
            } else {
                tallies.missed[place] += !is_found[box];
            }
        }
        for (int64_t box = starts[row]; box < starts[row + 1]; box++) {
            int64_t place = name_label(&tallies, labels[box], row);
            scores[box] = numbers[FLAT * box];
            marks[box] = place < 0 ? NOT_COUNTED : (int32_t)(2 * place + is_hit[box]);
        }
    }
    free(tallies.last_row);
    return result;
}

/* The marked boxes of a label, hits as 1 and others as 0, and room for one more and for sorting. */
static Ranked *list_label(int64_t boxes, const double *scores, const int32_t *marks, int64_t label,
                          int64_t *count) {
    int64_t own = 0;
    for (int64_t box = 0; box < boxes; box++) own += marks[box] >> 1 == label;
    Ranked *ranked = room_for(2 * (own + 1), sizeof *ranked);
    *count = 0;
    for (int64_t box = 0; box < boxes && ranked && *count < own; box++) {
        if (marks[box] >> 1 != label) continue;
        ranked[(*count)++] = (Ranked){rank_of(scores[box]), marks[box] & 1};
    }
    return ranked;
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
        int is_last = rank + 1 == count || ranked[rank].rank != ranked[rank + 1].rank;
        if (is_last && hits > hits_before) {
            sum += (double)(hits - hits_before) * (double)hits / (double)seen;
            hits_before = hits;
        }
    }
    return sum / (double)hits;
}

/* The average precision of a label, with a score of 0 for boxes that are missed and for a false
   alarm in each row that does not have it on either side; -1 when there is no memory. */
double precision_of_label(int64_t boxes, const double *scores, const int32_t *marks, int64_t label,
                          int64_t missed, int64_t absent) {
    int64_t count;
    Ranked *ranked = list_label(boxes, scores, marks, label, &count);
    if (!ranked) return -1;
    ranked[count++] = (Ranked){rank_of(0), ZEROS};
    sort_ranked(ranked, count);
    double result = sum_precision(ranked, count, missed, absent);
    free(ranked);
    return result;
}

/* The last true box of the row and label, or -1. */
static int64_t true_partner(const Boxes *truth, int64_t row, int64_t label) {
    for (int64_t target = truth->starts[row + 1] - 1; target >= truth->starts[row]; target--) {
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

static int32_t coco_mark(const Boxes *truth, const Boxes *predicted, int64_t box, int64_t target,
                         double iou_from, Firsts firsts, uint8_t *is_used) {
    const double *place = place_of(predicted, box);
    int is_near = target >= 0 && size_iou(place, place_of(truth, target)) >= iou_from;
    int is_hit = is_near && !is_used[target] && target != firsts.target;
    if (is_near && box != firsts.box) is_used[target] = 1;
    if (!is_hit && !is_counted_area(corner_area(place))) return NOT_COUNTED;
    return (int32_t)(2 * predicted->labels[box] + is_hit);
}

/* Notes score and mark of each prediction. Of each row and label, which is below `label_count`,
   only the first 100 predictions by falling confidence count. Of each side the first box of a row
   has been the first of all, unless that is -1. Gives 0, or -1 when there is no memory. */
int64_t match_as_coco(int64_t rows, const int64_t *true_starts, const int64_t *true_labels,
                      const double *true_numbers, const int64_t *starts, const int64_t *labels,
                      const double *numbers, double iou_from, int64_t first_true_row,
                      int64_t first_row, int64_t label_count, double *scores, int32_t *marks) {
    Boxes truth = {true_starts, true_labels, true_numbers, FLAT};
    Boxes predicted = {starts, labels, numbers, FLAT};
    Firsts firsts = {first_true_row < 0 ? -1 : true_starts[first_true_row],
                     first_row < 0 ? -1 : starts[first_row]};
    Ranked *ranked = room_for(2 * most_in_a_row(&predicted, rows), sizeof *ranked);
    int64_t *tally = room_for(label_count, sizeof *tally);
    uint8_t *is_used = calloc((size_t)true_starts[rows] + 1, 1);
    int64_t result = ranked && tally && is_used ? 0 : -1;
    for (int64_t row = 0; row < rows && !result; row++) {
        rank_row(&predicted, row, ranked);
        memset(tally, 0, (size_t)label_count * sizeof *tally);
        for (int64_t rank = 0; rank < count_in(&predicted, row); rank++) {
            int64_t box = ranked[rank].box, label = labels[box];
            scores[box] = numbers[FLAT * box];
            marks[box] = NOT_COUNTED;
            if (label < 0 || label >= label_count || tally[label]++ >= MAX_DETECTIONS) continue;
            int64_t target = true_partner(&truth, row, label);
            marks[box] = coco_mark(&truth, &predicted, box, target, iou_from, firsts, is_used);
        }
    }
    free(ranked);
    free(tally);
    free(is_used);
    return result;
}

/* The precision at each hit, made to fall from the right; gives how many there are. */
static int64_t falling_precisions(const Ranked *ranked, int64_t count, double epsilon,
                                  double *precisions) {
    int64_t hits = 0;
    for (int64_t rank = 0; rank < count; rank++) {
        if (!ranked[rank].box) continue;
        precisions[hits] = (double)(hits + 1) / ((double)(rank + 1) + epsilon);
        hits++;
    }
    for (int64_t hit = hits - 1; hit > 0; hit--) {
        if (precisions[hit] > precisions[hit - 1]) precisions[hit - 1] = precisions[hit];
    }
    return hits;
}

/* The best precision from each level of recall on, for the marked boxes of a label; levels ascend.
   Gives 0, or -1 when there is no memory. */
int64_t coco_precisions(int64_t boxes, const double *scores, const int32_t *marks, int64_t label,
                        int64_t truths, double epsilon, int64_t level_count, const double *levels,
                        double *best) {
    int64_t count, hits = 0, hit = 0;
    Ranked *ranked = list_label(boxes, scores, marks, label, &count);
    double *precisions = room_for(count, sizeof *precisions);
    int64_t result = ranked && precisions ? 0 : -1;
    if (!result) {
        sort_ranked(ranked, count);
        hits = falling_precisions(ranked, count, epsilon, precisions);
    }
    for (int64_t level = 0; level < level_count; level++) {
        while (hit < hits && (double)(hit + 1) / (double)truths < levels[level]) hit++;
        best[level] = hit < hits ? precisions[hit] : 0;
    }
    free(ranked);
    free(precisions);
    return result;
}
