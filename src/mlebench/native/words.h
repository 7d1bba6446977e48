/* Words in the cells of a column, found where they stand. */

#ifndef WORDS_H
#define WORDS_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "eight bytes are read as one number, whose lowest part is the first of them"
#endif

/* A stretch of text: a cell or what is left of it. */
typedef struct {
    const uint8_t *at;
    int64_t size;
    const uint8_t *limit; /* so far memory may be read, though what stands there is no part of it */
} Text;

/* The texts of some rows; text k reaches from ends[k] to ends[k + 1]. */
typedef struct {
    int64_t rows;
    const uint8_t *data;
    const int64_t *ends;
} Column;

typedef struct {
    const uint8_t *at;
    int64_t size;
    uint64_t start; /* the first eight bytes as one number, with zeros behind a shorter word */
} Word;

static inline Text cell(Column column, int64_t row) {
    const uint8_t *at = column.data + column.ends[row];
    return (Text){at, column.ends[row + 1] - column.ends[row],
                  column.data + column.ends[column.rows]};
}

static inline int is_same(Text one, Text other) {
    return one.size == other.size && memcmp(one.at, other.at, (size_t)one.size) == 0;
}

static inline void skip(Text *text, int64_t size) {
    text->at += size;
    text->size -= size;
}

/* The first bytes of a number, zeros for the others. */
static inline uint64_t cut(uint64_t bytes, int64_t size) {
    return size >= 8 ? bytes : bytes & (((uint64_t)1 << 8 * size) - 1);
}

/* Eight bytes of a text as one number, with zeros behind its end. */
static inline uint64_t eight_bytes(Text text, int64_t place) {
    uint64_t bytes = 0;
    int64_t readable = text.limit - text.at - place;
    if (readable >= 8) {
        memcpy(&bytes, text.at + place, 8);
    } else {
        memcpy(&bytes, text.at + place, (size_t)readable);
    }
    return cut(bytes, text.size - place);
}

#define IN_ALL_BYTES(byte) ((byte) * (uint64_t)0x0101010101010101)

/* The highest bit of the first byte that is zero; bits behind it mean nothing. */
static inline uint64_t zero_byte(uint64_t bytes) {
    return (bytes - IN_ALL_BYTES(1)) & ~bytes & IN_ALL_BYTES(0x80);
}

/* The highest bit of every byte that is this one; other bits mean nothing. */
static inline uint64_t equal_bytes(uint64_t bytes, uint8_t byte) {
    bytes ^= IN_ALL_BYTES(byte);
    return ~(((bytes & IN_ALL_BYTES(0x7f)) + IN_ALL_BYTES(0x7f)) | bytes);
}

/* How many bytes the white space takes that a text begins with, of any kind that Python knows. */
static inline int64_t size_of_space(Text text) {
    const uint64_t ascii = 0x1f0003e00; /* 9 to 13 and 28 to 32 */
    const uint8_t *at = text.at;
    if (at[0] < 0xc2) {
        return at[0] <= ' ' ? ascii >> at[0] & 1 : 0;
    }
    if (at[0] == 0xc2) {
        return text.size > 1 && (at[1] == 0x85 || at[1] == 0xa0) ? 2 : 0;
    }
    if (at[0] > 0xe3 || text.size < 3) {
        return 0;
    }
    uint32_t three = (uint32_t)at[0] << 16 | (uint32_t)at[1] << 8 | at[2];
    int is_space = three == 0xe19a80 || (three >= 0xe28080 && three <= 0xe2808a) ||
                   three == 0xe280a8 || three == 0xe280a9 || three == 0xe280af ||
                   three == 0xe2819f || three == 0xe38080;
    return is_space ? 3 : 0;
}

/* Where blanks are among 64 bytes, as bits; and whether there is anything but characters of ASCII. */
static inline uint64_t blanks_in(const uint8_t *bytes, int *is_odd) {
    uint64_t blanks = 0;
#ifdef __SSE2__
    __m128i blank = _mm_set1_epi8(' '), odd = _mm_setzero_si128();
    for (int part = 48; part >= 0; part -= 16) {
        __m128i some = _mm_loadu_si128((const __m128i *)(bytes + part));
        blanks = blanks << 16 | (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(some, blank));
        odd = _mm_or_si128(odd, _mm_cmplt_epi8(some, blank));
    }
    *is_odd = _mm_movemask_epi8(odd) != 0;
#else
    *is_odd = 0;
    for (int place = 63; place >= 0; place--) {
        blanks = blanks << 1 | (bytes[place] == ' ');
        *is_odd |= (int8_t)bytes[place] < ' ';
    }
#endif
    return blanks;
}

/* Whether white space beyond ASCII may begin with this byte, and among eight bytes. */
static inline int may_begin_space(uint8_t byte) {
    return byte == 0xc2 || (byte >= 0xe1 && byte <= 0xe3);
}

