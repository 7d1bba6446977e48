/* The Hausdorff distance between two volumes of voxels: the farthest that a voxel of either one is
   from the nearest voxel of the other.

   A volume consists of slices, a slice of columns, and in each column there are spans of marked
   rows. The nearest voxel is searched in the columns around a voxel. Most searches end early: as
   soon as anything is found that is no farther than the farthest distance known, this voxel cannot
   change the result. Where too few end early, a Euclidean distance transform computes the rest: along
   slices, then rows, then columns, in a time that depends on the size of the volume alone. */

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Every so many spans one is searched in a round, so that far voxels are found soon. */
enum { STRIDE = 97 };

typedef struct {
    int64_t column;     /* counted through all slices */
    int64_t begin, end; /* rows, the last one not included */
} Span;

/* The spans of column c are those from first[c] to first[c + 1]. */
typedef struct {
    const int64_t *first;
    const Span *spans;
} Volume;

typedef struct {
    int64_t slice, column, row;
} Voxel;

typedef struct {
    int64_t slices, columns; /* of either volume */
    const double *scale;     /* what a step to the next slice, column and row measures */
    double farthest;         /* squared, from either volume to the other */
    Voxel near;              /* the last voxel that was found to be nearest */
    int has_near;
    int64_t looks, most_looks; /* at spans */
} Search;

static double square(double value) {
    return value * value;
}

static double distance(const Search *search, Voxel one, Voxel other) {
    return square((double)(one.slice - other.slice) * search->scale[0]) +
           square((double)(one.row - other.row) * search->scale[2]) +
           square((double)(one.column - other.column) * search->scale[1]);
}

static int64_t nearest_row(Span span, int64_t row) {
    return row < span.begin ? span.begin : row >= span.end ? span.end - 1 : row;
}

/* Looks for a nearer voxel in one column. */
static void look_in_column(Search *search, Volume there, Voxel from, int64_t slice, int64_t column,
                           double *nearest) {
    if (column < 0 || column >= search->columns) return;
    int64_t number = slice * search->columns + column;
    search->looks++;
    for (int64_t k = there.first[number]; k < there.first[number + 1]; k++) {
        Voxel found = {slice, column, nearest_row(there.spans[k], from.row)};
        double apart = distance(search, from, found);
        search->looks++;
        if (apart < *nearest) {
            *nearest = apart;
            search->near = found;
            search->has_near = 1;
        }
    }
}

/* Looks into the columns of one slice, as long as they could be nearer than what is found. */
static void look_in_slice(Search *search, Volume there, Voxel from, int64_t slice,
                          double *nearest) {
    int64_t first = slice * search->columns;
    if (slice < 0 || slice >= search->slices) return;
    if (there.first[first] == there.first[first + search->columns]) return;
    double apart = square((double)(slice - from.slice) * search->scale[0]);
    for (int64_t step = 0; step < search->columns && *nearest > search->farthest; step++) {
        if (apart + square((double)step * search->scale[1]) >= *nearest) return;
        look_in_column(search, there, from, slice, from.column - step, nearest);
        if (step) look_in_column(search, there, from, slice, from.column + step, nearest);
    }
}

/* The squared distance to the nearest voxel; or some distance that is no farther than the farthest
   one known. */
static double nearest_distance(Search *search, Volume there, Voxel from) {
    double nearest = search->has_near ? distance(search, from, search->near) : INFINITY;
    for (int64_t step = 0; step < search->slices && nearest > search->farthest; step++) {
        if (square((double)step * search->scale[0]) >= nearest) break;
        look_in_slice(search, there, from, from.slice - step, &nearest);
        if (step) look_in_slice(search, there, from, from.slice + step, &nearest);
    }
    return nearest;
}

/* The row behind the span of the other volume that has this voxel, too; or the voxel's own row. */
static int64_t end_of_shared(Search *search, Volume there, Voxel from) {
    int64_t number = from.slice * search->columns + from.column, row = from.row;
    for (int64_t k = there.first[number]; k < there.first[number + 1]; k++) {
        if (there.spans[k].begin <= row && row < there.spans[k].end) row = there.spans[k].end;
        search->looks++;
    }
    return row;
}

