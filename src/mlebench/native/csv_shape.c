/* The shape of a CSV: what stands in its bytes, and how many lines and fields they make. */

#include <stdint.h>
#include <string.h>

enum { BLOCK = 255 * 64 };

typedef struct {
    int64_t newlines, commas; /* outside quotes */
    int64_t quotes;
    int64_t stray;            /* quotes that open inside a field */
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

static int may_precede_quote(uint8_t letter) {
    return letter == '"' || letter == ',' || letter == '\n';
}

/* Letter by letter: a separator counts only outside quotes. */
static void walk_block(const uint8_t *data, int64_t begin, int64_t end, Shape *shape) {
    for (int64_t place = begin; place < end; place++) {
        uint8_t letter = data[place];
        int is_outside = shape->quotes % 2 == 0;
        if (letter == '"') {
            shape->stray += is_outside && place && !may_precede_quote(data[place - 1]);
            shape->quotes++;
        } else if (is_outside) {
            shape->newlines += letter == '\n';
            shape->commas += letter == ',';
        }
    }
}

void csv_shape(const uint8_t *data, int64_t size, Shape *shape) {
    memset(shape, 0, sizeof *shape);
    for (int64_t begin = 0; begin < size; begin += BLOCK) {
        int64_t end = size - begin > BLOCK ? begin + BLOCK : size;
        Tally tally = {0};
        tally_block(data + begin, end - begin, &tally);
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
