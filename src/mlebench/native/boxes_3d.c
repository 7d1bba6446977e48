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
} Turn;

typedef struct {
    double x[CORNERS], y[CORNERS];
} Outline;

/* What an outline does along one axis of another box, that reaches from -half to half. */
typedef struct {
    double start[CORNERS], move[CORNERS];
    double is_moving[CORNERS], divisor[CORNERS]; /* 1 and the move; or 0 and 1 if there is none */
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
    return (Turn){cos(box[YAW]), sin(box[YAW])};
}

/* How far it is from the middle to a corner. */
static double reach_of(const double *box) {
    return sqrt(box[WIDTH] * box[WIDTH] + box[LENGTH] * box[LENGTH]) / 2;
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
    for (int corner = 0; corner < CORNERS; corner++) {
        walk->is_moving[corner] = walk->move[corner] != 0;
        walk->divisor[corner] = walk->move[corner] + (1 - walk->is_moving[corner]);
    }
}

/* When points on their way along the edges pass a border, as a share of the edge; 0 for an edge
   without a way. Free of jumps, so that the compiler can look at several edges at once. */
static void find_times(const Walk *walk, double border, double *times) {
    for (int corner = 0; corner < CORNERS; corner++) {
        double way = walk->is_moving[corner] * (border - walk->start[corner]);
        times[corner] = clipped(way / walk->divisor[corner], 0, 1);
    }
}

/* The times between which a point moved into the other box goes straight, for each edge. */
static void straight_times(const Walk *x, const Walk *y, double times[TIMES][CORNERS]) {
    double left[CORNERS], right[CORNERS], lowest[CORNERS], highest[CORNERS];
    find_times(x, -x->half, left);
    find_times(x, x->half, right);
    find_times(y, -y->half, lowest);
    find_times(y, y->half, highest);
    for (int corner = 0; corner < CORNERS; corner++) {
        double a = lower(left[corner], right[corner]), b = higher(left[corner], right[corner]);
        double c = lower(lowest[corner], highest[corner]);
        double d = higher(lowest[corner], highest[corner]);
        double first = higher(a, c), second = lower(b, d);
        times[0][corner] = 0;
        times[1][corner] = lower(a, c);
        times[2][corner] = lower(first, second);
        times[3][corner] = higher(first, second);
        times[4][corner] = higher(b, d);
        times[5][corner] = 1;
    }
}

/* Where the points are then, moved into the other box. */
static void move_points(const Walk *walk, const double *times, double *places) {
    for (int corner = 0; corner < CORNERS; corner++) {
        double place = walk->start[corner] + times[corner] * walk->move[corner];
        places[corner] = clipped(place, -walk->half, walk->half);
    }
}

/* The area that the ground rectangles of two boxes share. Seen from the second box the first one's
   outline is walked along, every point moved to the nearest one inside the second: the area inside
   this new outline is the area in common. All edges are walked at the same time. */
