/* The shape of a CSV: what stands in its bytes, and how many lines and fields they make. */

#include <string.h>

#include "signs.h"

enum { BLOCK = 255 * 64 };

typedef struct {
    int64_t newlines, commas; /* outside quotes */
    int64_t quotes;
    int64_t stray; /* quotes that open inside a field */
    int64_t all_newlines;
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

/* A separator counts only outside quotes. */
static void walk_64(const uint8_t *data, Quoting *state, Shape *shape) {
    Signs signs = signs_in(data, state);
    shape->stray += __builtin_popcountll(signs.stray);
    shape->quotes += __builtin_popcountll(signs.quotes);
    shape->newlines += __builtin_popcountll(signs.newlines);
    shape->commas += __builtin_popcountll(signs.commas);
}

static void walk_block(const uint8_t *data, int64_t begin, int64_t end, Shape *shape) {
    Quoting state = {0 - (uint64_t)(shape->quotes % 2), 1};
    if (begin) {
        uint8_t last = data[begin - 1];
        state.may_open = last == '"' || last == ',' || last == '\n';
    }
    for (; end - begin >= 64; begin += 64) walk_64(data + begin, &state, shape);
    if (begin < end) {
        uint8_t rest[64];
        memset(rest, ' ', sizeof rest);
        memcpy(rest, data + begin, (size_t)(end - begin));
        walk_64(rest, &state, shape);
    }
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

void csv_shape(const uint8_t *data, int64_t size, Shape *shape) {
    memset(shape, 0, sizeof *shape);
    int64_t end;
    for (int64_t begin = 0; begin < size; begin = end) {
        Tally tally = tally_from(data, begin, size, &end);
        shape->all_newlines += (int64_t)tally.newlines;
        shape->has_nul |= tally.has_nul;
        shape->has_return |= tally.has_return;
        shape->has_high |= tally.high != 0;
        if (tally.quotes) {
            walk_block(data, begin, end, shape);
        } else if (shape->quotes % 2 == 0) {
            shape->newlines += (int64_t)tally.newlines;
            shape->commas += (int64_t)tally.commas;
        }
    }
}
