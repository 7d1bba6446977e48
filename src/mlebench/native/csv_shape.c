/* The shape of a CSV: what stands in its bytes, and how many lines and fields they make. */

#include <string.h>

#include "signs.h"

enum { BLOCK = 255 * 64 };

typedef struct {
    int64_t newlines, commas; /* outside quotes, if the bytes begin there */
    int64_t quotes;
    int64_t stray,
        stray_if_open; /* whether a quote opens inside a field, the bytes beginning outside
                                     or inside quotes */
    int64_t all_newlines, all_commas;
    int64_t has_nul, has_return, has_high;
} Shape;

typedef struct {
    uint64_t newlines, commas, quotes;
    uint8_t has_nul, has_return, high;
} Tally;

/* Few enough additions at a time for counters of one byte: that is what makes this loop fast. */
static void tally_lanes(const uint8_t *data, int64_t rounds, Tally *tally) {
    uint8_t newlines[64] = {0}, commas[64] = {0}, quotes[64] = {0};
    uint8_t nul[64] = {0}, carriage[64] = {0}, high[64] = {0};
    for (int64_t round = 0; round < rounds; round++) {
        for (int lane = 0; lane < 64; lane++) {
            uint8_t letter = data[64 * round + lane];
            newlines[lane] += letter == '\n';
            commas[lane] += letter == ',';
            quotes[lane] += letter == '"';
            nul[lane] |= letter == 0;
            carriage[lane] |= letter == '\r';
            high[lane] |= letter & 0x80;
        }
    }
    for (int lane = 0; lane < 64; lane++) {
        tally->newlines += newlines[lane];
        tally->commas += commas[lane];
        tally->quotes += quotes[lane];
        tally->has_nul |= nul[lane];
        tally->has_return |= carriage[lane];
        tally->high |= high[lane];
    }
}

static void tally_block(const uint8_t *data, int64_t size, Tally *tally) {
    int64_t rounds = size / 64;
    tally_lanes(data, rounds, tally);
    if (size % 64) {
        uint8_t rest[64];
        memset(rest, ' ', sizeof rest);
        memcpy(rest, data + 64 * rounds, (size_t)(size % 64));
        tally_lanes(rest, 1, tally);
    }
}

/* Few separators stand inside quotes. */
static int64_t count_few(uint64_t bits) {
    int64_t count = 0;
    for (; bits; bits &= bits - 1) count++;
    return count;
}

/* The next 64 bytes, or those that are left and blanks. */
static const uint8_t *next_64(const uint8_t *data, int64_t begin, int64_t end, uint8_t *rest) {
    if (end - begin >= 64) return data + begin;
    memset(rest, ' ', 64);
    memcpy(rest, data + begin, (size_t)(end - begin));
    return rest;
}

/* Takes the separators inside quotes away from the counts. */
static void walk_64(const uint8_t *data, Quoting *state, Shape *shape) {
    Signs signs = signs_in(data, state);
    shape->stray |= (signs.unled & signs.is_inside) != 0;
    shape->stray_if_open |= (signs.unled & ~signs.is_inside) != 0;
    shape->newlines -= count_few(signs.newlines & signs.is_inside);
    shape->commas -= count_few(signs.commas & signs.is_inside);
}

static void walk_block(const uint8_t *data, int64_t begin, int64_t end, int is_open, Shape *shape) {
    uint8_t last = begin ? data[begin - 1] : '\n';
    Quoting state = {0 - (uint64_t)is_open, last == '"' || last == ',' || last == '\n',
                     last == '"'};
    uint8_t rest[64];
    for (; begin < end; begin += 64) walk_64(next_64(data, begin, end, rest), &state, shape);
}

/* Behind the first line end from a place on, where quotes may be open; else behind all bytes. */
int64_t line_end(const uint8_t *data, int64_t begin, int64_t end, int64_t is_open) {
    Quoting state = {0 - (uint64_t)is_open, 1, 0};
    uint8_t rest[64];
    for (; begin < end; begin += 64) {
        Signs signs = signs_in(next_64(data, begin, end, rest), &state);
        uint64_t ends = signs.newlines & ~signs.is_inside;
        if (ends) return begin + __builtin_ctzll(ends) + 1;
    }
    return end;
}

static Tally tally_from(const uint8_t *data, int64_t begin, int64_t size, int64_t *end) {
    Tally tally = {0};
    *end = size - begin > BLOCK ? begin + BLOCK : size;
    tally_block(data + begin, *end - begin, &tally);
    return tally;
}

int64_t count_newlines(const uint8_t *data, int64_t size) {
    int64_t newlines = 0;
    for (int64_t begin = 0; begin < size;) {
        Tally tally = tally_from(data, begin, size, &begin);
        newlines += (int64_t)tally.newlines;
    }
    return newlines;
}

/* Of the bytes from one place to another. */
void csv_shape(const uint8_t *data, int64_t begin, int64_t size, Shape *shape) {
    memset(shape, 0, sizeof *shape);
    int64_t end;
    for (; begin < size; begin = end) {
        Tally tally = tally_from(data, begin, size, &end);
        int is_open = shape->quotes % 2;
        shape->all_newlines += (int64_t)tally.newlines;
        shape->all_commas += (int64_t)tally.commas;
        shape->has_nul |= tally.has_nul;
        shape->has_return |= tally.has_return;
        shape->has_high |= tally.high != 0;
        shape->quotes += (int64_t)tally.quotes;
        if (tally.quotes || !is_open) {
            shape->newlines += (int64_t)tally.newlines;
            shape->commas += (int64_t)tally.commas;
        }
        if (tally.quotes) walk_block(data, begin, end, is_open, shape);
    }
}
