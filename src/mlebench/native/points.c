/* Points matched with boxes of the same row and label: each box takes the first that is inside. */

#include <stdlib.h>

#include "boxes.h"

enum { NONE = -1, BOX = 4, POINT = 2 };

/* Points of one label that are left, linked in the order of their list. */
typedef struct {
    int64_t label, is_used, first;
} Slot;

typedef struct {
    Slot *slots;
    int64_t bits; /* there are 2^bits slots, at least twice as many as labels */
} Table;

static int64_t bits_for(int64_t labels) {
    int64_t bits = 1;
    while (INT64_C(1) << bits < 2 * labels) bits++;
    return bits;
}

/* The slot of a label, or the free one where it belongs. Labels come from the truth alone, so that
   nobody can crowd the table. */
static Slot *find(Table table, int64_t label) {
    uint64_t place = ((uint64_t)label * UINT64_C(0x9E3779B97F4A7C15)) >> (64 - table.bits);
    uint64_t last = (UINT64_C(1) << table.bits) - 1;
    while (table.slots[place].is_used && table.slots[place].label != label) {
        place = (place + 1) & last;
    }
    return table.slots + place;
}

/* Box and point are `x y width height` and `x y`; a point on the edge is not inside. */
static int is_inside(const double *box, const double *point) {
    return box[0] < point[0] && point[0] < box[0] + box[2] && box[1] < point[1] &&
           point[1] < box[1] + box[3];
}

/* Take the first point inside of the box out of its list; whether there is one. */
static int take_point(const double *box, const double *points, int64_t *link, int64_t *next) {
    for (; *link != NONE; link = next + *link) {
        if (is_inside(box, points + POINT * *link)) {
            *link = next[*link];
            return 1;
        }
    }
    return 0;
}

static int64_t most_boxes(const Boxes *boxes, int64_t rows) {
    int64_t most = 0;
    for (int64_t row = 0; row < rows; row++) {
        int64_t count = boxes->end[row] - boxes->begin[row];
        most = count > most ? count : most;
    }
    return most;
}

static void list_points(Table table, const Boxes *boxes, const Boxes *points, int64_t row,
                        int64_t *next) {
    memset(table.slots, 0, sizeof *table.slots << table.bits);
    for (int64_t at = boxes->begin[row]; at < boxes->end[row]; at++) {
        int64_t label = boxes->labels[boxes->order[at]];
        *find(table, label) = (Slot){label, 1, NONE};
    }
    for (int64_t at = points->end[row] - 1; at >= points->begin[row]; at--) {
        int64_t point = points->order[at];
        Slot *slot = find(table, points->labels[point]);
        if (slot->is_used) {
            next[point] = slot->first;
            slot->first = point;
        }
    }
}

/* How many boxes get a point; -1 when there is no memory. For each point `next` has room. */
int64_t count_points(int64_t rows, const int64_t *box_begin, const int64_t *box_end,
                     int64_t *box_order, const int64_t *box_labels, const double *box_numbers,
                     const int64_t *begin, const int64_t *end, int64_t *order,
                     const int64_t *labels, const double *numbers, int64_t *next) {
    Boxes boxes = {box_begin, box_end, box_order, box_labels, box_numbers, BOX};
    Boxes points = {begin, end, order, labels, numbers, POINT};
    int64_t matches = 0;
    Slot *slots = malloc(sizeof *slots << bits_for(most_boxes(&boxes, rows)));
    if (!slots) return -1;
    for (int64_t row = 0; row < rows; row++) {
        Table table = {slots, bits_for(box_end[row] - box_begin[row])};
        list_points(table, &boxes, &points, row, next);
        for (int64_t at = box_begin[row]; at < box_end[row]; at++) {
            int64_t box = box_order[at];
            Slot *slot = find(table, box_labels[box]);
            matches += take_point(box_numbers + BOX * box, numbers, &slot->first, next);
        }
    }
    free(slots);
    return matches;
}
