/* Signs in 64 bytes at a time, a bit for each. */

#ifndef SIGNS_H
#define SIGNS_H

#include <stdint.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* The bytes that are this letter. */
static inline uint64_t bits_of(const uint8_t *data, uint8_t letter) {
    uint64_t bits = 0;
#ifdef __SSE2__
    __m128i wanted = _mm_set1_epi8((char)letter);
    for (int quarter = 3; quarter >= 0; quarter--) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)(data + 16 * quarter));
        bits = bits << 16 | (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, wanted));
    }
#else
    for (int place = 63; place >= 0; place--) bits = bits << 1 | (data[place] == letter);
#endif
    return bits;
}

/* For each bit whether it and those below it are odd in number. */
static inline uint64_t parity_up_to(uint64_t bits) {
    for (int step = 1; step < 64; step *= 2) bits ^= bits << step;
    return bits;
}

/* What was before these bytes. */
typedef struct {
    uint64_t is_open;  /* all bits set inside quotes, else none */
    uint64_t may_open; /* whether a quote may follow the last byte */
    uint64_t is_quote; /* whether that is one itself */
} Quoting;

typedef struct {
    uint64_t commas, newlines, quotes;
    uint64_t is_inside; /* of quotes, with those that open */
    uint64_t unled;     /* quotes that follow neither a separator nor a quote */
    uint64_t twins;     /* quotes that follow a quote */
} Signs;

static inline Signs signs_in(const uint8_t *data, Quoting *state) {
    uint64_t quotes = bits_of(data, '"'), newlines = bits_of(data, '\n');
    uint64_t commas = bits_of(data, ','), before = quotes | newlines | commas;
    Signs signs = {commas, newlines, quotes, 0, 0, 0};
    signs.is_inside = parity_up_to(quotes) ^ state->is_open;
    signs.unled = quotes & ~(before << 1 | state->may_open);
    signs.twins = quotes & (quotes << 1 | state->is_quote);
    state->is_open = 0 - (signs.is_inside >> 63);
    state->may_open = before >> 63;
    state->is_quote = quotes >> 63;
    return signs;
}

#endif