static double common_ground(const double *one, Turn turn, const double *other, Turn other_turn) {
    Outline outline = ground(one, turn, one[X] - other[X], one[Y] - other[Y]);
    Walk x = {.half = other[LENGTH] / 2}, y = {.half = other[WIDTH] / 2};
    double times[TIMES][CORNERS], x_places[TIMES][CORNERS], y_places[TIMES][CORNERS], sum = 0;
    for (int corner = 0; corner < CORNERS; corner++) {
        double ahead = outline.x[corner], aside = outline.y[corner];
        x.start[corner] = ahead * other_turn.cosine + aside * other_turn.sine;
        y.start[corner] = aside * other_turn.cosine - ahead * other_turn.sine;
    }
    find_moves(&x);
    find_moves(&y);
    straight_times(&x, &y, times);
    for (int time = 0; time < TIMES; time++) {
        move_points(&x, times[time], x_places[time]);
        move_points(&y, times[time], y_places[time]);
    }
    for (int time = 1; time < TIMES; time++) {
        double areas[CORNERS], area = 0;
        for (int corner = 0; corner < CORNERS; corner++) {
            areas[corner] = (x_places[time][corner] - x_places[time - 1][corner]) *
                            (y_places[time][corner] + y_places[time - 1][corner]);
        }
        for (int corner = 0; corner < CORNERS; corner++) area += areas[corner];
        sum += area;
    }
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
static int is_possible(const double *box) {
    for (int part = X; part <= YAW; part++) {
        if (!isfinite(box[part]) || (part >= WIDTH && part <= HEIGHT && box[part] <= 0)) return 0;
    }
    Outline outline = ground(box, turn_of(box), box[X], box[Y]);
    for (int corner = 0; corner < CORNERS; corner++) {
        int next = (corner + 1) % CORNERS, after = (corner + 2) % CORNERS;
        double x = outline.x[next] - outline.x[corner], next_x = outline.x[after] - outline.x[next];
        double y = outline.y[next] - outline.y[corner], next_y = outline.y[after] - outline.y[next];
        if (!(fabs(x * next_x + y * next_y) <= RIGHT_ANGLE)) return 0;
    }
    return 1;
}

/* Whether a box is surely possible: corners are off by less than 4 roundings of the largest number
   that comes up, so that their angles pass if the box is neither large nor far away. */
static int is_usual(const double *box) {
    double sides = box[WIDTH] + box[LENGTH];
    double largest = fabs(box[X]) + fabs(box[Y]) + sides;
    return box[WIDTH] > 0 && box[LENGTH] > 0 && box[HEIGHT] > 0 && box[HEIGHT] < 1e9 &&
           fabs(box[Z]) < 1e9 && fabs(box[YAW]) < 1e9 && largest * sides < 1e6;
}

/* The true boxes of one label, which lie together. */
typedef struct {
    int64_t label, first, count;
    int64_t guesses; /* how many predictions have this label */
} Kind;

typedef struct {
    const double *place;
    Turn turn;
    int64_t taken_at; /* the threshold for which it was taken last, by its mark */
} Target;

/* A prediction that overlaps a true box enough for a threshold: the first of those that it overlaps
   most. */
typedef struct {
    Target *target;
    double overlap;
    int64_t kind;
    int64_t rank; /* among those of its label, from 1 */
} Guess;

/* What is known about a row, in arrays that have room for the largest one. */
typedef struct {
    Kind *kinds;
    Target *targets;
    double *x, *y, *reach; /* of the targets: what tells whether another box is near */
    int64_t *near;
    Ranked *ranked;
    Guess *guesses; /* by falling confidence */
    Guess *own;     /* those of one kind */
    double *precisions;
    int64_t kind_count, guess_count;
} Row;

/* The number of a label's kind, or -1. */
static int64_t kind_of(const Row *row, int64_t label) {
    for (int64_t kind = 0; kind < row->kind_count; kind++) {
        if (row->kinds[kind].label == label) return kind;
    }
    return -1;
}

static void list_targets(Row *row, const Boxes *truth, int64_t number) {
    int64_t first = 0;
    row->kind_count = 0;
    for (int64_t box = truth->starts[number]; box < truth->starts[number + 1]; box++) {
        int64_t kind = kind_of(row, truth->labels[box]);
        if (kind < 0) {
            kind = row->kind_count++;
            row->kinds[kind] = (Kind){truth->labels[box], 0, 0, 0};
        }
        row->kinds[kind].count++;
    }
    for (int64_t kind = 0; kind < row->kind_count; kind++) {
        row->kinds[kind].first = first;
        first += row->kinds[kind].count;
        row->kinds[kind].count = 0;
    }
    for (int64_t box = truth->starts[number]; box < truth->starts[number + 1]; box++) {
        Kind *kind = row->kinds + kind_of(row, truth->labels[box]);
        int64_t target = kind->first + kind->count++;
        const double *place = place_of(truth, box);
        row->targets[target] = (Target){place, turn_of(place), 0};
        row->x[target] = place[X];
        row->y[target] = place[Y];
        row->reach[target] = reach_of(place);
    }
}

/* Lists the true boxes of a kind that a box may meet; gives how many there are. */
static int64_t list_near(const Row *row, const Kind *kind, const double *place) {
    int64_t count = 0;
    double own_reach = reach_of(place);
    for (int64_t target = kind->first; target < kind->first + kind->count; target++) {
        double x = place[X] - row->x[target], y = place[Y] - row->y[target];
        double reach = own_reach + row->reach[target];
        row->near[count] = target;
        count += !(x * x + y * y > reach * reach);
    }
    return count;
}

static Guess best_guess(const Row *row, const Kind *kind, const double *place) {
    Guess guess = {NULL, 0, 0, 0};
    int64_t count = list_near(row, kind, place);
    Turn turn = count ? turn_of(place) : (Turn){0, 0};
    for (int64_t number = 0; number < count; number++) {
        Target *target = row->targets + row->near[number];
        double overlap = iou(place, turn, target->place, target->turn);
        if (overlap > guess.overlap) guess = (Guess){target, overlap, 0, 0};
    }
    return guess;
}

/* Lists predictions that overlap a true box more than this. Gives -1, or a prediction that is no
   possible box although the row has its label. */
static int64_t list_guesses(Row *row, const Boxes *predicted, int64_t number, double least) {
    row->guess_count = 0;
    rank_row(predicted, number, row->ranked);
    for (int64_t rank = 0; rank < count_in(predicted, number); rank++) {
        int64_t box = row->ranked[rank].box, kind = kind_of(row, predicted->labels[box]);
        if (kind < 0) continue;
        const double *place = place_of(predicted, box);
        if (!is_usual(place) && !is_possible(place)) return box;
        Guess guess = best_guess(row, row->kinds + kind, place);
        guess.kind = kind;
        guess.rank = ++row->kinds[kind].guesses;
        if (guess.overlap > least) row->guesses[row->guess_count++] = guess;
    }
    return -1;
}

/* The area under precision by recall of one kind, precision made to fall from the right; recall
   in true boxes. */
static double area(Row *row, int64_t guesses, double threshold, int64_t mark) {
    int64_t hits = 0;
    double highest = 0, sum = 0;
    for (int64_t number = 0; number < guesses; number++) {
        const Guess *guess = row->own + number;
        if (guess->overlap > threshold && guess->target->taken_at != mark) {
            guess->target->taken_at = mark;
            row->precisions[hits] = (double)(hits + 1) / (double)guess->rank;
            hits++;
        }
    }
    while (hits) {
        highest = higher(highest, row->precisions[--hits]);
        sum += highest;
    }
    return sum;
}

/* Adds the area of one kind at each threshold. */
static void add_areas(Row *row, int64_t kind, const double *thresholds, int64_t count,
                      double *sums) {
    int64_t guesses = 0;
    for (int64_t number = 0; number < row->guess_count; number++) {
        row->own[guesses] = row->guesses[number];
        guesses += row->guesses[number].kind == kind;
    }
    for (int64_t k = 0; k < count; k++) {
        sums[k] += area(row, guesses, thresholds[k], k + 1) / (double)row->kinds[kind].count;
    }
}

/* The mean over the kinds of a row at each threshold; nothing divided by nothing where it has
   none. */
static void mean_areas(Row *row, const double *thresholds, int64_t count, double *means) {
    for (int64_t k = 0; k < count; k++) means[k] = 0;
    for (int64_t kind = 0; kind < row->kind_count; kind++) {
        add_areas(row, kind, thresholds, count, means);
    }
    for (int64_t k = 0; k < count; k++) means[k] /= (double)row->kind_count;
}

static int open_row(Row *row, int64_t targets, int64_t predictions) {
    row->kinds = room_for(targets, sizeof *row->kinds);
    row->targets = room_for(targets, sizeof *row->targets);
    row->x = room_for(targets, sizeof *row->x);
    row->y = room_for(targets, sizeof *row->y);
    row->reach = room_for(targets, sizeof *row->reach);
    row->near = room_for(targets, sizeof *row->near);
    row->ranked = room_for(2 * predictions, sizeof *row->ranked);
    row->guesses = room_for(predictions, sizeof *row->guesses);
    row->own = room_for(predictions, sizeof *row->own);
    row->precisions = room_for(targets, sizeof *row->precisions);
    return row->kinds && row->targets && row->x && row->y && row->reach && row->near &&
           row->ranked && row->guesses && row->own && row->precisions;
}

static void close_row(Row *row) {
    free(row->kinds);
    free(row->targets);
    free(row->x);
    free(row->y);
    free(row->reach);
    free(row->near);
    free(row->ranked);
    free(row->guesses);
    free(row->own);
    free(row->precisions);
}

/* The mean area of each row at each threshold. Gives -1; or a prediction that is no possible box
   although the row has its label; or -2 when there is no memory. */
int64_t precisions_3d(int64_t rows, const int64_t *true_starts, const int64_t *true_labels,
                      const double *true_numbers, const int64_t *starts, const int64_t *labels,
                      const double *numbers, const double *thresholds, int64_t count,
                      double *means) {
    Boxes truth = {true_starts, true_labels, true_numbers, SOLID};
    Boxes predicted = {starts, labels, numbers, SOLID};
    Row row;
    int64_t impossible = -1;
    double least = INFINITY;
    for (int64_t k = 0; k < count; k++) least = lower(least, thresholds[k]);
    least = higher(least, 0);
    int is_open = open_row(&row, most_in_a_row(&truth, rows), most_in_a_row(&predicted, rows));
    for (int64_t number = 0; number < rows && is_open && impossible < 0; number++) {
        list_targets(&row, &truth, number);
        impossible = list_guesses(&row, &predicted, number, least);
        mean_areas(&row, thresholds, count, means + number * count);
    }
    close_row(&row);
    return is_open ? impossible : -2;
}
