/* How far two volumes of slices lie apart: their masks are drawn as bits, and the Hausdorff
   distance is found by asking for each voxel of one what lies near in the other. */

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "voxels.h"

enum { CLOSE_BY = 6 };

/* What has been found so far. */
typedef struct {
    const double *scale; /* what a step measures: to the next slice, row and column */
    double farthest;     /* squared, from either side to the other */
    Voxel near;          /* where a search ended last: what is close by ends there, too */
    int64_t looks, most_looks;
} Search;

static double square(double value) {
    return value * value;
}

/* ---- searching ---- */

static double distance(const Search *search, Voxel first, Voxel second) {
    return square((double)(first.slice - second.slice) * search->scale[0]) +
           square((double)(first.row - second.row) * search->scale[1]) +
           square((double)(first.column - second.column) * search->scale[2]);
}

static void look(const Grid *grid, const Volume *there, Voxel from, Voxel column, double *nearest,
                 Search *search) {
    int64_t number = column.slice * grid->width + column.column;
    search->looks++;
    if (!there->is_marked[number]) return;
    const uint64_t *bits = there->bits + number * grid->words;
    int64_t steps = nearest_bit(bits, grid->words, from.row);
    column.row = from.row + steps;
    if (column.row >= grid->height || !(bits[column.row / 64] >> column.row % 64 & 1))
        column.row = from.row - steps;
    double found = distance(search, from, column);
    if (found < *nearest) {
        *nearest = found;
        search->near = column;
    }
}

/* Columns of a slice from the nearest on, as long as one could be nearer than what is known. */
static void look_in_slice(const Grid *grid, const Volume *there, Voxel from, int64_t slice,
                          double *nearest, Search *search) {
    int64_t first = there->first[slice], last = there->last[slice], middle = from.column;
    if (last < 0) return;
    double apart = square((double)(slice - from.slice) * search->scale[0]);
    int64_t step = middle < first ? first - middle : middle > last ? middle - last : 0;
    for (; middle - step >= first || middle + step <= last; step++) {
        if (apart + square((double)step * search->scale[2]) >= *nearest) return;
        if (middle - step >= first && middle - step <= last) {
            Voxel column = {slice, middle - step, 0};
            look(grid, there, from, column, nearest, search);
        }
        if (step && middle + step <= last && middle + step >= first) {
            Voxel column = {slice, middle + step, 0};
            look(grid, there, from, column, nearest, search);
        }
        if (*nearest <= search->farthest) return;
    }
}

/* Whether a voxel that is not farther than the farthest lies in the same place of a slice close by:
   mostly there is one, and then nothing must be searched. */
static int has_neighbour(const Grid *grid, const Volume *there, Voxel from, Search *search) {
    double nearest = INFINITY;
    for (int64_t step = 0; step <= CLOSE_BY; step++) {
        if (square((double)step * search->scale[0]) > search->farthest) return 0;
        for (int64_t side = -1; side <= (step ? 1 : -1); side += 2) {
            Voxel column = {from.slice + side * step, from.column, 0};
            if (column.slice < 0 || column.slice >= grid->slices) continue;
            look(grid, there, from, column, &nearest, search);
            if (nearest <= search->farthest) return 1;
        }
    }
    return 0;
}

/* How far the nearest voxel lies; not followed to the end if it is no farther than the farthest. */
static double nearest_voxel(const Grid *grid, const Volume *there, Voxel from, Search *search) {
    double nearest = INFINITY;
    if (has_neighbour(grid, there, from, search)) return search->farthest;
    for (int64_t step = 0; step < grid->slices; step++) {
        if (square((double)step * search->scale[0]) >= nearest) break;
        if (from.slice - step >= 0)
            look_in_slice(grid, there, from, from.slice - step, &nearest, search);
        if (step && nearest > search->farthest && from.slice + step < grid->slices)
            look_in_slice(grid, there, from, from.slice + step, &nearest, search);
        if (nearest <= search->farthest) break;
    }
    return nearest;
}

/* Voxels from one row to another, all of this side only. */
static void search_from(const Grid *grid, const Volume *there, Voxel from, int64_t last,
                        Search *search) {
    Voxel end = from;
    end.row = last;
    for (; from.row <= last; from.row++) {
        if (distance(search, from, search->near) <= search->farthest) {
            /* A voxel that is near to both ends is near to all between. */
            if (distance(search, end, search->near) <= search->farthest) return;
            continue;
        }
        double nearest = nearest_voxel(grid, there, from, search);
        if (nearest > search->farthest) search->farthest = nearest;
    }
}

