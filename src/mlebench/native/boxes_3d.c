/* Upright boxes in space, each `x y z width length height yaw`: overlaps and average precision. */

#include <math.h>

#include "boxes.h"

enum { X, Y, Z, WIDTH, LENGTH, HEIGHT, YAW, SOLID = 8 };
enum { CORNERS = 4, TIMES = 6 };

static const double LENGTH_SIGNS[CORNERS] = {1, -1, -1, 1};
static const double WIDTH_SIGNS[CORNERS] = {1, 1, -1, -1};
static const double RIGHT_ANGLE = 1e-8;

typedef struct {
    double cosine, sine;
    double reach; /* from the middle to a corner */
} Turn;

typedef struct {
    double x[CORNERS], y[CORNERS];
} Outline;

/* What an outline does along one axis of another box, that reaches from -half to half. */
typedef struct {
    double start[CORNERS], move[CORNERS];
    double half;
} Walk;

static double lower(double one, double other) {
    return one < other ? one : other;
}

static double higher(double one, double other) {
    return one > other ? one : other;
}

static double clipped(double value, double least, double most) {
    return lower(higher(value, least), most);
}

static Turn turn_of(const double *box) {
    Turn turn = {cos(box[YAW]), sin(box[YAW]), hypot(box[WIDTH], box[LENGTH]) / 2};
    return turn;
}

/* The corners of the ground rectangle, one after the other, around a middle. */
static Outline ground(const double *box, Turn turn, double x, double y) {
    Outline outline;
    for (int corner = 0; corner < CORNERS; corner++) {
        double length = LENGTH_SIGNS[corner] * (box[LENGTH] / 2);
        double width = WIDTH_SIGNS[corner] * (box[WIDTH] / 2);
        outline.x[corner] = x + length * turn.cosine - width * turn.sine;
        outline.y[corner] = y + length * turn.sine + width * turn.cosine;
    }
    return outline;
}

static void find_moves(Walk *walk) {
    for (int corner = 0; corner < CORNERS; corner++) {
        walk->move[corner] = walk->start[(corner + 1) % CORNERS] - walk->start[corner];
    }
}

/* When a point on its way along an edge passes a border, as a share of the edge. */
static double time_at(const Walk *walk, int corner, double border) {
    double move = walk->move[corner];
    return move != 0 ? clipped((border - walk->start[corner]) / move, 0, 1) : 0;
}

static double moved(const Walk *walk, int corner, double time) {
    double place = walk->start[corner] + time * walk->move[corner];
    return clipped(place, -walk->half, walk->half);
}

/* The times between which a point moved into the other box goes straight. */
static void straight_times(const Walk *x, const Walk *y, int corner, double *times) {
    double one = time_at(x, corner, -x->half), other = time_at(x, corner, x->half);
    double a = lower(one, other), b = higher(one, other);
    one = time_at(y, corner, -y->half), other = time_at(y, corner, y->half);
    double c = lower(one, other), d = higher(one, other);
    double first = higher(a, c), second = lower(b, d);
    times[0] = 0;
    times[1] = lower(a, c);
    times[2] = lower(first, second);
    times[3] = higher(first, second);
    times[4] = higher(b, d);
    times[5] = 1;
}

/* The area that the ground rectangles of two boxes share. Seen from the second box the first one's
   outline is walked along, every point moved to the nearest one inside the second: the area inside
   this new outline is the area in common. */