/* Searches from each voxel of a span that the other volume does not have. */
static void search_from(Search *search, Volume there, Voxel from, int64_t end) {
    Voxel last = from;
    last.row = end - 1;
    for (; from.row < end && search->looks <= search->most_looks; from.row++) {
        if (search->has_near && distance(search, from, search->near) <= search->farthest) {
            /* A voxel that is near to both ends is near to all between. */
            if (distance(search, last, search->near) <= search->farthest) return;
            continue;
        }
        int64_t shared = end_of_shared(search, there, from);
        if (shared > from.row) {
            from.row = shared - 1;
            continue;
        }
        double nearest = nearest_distance(search, there, from);
        if (nearest > search->farthest) search->farthest = nearest;
    }
}

static void search_all(Search *search, Volume here, Volume there) {
    int64_t count = here.first[search->slices * search->columns];
    search->has_near = 0;
    for (int64_t round = 0; round < STRIDE; round++) {
        for (int64_t k = round; k < count && search->looks <= search->most_looks; k += STRIDE) {
            Span span = here.spans[k];
            Voxel from = {span.column / search->columns, span.column % search->columns, span.begin};
            search_from(search, there, from, span.end);
        }
    }
}

/* More slices away than any voxel: there is no marked voxel in this row and column. */
enum { NOWHERE = 1 << 30 };

/* The squared distances to one voxel, or to the nearest one of a line, from all places of a line that
   crosses there. */
typedef struct {
    double height;
    int64_t place;
    int64_t begin; /* from here to the next parabola of an envelope this one is the lowest */
} Parabola;

typedef struct {
    int64_t slices, columns, rows;
    const double *scale;
    int32_t *steps;     /* for each voxel the slices to the nearest one in its row and column */
    double *plane;      /* of one slice, row after row: squared distances along slices and rows */
    uint8_t *wanted;    /* of one slice, row after row: whether the distance is wanted */
    Parabola *envelope; /* of one line */
} Transform;

static double value_at(Parabola parabola, int64_t place, double scale) {
    return parabola.height + square((double)(place - parabola.place) * scale);
}

/* Adds a parabola to an envelope whose parabolas are all further left (Meijster, Roerdink and
   Hesselink 2000); returns how many the envelope has then. */
static int64_t add_parabola(Parabola *envelope, int64_t count, Parabola added, int64_t length,
                            double scale) {
    while (count) {
        Parabola last = envelope[count - 1];
        if (value_at(added, last.begin, scale) > value_at(last, last.begin, scale)) break;
        count--;
    }
    added.begin = 0;
    if (count) {
        Parabola last = envelope[count - 1];
        double apart = 2 * square(scale) * (double)(added.place - last.place);
        double meeting = (double)(added.place + last.place) / 2;
        meeting += (added.height - last.height) / apart;
        if (meeting >= (double)(length - 1)) return count;
        added.begin = 1 + (meeting > (double)last.begin ? (int64_t)meeting : last.begin);
    }
    envelope[count] = added;
    return count + 1;
}

/* Counts the slices from each voxel to the nearest voxel of a volume, forward and back. */
static void count_steps(Transform *all, Volume there) {
    int64_t size = all->columns * all->rows;
    for (int64_t slice = 0; slice < all->slices; slice++) {
        int32_t *here = all->steps + slice * size;
        for (int64_t k = 0; k < size; k++) here[k] = slice ? here[k - size] + 1 : NOWHERE;
        int64_t number = slice * all->columns;
        for (int64_t k = there.first[number]; k < there.first[number + all->columns]; k++) {
            Span span = there.spans[k];
            int32_t *column = here + (span.column - number) * all->rows;
            for (int64_t row = span.begin; row < span.end; row++) column[row] = 0;
        }
    }
    for (int64_t slice = all->slices - 2; slice >= 0; slice--) {
        int32_t *here = all->steps + slice * size;
        for (int64_t k = 0; k < size; k++) {
            if (here[k + size] + 1 < here[k]) here[k] = here[k + size] + 1;
        }
    }
}

/* Fills the plane of a slice, row after row, with the squared distances to the nearest voxel in the
   same column. */
static void measure_columns(Transform *all, int64_t slice) {
    Parabola *envelope = all->envelope;
    for (int64_t column = 0; column < all->columns; column++) {
        const int32_t *steps = all->steps + (slice * all->columns + column) * all->rows;
        double *plane = all->plane + column;
        int64_t count = 0, at = 0;
        for (int64_t row = 0; row < all->rows; row++) {
            if (steps[row] >= NOWHERE) continue;
            Parabola added = {square((double)steps[row] * all->scale[0]), row, 0};
            count = add_parabola(envelope, count, added, all->rows, all->scale[2]);
        }
        for (int64_t row = 0; row < all->rows; row++, plane += all->columns) {
            at += at + 1 < count && envelope[at + 1].begin == row;
            *plane = count ? value_at(envelope[at], row, all->scale[2]) : INFINITY;
        }
    }
}