static void search_column(const Grid *grid, const Volume *here, const Volume *there, int64_t column,
                          Search *search) {
    Voxel from = {column / grid->width, column % grid->width, 0};
    for (int64_t word = 0; word < grid->words; word++) {
        int64_t number = column * grid->words + word;
        uint64_t only_here = here->bits[number] & ~there->bits[number];
        while (only_here) {
            int first = __builtin_ctzll(only_here);
            uint64_t rest = ~(only_here >> first);
            int length = rest ? __builtin_ctzll(rest) : 64;
            from.row = 64 * word + first;
            search_from(grid, there, from, from.row + length - 1, search);
            only_here &= first + length < 64 ? ~(uint64_t)0 << (first + length) : 0;
        }
    }
}

/* Every so many columns; gives whether the search came to its end. */
static int search_some(const Grid *grid, const Volume *here, const Volume *there, int64_t stride,
                       Search *search) {
    for (int64_t slice = 0; slice < grid->slices; slice++) {
        if (here->last[slice] < 0) continue;
        int64_t last = slice * grid->width + here->last[slice];
        int64_t first = slice * grid->width + here->first[slice] + stride - 1;
        for (int64_t column = first / stride * stride; column <= last; column += stride) {
            if (here->is_marked[column]) search_column(grid, here, there, column, search);
            if (search->looks > search->most_looks) return 0;
        }
    }
    return 1;
}

/* ---- measuring: what a search turns to that would take too long ---- */

/* Squared distances in one plane of equal rows, and room to spread them along a line. */
typedef struct {
    double *plane;
    double *heights, *from;
    int64_t *seeds;
} Room;

/* Each value becomes the least of all values of its line, plus their squared distances: the
   lower envelope of parabolas. */
static void spread(double *values, int64_t count, int64_t stride, double scale, Room *room) {
    int64_t kept = 0;
    for (int64_t place = 0; place < count; place++) {
        double height = values[place * stride], border = -INFINITY;
        if (height == INFINITY) continue;
        for (; kept > 0; kept--) {
            int64_t seed = room->seeds[kept - 1];
            double rise = (height - room->heights[kept - 1]) / square(scale);
            border = (rise / (double)(place - seed) + (double)(place + seed)) / 2;
            if (border > room->from[kept - 1]) break;
        }
        room->seeds[kept] = place;
        room->heights[kept] = height;
        room->from[kept] = kept ? border : -INFINITY;
        kept++;
    }
    for (int64_t place = 0, seed = 0; kept > 0 && place < count; place++) {
        while (seed + 1 < kept && room->from[seed + 1] < (double)place) seed++;
        double steps = (double)(place - room->seeds[seed]);
        values[place * stride] = room->heights[seed] + square(steps * scale);
    }
}

static void measure_plane(const Grid *grid, const Volume *there, int64_t row, Room *room,
                          const double *scale) {
    for (int64_t column = 0; column < grid->slices * grid->width; column++) {
        const uint64_t *bits = there->bits + column * grid->words;
        room->plane[column] = there->is_marked[column]
                                  ? square((double)nearest_bit(bits, grid->words, row) * scale[1])
                                  : INFINITY;
    }
    for (int64_t slice = 0; slice < grid->slices; slice++)
        spread(room->plane + slice * grid->width, grid->width, 1, scale[2], room);
    for (int64_t column = 0; column < grid->width; column++)
        spread(room->plane + column, grid->slices, grid->width, scale[0], room);
}

static void measure_all(const Grid *grid, const Volume *here, const Volume *there, Room *room,
                        Search *search) {
    int64_t columns = grid->slices * grid->width;
    for (int64_t row = 0; row < grid->height; row++) {
        int is_measured = 0;
        for (int64_t column = 0; column < columns; column++) {
            int64_t word = column * grid->words + row / 64;
            if (!((here->bits[word] & ~there->bits[word]) >> row % 64 & 1)) continue;
            if (!is_measured) measure_plane(grid, there, row, room, search->scale);
            is_measured = 1;
            if (room->plane[column] > search->farthest) search->farthest = room->plane[column];
        }
    }
}

static int measure_both(const Grid *grid, const Volume *volumes, Search *search) {
    size_t columns = (size_t)(grid->slices * grid->width);
    size_t longest = (size_t)(grid->slices > grid->width ? grid->slices : grid->width);
    Room room = {malloc(columns * sizeof(double)), malloc(longest * sizeof(double)),
                 malloc(longest * sizeof(double)), malloc(longest * sizeof(int64_t))};
    int has_room = room.plane && room.heights && room.from && room.seeds;
    if (has_room) {
        measure_all(grid, &volumes[0], &volumes[1], &room, search);
        measure_all(grid, &volumes[1], &volumes[0], &room, search);
    }
    free(room.plane);
    free(room.heights);
    free(room.from);
    free(room.seeds);
    return has_room;
}

/* ---- the kernel ---- */

static const double NOTHING_MARKED = -1, NO_MEMORY = -2;

/* First rounds through some columns find out quickly what is far: then most of the others need
   no search to its end. */
