/* Volumes of slices as bits, drawn from their masks. */

#ifndef VOXELS_H
#define VOXELS_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "runs.h"

typedef struct {
    int64_t slices, width, height, words; /* words of 64 bits to a column */
} Grid;

/* One side: columns of bits, slice after slice. */
typedef struct {
    uint64_t *bits;
    uint8_t *is_marked;    /* for each column */
    int64_t *first, *last; /* the outermost columns of each slice that are marked */
    int64_t voxels;
    int64_t slices, columns, words; /* that there is room for */
} Volume;

typedef struct {
    int64_t slice, column, row;
} Voxel;

static int64_t mark_bits(uint64_t *column, int64_t begin, int64_t end) {
    int64_t added = 0;
    while (begin < end) {
        int64_t word = begin / 64, stop = at_most(end, 64 * (word + 1));
        uint64_t mask = (~(uint64_t)0 >> (64 - (stop - begin))) << (begin - 64 * word);
        added += column[word] & mask ? __builtin_popcountll(mask & ~column[word]) : stop - begin;
        column[word] |= mask;
        begin = stop;
    }
    return added;
}

static void mark_column(const Grid *grid, Volume *volume, Voxel from, int64_t end) {
    int64_t column = from.slice * grid->width + from.column;
    volume->voxels += mark_bits(volume->bits + column * grid->words, from.row, end);
    volume->is_marked[column] = 1;
}

static void widen(Volume *volume, int64_t slice, int64_t first, int64_t last) {
    if (first < volume->first[slice]) volume->first[slice] = first;
    if (last > volume->last[slice]) volume->last[slice] = last;
}

/* Draws a mask in as many volumes. Pixels are counted down the columns, and runs ascend. */
static void draw(const Grid *grid, Volume *volumes, int count, Text text, int64_t slice,
                 const int64_t *shape) {
    int64_t height = shape[1], size = shape[2] * height, column_start = 0, first = -1;
    Runs runs = runs_of(text, size, size);
    Voxel place = {slice, 0, 0};
    while (next_run(&runs) == FOUND) {
        for (int64_t start = runs.start; start < runs.end; start = column_start + height) {
            for (; start >= column_start + height; column_start += height) place.column++;
            place.row = start - column_start;
            if (first < 0) first = place.column;
            for (int k = 0; k < count; k++)
                mark_column(grid, volumes + k, place, at_most(runs.end - column_start, height));
        }
    }
    for (int k = 0; k < count && first >= 0; k++) widen(volumes + k, slice, first, place.column);
}

static void release(Volume *volume) {
    free(volume->bits);
    free(volume->is_marked);
    free(volume->first);
    free(volume->last);
    Volume nothing = {0};
    *volume = nothing;
}

/* An empty volume: one that was wiped if it is large enough. */
static int reserve(const Grid *grid, Volume *volume) {
    int64_t columns = grid->slices * grid->width;
    if (volume->bits && grid->slices <= volume->slices && columns <= volume->columns &&
        columns * grid->words <= volume->words)
        return 1;
    release(volume);
    volume->slices = grid->slices;
    volume->columns = columns;
    volume->words = columns * grid->words;
    volume->bits = calloc((size_t)volume->words + 1, sizeof *volume->bits);
    volume->is_marked = calloc((size_t)columns + 1, 1);
    volume->first = malloc(((size_t)grid->slices + 1) * sizeof *volume->first);
    volume->last = malloc(((size_t)grid->slices + 1) * sizeof *volume->last);
    if (!volume->bits || !volume->is_marked || !volume->first || !volume->last) return 0;
    for (int64_t slice = 0; slice < grid->slices; slice++) {
        volume->first[slice] = INT64_MAX;
        volume->last[slice] = -1;
    }
    return 1;
}

/* Unmarks what is marked, which is far less than there is. */
static void wipe(const Grid *grid, Volume *volume) {
    for (int64_t slice = 0; slice < grid->slices; slice++) {
        if (volume->last[slice] < 0) continue;
        int64_t column = slice * grid->width + volume->first[slice];
        size_t columns = (size_t)(volume->last[slice] - volume->first[slice] + 1);
        memset(volume->is_marked + column, 0, columns);
        memset(volume->bits + column * grid->words, 0,
               columns * (size_t)grid->words * sizeof *volume->bits);
        volume->first[slice] = INT64_MAX;
        volume->last[slice] = -1;
    }
    volume->voxels = 0;
}

/* Steps from a row to the next bit in a column that has one. */
static int64_t nearest_bit(const uint64_t *column, int64_t words, int64_t row) {
    int64_t word = row / 64, place = row % 64, below = INT64_MAX, above = INT64_MAX;
    uint64_t bits = column[word] >> place;
    if (bits) {
        below = __builtin_ctzll(bits);
    } else {
        for (int64_t next = word + 1; next < words; next++) {
            if (column[next]) {
                below = 64 * (next - word) - place + __builtin_ctzll(column[next]);
                break;
            }
        }
    }
    bits = column[word] << (63 - place);
    if (bits) {
        above = __builtin_clzll(bits);
    } else {
        for (int64_t next = word - 1; next >= 0; next--) {
            if (column[next]) {
                above = 64 * (word - next) - 63 + place + __builtin_clzll(column[next]);
                break;
            }
        }
    }
    return at_most(below, above);
}

#endif
