/* The Hausdorff distance between two volumes of voxels: the farthest that a voxel of either one is
   from the nearest voxel of the other.

   A volume consists of slices, a slice of columns, and in each column there are spans of marked
   rows. The nearest voxel is searched in the columns around a voxel. Most searches end early: as
   soon as anything is found that is no farther than the farthest distance known, this voxel cannot
   change the result. */

#include <math.h>
#include <stdint.h>

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
static int64_t end_of_shared(const Search *search, Volume there, Voxel from) {
    int64_t number = from.slice * search->columns + from.column, row = from.row;
    for (int64_t k = there.first[number]; k < there.first[number + 1]; k++) {
        if (there.spans[k].begin <= row && row < there.spans[k].end) row = there.spans[k].end;
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

/* The Hausdorff distance of two volumes, neither of them empty, with the same slices and columns;
   or -1 if that would take more looks. */
double hausdorff_distance(int64_t slices, int64_t columns, const double *scale,
                          const int64_t *first, const Span *spans, const int64_t *other_first,
                          const Span *other_spans, int64_t most_looks) {
    Search search = {.slices = slices, .columns = columns, .scale = scale};
    Volume one = {first, spans}, other = {other_first, other_spans};
    search.most_looks = most_looks;
    search_all(&search, one, other);
    search_all(&search, other, one);
    return search.looks > most_looks ? -1 : sqrt(search.farthest);
}