static int search_both(const Grid *grid, const Volume *volumes, Search *search) {
    static const int64_t strides[] = {97, 11, 1};
    for (int round = 0; round < 3; round++) {
        for (int side = 0; side < 2; side++) {
            Voxel nowhere = {INT32_MIN, INT32_MIN, INT32_MIN};
            search->near = nowhere;
            if (!search_some(grid, &volumes[side], &volumes[1 - side], strides[round], search))
                return 0;
        }
    }
    return 1;
}

static double farthest(const Grid *grid, const Volume *volumes, const double *scale,
                       int64_t most_looks) {
    Search search = {.scale = scale, .most_looks = most_looks};
    if (!search_both(grid, volumes, &search) && !measure_both(grid, volumes, &search))
        return NO_MEMORY;
    return sqrt(search.farthest);
}

static int64_t larger(int64_t first, int64_t second) {
    return first > second ? first : second;
}

/* All volumes of one side: their masks one after another, the slice that each belongs to, and
   slices, height and width of each volume. */
typedef struct {
    Cells masks;
    const int64_t *slices, *first_mask, (*shapes)[3];
} Scans;

static int is_same(Text first, Text second) {
    int64_t length = first.end - first.place;
    return length == second.end - second.place &&
           !memcmp(first.place, second.place, (size_t)length);
}

/* Draws a pair of volumes; masks that are the same in both are read once. */
static void draw_both(const Grid *grid, const Scans *sides, int64_t number, Volume *volumes) {
    int64_t masks[2], ends[2];
    const int64_t *shapes[2];
    for (int side = 0; side < 2; side++) {
        masks[side] = sides[side].first_mask[number];
        ends[side] = sides[side].first_mask[number + 1];
        shapes[side] = sides[side].shapes[number];
    }
    int is_alike = !memcmp(shapes[0], shapes[1], sizeof *sides->shapes);
    while (masks[0] < ends[0] || masks[1] < ends[1]) {
        Text texts[2];
        int64_t slices[2] = {-1, -2};
        for (int side = 0; side < 2; side++) {
            if (masks[side] == ends[side]) continue;
            texts[side] = cell_text(&sides[side].masks, masks[side]);
            slices[side] = sides[side].slices[masks[side]++];
        }
        if (is_alike && slices[0] == slices[1] && is_same(texts[0], texts[1])) {
            draw(grid, volumes, 2, texts[0], slices[0], shapes[0]);
            continue;
        }
        for (int side = 0; side < 2; side++) {
            if (slices[side] >= 0)
                draw(grid, volumes + side, 1, texts[side], slices[side], shapes[side]);
        }
    }
}

static double distance_of(const Scans *sides, int64_t number, Volume *volumes, double far_too_much,
                          int64_t looks_per_voxel) {
    const int64_t *true_shape = sides[0].shapes[number], *shape = sides[1].shapes[number];
    Grid grid = {larger(true_shape[0], shape[0]), larger(true_shape[2], shape[2]),
                 larger(true_shape[1], shape[1]), 0};
    grid.words = (grid.height + 63) / 64;
    if (!reserve(&grid, &volumes[0]) || !reserve(&grid, &volumes[1])) return NO_MEMORY;
    draw_both(&grid, sides, number, volumes);
    double voxels = (double)volumes[0].voxels, predicted = (double)volumes[1].voxels, result;
    if (!voxels && !predicted)
        result = NOTHING_MARKED;
    else if (!voxels || !predicted || predicted > far_too_much * voxels)
        result = INFINITY;
    else {
        double scale[3];
        for (int axis = 0; axis < 3; axis++) scale[axis] = 1 / (double)true_shape[axis];
        result = farthest(&grid, volumes, scale,
                          looks_per_voxel * grid.slices * grid.width * grid.height);
    }
    for (int side = 0; side < 2; side++) wipe(&grid, &volumes[side]);
    return result;
}

/* The Hausdorff distance of each pair of volumes, every axis in shares of the true shape; infinite
   where one is empty or the second marks far too much, -1 where both are empty. Gives 0, or -1
   without memory.

   A pair that would take more looks at columns of voxels is measured in another way. */
int64_t volume_distances(int64_t count, const uint8_t *const *true_begins,
                         const int64_t *true_lengths, const int64_t *true_slices,
                         const int64_t *true_first_mask, const int64_t (*true_shapes)[3],
                         const uint8_t *const *begins, const int64_t *lengths,
                         const int64_t *slices, const int64_t *first_mask,
                         const int64_t (*shapes)[3], double far_too_much, int64_t looks_per_voxel,
                         double *distances) {
    Scans sides[] = {{{true_begins, true_lengths}, true_slices, true_first_mask, true_shapes},
                     {{begins, lengths}, slices, first_mask, shapes}};
    Volume volumes[2] = {{0}, {0}};
    int64_t number = 0;
    for (; number < count; number++) {
        distances[number] = distance_of(sides, number, volumes, far_too_much, looks_per_voxel);
        if (distances[number] == NO_MEMORY) break;
    }
    release(&volumes[0]);
    release(&volumes[1]);
    return number == count ? 0 : -1;
}
