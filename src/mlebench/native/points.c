/* Points matched with boxes of the same row and label: each box takes the first that is inside. */

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

/* Links the points of each true label; `next` has a place for each point of the row. */
static void link_points(Table table, const Boxes *boxes, const Boxes *points, int64_t row,
                        int64_t *next) {
    memset(table.slots, 0, sizeof *table.slots << table.bits);
    for (int64_t box = boxes->starts[row]; box < boxes->starts[row + 1]; box++) {
        *find(table, boxes->labels[box]) = (Slot){boxes->labels[box], 1, NONE};
    }
    for (int64_t point = count_in(points, row) - 1; point >= 0; point--) {
        Slot *slot = find(table, points->labels[points->starts[row] + point]);
        if (slot->is_used) {
            next[point] = slot->first;
            slot->first = point;
        }
    }
}

/* How many boxes get a point; -1 when there is no memory. */
int64_t count_points(int64_t rows, const int64_t *box_starts, const int64_t *box_labels,
                     const double *box_numbers, const int64_t *starts, const int64_t *labels,
                     const double *numbers) {
    Boxes boxes = {box_starts, box_labels, box_numbers, BOX};
    Boxes points = {starts, labels, numbers, POINT};
    Slot *slots = malloc(sizeof *slots << bits_for(most_in_a_row(&boxes, rows)));
    int64_t *next = room_for(most_in_a_row(&points, rows), sizeof *next);
    int64_t matches = slots && next ? 0 : -1;
    for (int64_t row = 0; row < rows && matches >= 0; row++) {
        Table table = {slots, bits_for(count_in(&boxes, row))};
        const double *places = numbers + POINT * starts[row];
        link_points(table, &boxes, &points, row, next);
        for (int64_t box = box_starts[row]; box < box_starts[row + 1]; box++) {
            Slot *slot = find(table, box_labels[box]);
            matches += take_point(box_numbers + BOX * box, places, &slot->first, next);
        }
    }
    free(slots);
    free(next);
    return matches;
}