static inline int may_have_wide_space(uint64_t bytes) {
    return (zero_byte(bytes ^ IN_ALL_BYTES(0xc2)) | zero_byte(bytes ^ IN_ALL_BYTES(0xe1)) |
            zero_byte((bytes | IN_ALL_BYTES(1)) ^ IN_ALL_BYTES(0xe3))) != 0;
}

/* Where white space of any kind is in a window of 64 bytes, as bits. */
static uint64_t any_spaces_in(Text text, int64_t window) {
    uint64_t spaces = 0;
    int64_t end = text.size - window < 64 ? text.size : window + 64;
    /* A character that begins before the window may reach into it. */
    for (int64_t place = window < 2 ? 0 : window - 2; place < end; place++) {
        int64_t size = size_of_space((Text){text.at + place, text.size - place, text.limit});
        uint64_t bits = ((uint64_t)1 << size) - 1;
        spaces |= place < window ? bits >> (window - place) : bits << (place - window);
    }
    return spaces;
}

/* Whether some of 64 bytes, which begin with a window of a text, may be white space but no blank. */
static int may_have_others(const uint8_t *bytes, Text text, int64_t window) {
    int may_have = window > 0 &&
                   (may_begin_space(text.at[window - 1]) || may_begin_space(text.at[window - 2]));
    for (int lane = 0; lane < 64; lane += 8) {
        uint64_t some;
        memcpy(&some, bytes + lane, 8);
        uint64_t control = (some - IN_ALL_BYTES(' ')) & ~some & IN_ALL_BYTES(0x80);
        may_have |= control != 0 || may_have_wide_space(some);
    }
    return may_have;
}

/* The same, fast where there are only blanks; whatever stands behind the end counts as a space. */
static inline uint64_t spaces_in(Text text, int64_t window) {
    int64_t readable = text.limit - text.at - window, size = text.size - window;
    const uint8_t *bytes = text.at + window;
    uint8_t last[64];
    if (readable < 64) {
        memset(last, ' ', sizeof last);
        memcpy(last, bytes, (size_t)readable);
        bytes = last;
    }
    int is_odd;
    uint64_t spaces = blanks_in(bytes, &is_odd);
    if (is_odd && may_have_others(bytes, text, window)) {
        spaces = any_spaces_in(text, window);
    }
    return size < 64 ? spaces | ~(uint64_t)0 << size : spaces;
}

/* The words of a text, as str.split() finds them. */
typedef struct {
    Text text;
    int64_t window;        /* where the bytes begin that the bits stand for */
    uint64_t edges;        /* where words begin and end, as far as they are not taken yet */
    uint64_t space_before; /* whether white space stands before the window */
} Words;

static inline uint64_t open_window(Words *words, int64_t window) {
    uint64_t spaces = spaces_in(words->text, window);
    words->window = window;
    words->edges = spaces ^ (spaces << 1 | words->space_before);
    words->space_before = spaces >> 63;
    return spaces;
}

static inline Words words_of(Text text) {
    return (Words){text, -64, 0, 1};
}

static inline int64_t next_edge(Words *words) {
    while (!words->edges) {
        if (words->window + 64 >= words->text.size) {
            return words->text.size;
        }
        open_window(words, words->window + 64);
    }
    int64_t place = words->window + __builtin_ctzll(words->edges);
    words->edges &= words->edges - 1;
    return place;
}

static inline int next_word(Words *words, Word *word) {
    int64_t begin = next_edge(words);
    if (begin >= words->text.size) {
        return 0;
    }
    Text rest = words->text;
    skip(&rest, begin);
    rest.size = next_edge(words) - begin;
    *word = (Word){rest.at, rest.size, eight_bytes(rest, 0)};
    return 1;
}

static inline int64_t count_words(Text text) {
    Words words = words_of(text);
    int64_t count = 0;
    for (int64_t window = 0; window < text.size; window += 64) {
        uint64_t spaces = open_window(&words, window);
        count += __builtin_popcountll(words.edges & ~spaces);
    }
    return count;
}

/* Take off the next piece of a text that is cut at every single blank, as str.split(" ") does:
there is always one, and pieces may be empty. Behind the last one the size is −1. */
static inline int next_piece(Text *rest, Word *piece) {
    if (rest->size < 0) {
        return 0;
    }
    uint64_t bytes = eight_bytes(*rest, 0), start = bytes, found;
    int64_t place = 0;
    while (!(found = zero_byte(bytes ^ IN_ALL_BYTES(' '))) && place + 8 < rest->size) {
        place += 8;
        bytes = eight_bytes(*rest, place);
    }
    int64_t size = found ? place + __builtin_ctzll(found) / 8 : rest->size;
    *piece = (Word){rest->at, size, cut(start, size)};
    rest->at += found ? size + 1 : size;
    rest->size = found ? rest->size - size - 1 : -1;
    return 1;
}

#endif