/* The farthest squared distance of the wanted voxels of one row, or the one known. */
static double measure_row(Transform *all, int64_t row, double farthest) {
    const double *plane = all->plane + row * all->columns;
    const uint8_t *wanted = all->wanted + row * all->columns;
    int64_t count = 0, at = 0, any = 0;
    for (int64_t column = 0; column < all->columns; column++) {
        any |= wanted[column] && plane[column] > farthest;
    }
    if (!any) return farthest;
    for (int64_t column = 0; column < all->columns; column++) {
        if (plane[column] == INFINITY) continue;
        Parabola added = {plane[column], column, 0};
        count = add_parabola(all->envelope, count, added, all->columns, all->scale[1]);
    }
    for (int64_t column = 0; column < all->columns; column++) {
        at += at + 1 < count && all->envelope[at + 1].begin == column;
        double apart = value_at(all->envelope[at], column, all->scale[1]);
        if (wanted[column] && apart > farthest) farthest = apart;
    }
    return farthest;
}

/* Marks the voxels of a slice that could be farther than the farthest known; returns whether there
   are any. */
static int mark_wanted(Transform *all, Volume here, int64_t slice, double farthest) {
    int64_t number = slice * all->columns;
    int any = 0;
    memset(all->wanted, 0, (size_t)(all->columns * all->rows));
    for (int64_t k = here.first[number]; k < here.first[number + all->columns]; k++) {
        Span span = here.spans[k];
        const int32_t *steps = all->steps + span.column * all->rows;
        for (int64_t row = span.begin; row < span.end; row++) {
            if (square((double)steps[row] * all->scale[0]) <= farthest) continue;
            all->wanted[row * all->columns + span.column - number] = 1;
            any = 1;
        }
    }
    return any;
}

/* The farthest squared distance from a voxel of one volume to the other volume, or the one known. */
static double transform(Transform *all, Volume here, Volume there, double farthest) {
    count_steps(all, there);
    for (int64_t slice = 0; slice < all->slices; slice++) {
        if (!mark_wanted(all, here, slice, farthest)) continue;
        measure_columns(all, slice);
        for (int64_t row = 0; row < all->rows; row++) farthest = measure_row(all, row, farthest);
    }
    return farthest;
}

/* The farthest squared distance by a transform, or the one known; -1 if there is too little memory.
 */
static double transform_all(Transform all, Volume one, Volume other, double farthest) {
    size_t area = (size_t)(all.columns * all.rows);
    size_t longest = (size_t)(all.columns > all.rows ? all.columns : all.rows);
    all.steps = malloc((size_t)all.slices * area * sizeof *all.steps);
    all.plane = malloc(area * sizeof *all.plane);
    all.wanted = malloc(area * sizeof *all.wanted);
    all.envelope = malloc(longest * sizeof *all.envelope);
    if (all.steps && all.plane && all.wanted && all.envelope) {
        farthest = transform(&all, one, other, farthest);
        farthest = transform(&all, other, one, farthest);
    } else {
        farthest = -1;
    }
    free(all.steps);
    free(all.plane);
    free(all.wanted);
    free(all.envelope);
    return farthest;
}

/* The Hausdorff distance of two volumes, neither of them empty, whose spans are within the shape:
   slices, columns and rows. After so many looks a transform takes over from the search. -1 if there
   is too little memory for that. */
double hausdorff_distance(const int64_t *shape, const double *scale, const int64_t *first,
                          const Span *spans, const int64_t *other_first, const Span *other_spans,
                          int64_t most_looks) {
    Volume one = {first, spans}, other = {other_first, other_spans};
    Search search = {.slices = shape[0], .columns = shape[1], .scale = scale};
    Transform all = {.slices = shape[0], .columns = shape[1], .rows = shape[2], .scale = scale};
    search.most_looks = most_looks;
    search_all(&search, one, other);
    search_all(&search, other, one);
    if (search.looks <= most_looks) return sqrt(search.farthest);
    double farthest = transform_all(all, one, other, search.farthest);
    return farthest < 0 ? farthest : sqrt(farthest);
}