static double common_ground(const double *one, Turn turn, const double *other, Turn other_turn) {
    Outline outline = ground(one, turn, one[X] - other[X], one[Y] - other[Y]);
    Walk x = {.half = other[LENGTH] / 2}, y = {.half = other[WIDTH] / 2};
    double area[TIMES] = {0}, sum = 0;
    for (int corner = 0; corner < CORNERS; corner++) {
        double ahead = outline.x[corner], aside = outline.y[corner];
        x.start[corner] = ahead * other_turn.cosine + aside * other_turn.sine;
        y.start[corner] = aside * other_turn.cosine - ahead * other_turn.sine;
    }
    find_moves(&x);
    find_moves(&y);
    for (int corner = 0; corner < CORNERS; corner++) {
        double times[TIMES];
        straight_times(&x, &y, corner, times);
        double x_before = moved(&x, corner, 0), y_before = moved(&y, corner, 0);
        for (int time = 1; time < TIMES; time++) {
            double x_now = moved(&x, corner, times[time]), y_now = moved(&y, corner, times[time]);
            area[time] += (x_now - x_before) * (y_now + y_before);
            x_before = x_now;
            y_before = y_now;
        }
    }
    for (int time = 1; time < TIMES; time++) sum += area[time];
    return fabs(sum) / 2;
}

static double volume(const double *box) {
    return box[WIDTH] * box[LENGTH] * box[HEIGHT];
}

static double iou(const double *one, Turn turn, const double *other, Turn other_turn) {
    double low = higher(one[Z] - one[HEIGHT] / 2, other[Z] - other[HEIGHT] / 2);
    double high = lower(one[Z] + one[HEIGHT] / 2, other[Z] + other[HEIGHT] / 2);
    double common = common_ground(one, turn, other, other_turn) * higher(high - low, 0);
    return clipped(common / (volume(one) + volume(other) - common), 0, 1);
}

double ground_in_common(const double *one, const double *other) {
    return common_ground(one, turn_of(one), other, turn_of(other));
}

double iou_3d(const double *one, const double *other) {
    return iou(one, turn_of(one), other, turn_of(other));
}

/* Whether places are numbers, sizes positive, and corners right angles as far as floats can tell. */
static int is_possible(const double *box, Turn turn) {
    for (int part = X; part <= YAW; part++) {
        if (!isfinite(box[part]) || (part >= WIDTH && part <= HEIGHT && box[part] <= 0)) return 0;
    }
    Outline outline = ground(box, turn, box[X], box[Y]);
    for (int corner = 0; corner < CORNERS; corner++) {
        int next = (corner + 1) % CORNERS, after = (corner + 2) % CORNERS;
        double x = outline.x[next] - outline.x[corner], next_x = outline.x[after] - outline.x[next];
        double y = outline.y[next] - outline.y[corner], next_y = outline.y[after] - outline.y[next];
        if (!(fabs(x * next_x + y * next_y) <= RIGHT_ANGLE)) return 0;
    }
    return 1;
}

/* What is known about a row while it is graded, on arrays that are as long as those of boxes. */
typedef struct {
    const Boxes *truth, *predicted;
    int64_t row;
    Turn *turns;        /* of the true boxes */
    double *best;       /* of the predictions: the largest overlap */
    int64_t *target;    /* and the first true box that has it */
    int64_t *same;      /* predictions of one label, by falling confidence */
    int64_t *taken;     /* of the true boxes: for which threshold it was taken last */
    double *precisions; /* at each hit */
} Row;

/* The largest overlap of a prediction with a true box of its label; gives whether it is possible,
   which does not matter for a label that the row does not have. */
static int find_target(Row *row, int64_t box) {
    const Boxes *truth = row->truth;
    const double *place = place_of(row->predicted, box);
    Turn turn = {0, 0, -1};
    row->best[box] = 0;
    for (int64_t at = truth->begin[row->row]; at < truth->end[row->row]; at++) {
        int64_t target = truth->order[at];
        if (truth->labels[target] != row->predicted->labels[box]) continue;
        if (turn.reach < 0) {
            turn = turn_of(place);
            row->target[box] = target;
            if (!is_possible(place, turn)) return 0;
        }
        const double *other = place_of(truth, target);
        double x = place[X] - other[X], y = place[Y] - other[Y];
        double reach = turn.reach + row->turns[target].reach;
        if (!(x * x + y * y <= reach * reach)) continue;
        double overlap = iou(place, turn, other, row->turns[target]);
        if (overlap > row->best[box]) {
            row->best[box] = overlap;
            row->target[box] = target;
        }
    }
    return 1;
}

