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
    double diagonal = sqrt(box[WIDTH] * box[WIDTH] + box[LENGTH] * box[LENGTH]);
    return (Turn){cos(box[YAW]), sin(box[YAW]), diagonal / 2};
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

/* Whether places are numbers, sizes positive, corners right angles as far as floats can tell. */
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

/* A true box, with what tells whether another one is near. */
typedef struct {
    const double *place;
    int64_t label;
    double x, y;
    Turn turn;
    int64_t taken_at; /* the threshold for which it was taken last, by its mark */
} Target;

/* A prediction of a label that the row has, with the first true box that it overlaps most. */
typedef struct {
    int64_t label;
    double overlap;
    Target *target;
    int64_t rank; /* among those of its label, from 1 */
} Guess;

/* What is known about a row, in arrays that have room for the largest one. */
typedef struct {
    Target *targets;
    Ranked *ranked;
    Guess *guesses; /* by falling confidence */
    Guess *near;    /* those of one label that meet a true box at all */
    double *precisions;
    int64_t target_count, guess_count;
} Row;

static void list_targets(Row *row, const Boxes *truth, int64_t number) {
    row->target_count = 0;
    for (int64_t box = truth->starts[number]; box < truth->starts[number + 1]; box++) {
        const double *place = place_of(truth, box);
        row->targets[row->target_count++] =
            (Target){place, truth->labels[box], place[X], place[Y], turn_of(place), 0};
    }
}

/* The first true box of a label, or nothing. */
static Target *first_of_label(const Row *row, int64_t label) {
    for (Target *target = row->targets; target < row->targets + row->target_count; target++) {
        if (target->label == label) return target;
    }
    return NULL;
}

static Guess best_guess(const Row *row, int64_t label, const double *place, Turn turn) {
    Guess guess = {label, 0, NULL, 0};
    for (Target *target = row->targets; target < row->targets + row->target_count; target++) {
        double x = place[X] - target->x, y = place[Y] - target->y;
        double reach = turn.reach + target->turn.reach;
        if (x * x + y * y > reach * reach || target->label != label) continue;
        double overlap = iou(place, turn, target->place, target->turn);
        if (overlap > guess.overlap) guess = (Guess){label, overlap, target, 0};
    }
    return guess;
}

/* Gives -1, or a prediction that is no possible box although the row has its label. */
static int64_t list_guesses(Row *row, const Boxes *predicted, int64_t number) {
    row->guess_count = 0;
    rank_row(predicted, number, row->ranked);
    for (int64_t rank = 0; rank < count_in(predicted, number); rank++) {
        int64_t box = row->ranked[rank].box, label = predicted->labels[box];
        if (!first_of_label(row, label)) continue;
        const double *place = place_of(predicted, box);
        Turn turn = turn_of(place);
        if (!is_possible(place, turn)) return box;
        row->guesses[row->guess_count++] = best_guess(row, label, place, turn);
    }
    return -1;
}

/* The area under precision by recall of one label, precision made to fall from the right; recall
   in true boxes. */
static double area(Row *row, int64_t guesses, double threshold, int64_t mark) {
    int64_t hits = 0;
    double highest = 0, sum = 0;
    for (int64_t number = 0; number < guesses; number++) {
        Guess guess = row->near[number];
        if (guess.overlap > threshold && guess.target->taken_at != mark) {
            guess.target->taken_at = mark;
            row->precisions[hits] = (double)(hits + 1) / (double)guess.rank;
            hits++;
        }
    }
    while (hits) {
        highest = higher(highest, row->precisions[--hits]);
        sum += highest;
    }
    return sum;
}

/* The areas of one label, all thresholds together. */
static double areas(Row *row, int64_t label, const double *thresholds, int64_t count) {
    int64_t truths = 0, guesses = 0, near = 0;
    double sum = 0;
    for (int64_t target = 0; target < row->target_count; target++) {
        truths += row->targets[target].label == label;
    }
    for (int64_t rank = 0; rank < row->guess_count; rank++) {
        Guess guess = row->guesses[rank];
        guesses += guess.label == label;
        guess.rank = guesses;
        if (guess.label == label && guess.target) row->near[near++] = guess;
    }
    for (int64_t k = 0; k < count; k++) {
        sum += area(row, near, thresholds[k], k + 1) / (double)truths;
    }
    return sum;
}

/* The mean over the labels of a row; nothing divided by nothing where it has none. */
static double mean_areas(Row *row, const double *thresholds, int64_t count) {
    double sum = 0;
    int64_t labels = 0;
    for (Target *target = row->targets; target < row->targets + row->target_count; target++) {
        if (first_of_label(row, target->label) == target) {
            sum += areas(row, target->label, thresholds, count);
            labels++;
        }
    }
    return sum / (double)labels;
}

static int open_row(Row *row, int64_t targets, int64_t predictions) {
    row->targets = room_for(targets, sizeof *row->targets);
    row->ranked = room_for(2 * predictions, sizeof *row->ranked);
    row->guesses = room_for(predictions, sizeof *row->guesses);
    row->near = room_for(predictions, sizeof *row->near);
    row->precisions = room_for(targets, sizeof *row->precisions);
    return row->targets && row->ranked && row->guesses && row->near && row->precisions;
}

static void close_row(Row *row) {
    free(row->targets);
    free(row->ranked);
    free(row->guesses);
    free(row->near);
    free(row->precisions);
}

/* The mean area of each row, thresholds added up. Gives -1; or a prediction that is no possible box
   although the row has its label; or -2 when there is no memory. */
int64_t precisions_3d(int64_t rows, const int64_t *true_starts, const int64_t *true_labels,
                      const double *true_numbers, const int64_t *starts, const int64_t *labels,
                      const double *numbers, const double *thresholds, int64_t count,
                      double *means) {
    Boxes truth = {true_starts, true_labels, true_numbers, SOLID};
    Boxes predicted = {starts, labels, numbers, SOLID};
    Row row;
    int64_t impossible = -1;
    int is_open = open_row(&row, most_in_a_row(&truth, rows), most_in_a_row(&predicted, rows));
    for (int64_t number = 0; number < rows && is_open && impossible < 0; number++) {
        list_targets(&row, &truth, number);
        impossible = list_guesses(&row, &predicted, number);
        means[number] = mean_areas(&row, thresholds, count);
    }
    close_row(&row);
    return is_open ? impossible : -2;
}