/* The area under precision by recall of one label, precision made to fall from the right. */
static double area(Row *row, int64_t predictions, int64_t truths, double threshold, int64_t mark) {
    int64_t hits = 0;
    double highest = 0, sum = 0;
    for (int64_t rank = 0; rank < predictions; rank++) {
        int64_t box = row->same[rank];
        if (row->best[box] > threshold && row->taken[row->target[box]] != mark) {
            row->taken[row->target[box]] = mark;
            row->precisions[hits] = (double)(hits + 1) / (double)(rank + 1);
            hits++;
        }
    }
    while (hits) {
        highest = higher(highest, row->precisions[--hits]);
        sum += highest;
    }
    return sum / (double)truths;
}

/* The areas of one label, all thresholds together. */
static double areas(Row *row, int64_t label, const double *thresholds, int64_t count) {
    const Boxes *truth = row->truth, *predicted = row->predicted;
    int64_t truths = 0, predictions = 0;
    double sum = 0;
    for (int64_t at = truth->begin[row->row]; at < truth->end[row->row]; at++) {
        truths += truth->labels[truth->order[at]] == label;
    }
    for (int64_t at = predicted->begin[row->row]; at < predicted->end[row->row]; at++) {
        if (predicted->labels[predicted->order[at]] == label) {
            row->same[predictions++] = predicted->order[at];
        }
    }
    for (int64_t k = 0; k < count; k++) sum += area(row, predictions, truths, thresholds[k], k + 1);
    return sum;
}

static int is_first_of_label(const Boxes *boxes, int64_t row, int64_t at) {
    for (int64_t before = boxes->begin[row]; before < at; before++) {
        if (boxes->labels[boxes->order[before]] == boxes->labels[boxes->order[at]]) return 0;
    }
    return 1;
}

/* The areas of all labels of a row; nothing divided by nothing where it has none. */
static double mean_areas(Row *row, const double *thresholds, int64_t count) {
    const Boxes *truth = row->truth;
    double sum = 0;
    int64_t labels = 0;
    for (int64_t at = truth->begin[row->row]; at < truth->end[row->row]; at++) {
        if (is_first_of_label(truth, row->row, at)) {
            sum += areas(row, truth->labels[truth->order[at]], thresholds, count);
            labels++;
        }
    }
    return sum / (double)labels;
}

/* The mean area of each row, thresholds added up. Gives -1, or the first prediction that is no
   possible box although the row has its label. */
int64_t precisions_3d(int64_t rows, const int64_t *true_begin, const int64_t *true_end,
                      int64_t *true_order, const int64_t *true_labels, const double *true_numbers,
                      const int64_t *begin, const int64_t *end, int64_t *order,
                      const int64_t *labels, const double *numbers, int64_t *spare,
                      const double *thresholds, int64_t count, double *turns, double *best,
                      int64_t *target, int64_t *taken, double *precisions, double *means) {
    Boxes truth = {true_begin, true_end, true_order, true_labels, true_numbers, SOLID};
    Boxes predicted = {begin, end, order, labels, numbers, SOLID};
    for (int64_t number = 0; number < rows; number++) {
        Row row = {&truth, &predicted, number, (Turn *)turns, best, target, spare, taken,
                   precisions};
        for (int64_t at = true_begin[number]; at < true_end[number]; at++) {
            row.turns[true_order[at]] = turn_of(place_of(&truth, true_order[at]));
        }
        for (int64_t at = begin[number]; at < end[number]; at++) {
            if (!find_target(&row, order[at])) return order[at];
        }
        sort_row(&predicted, number, spare);
        row.same += begin[number];
        row.precisions += true_begin[number];
        means[number] = mean_areas(&row, thresholds, count);
    }
    return -1;
}
