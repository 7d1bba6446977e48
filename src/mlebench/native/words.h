/* Words in the cells of a column, found where they stand, and a table to look them up in. */

#ifndef WORDS_H
#define WORDS_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "eight bytes are read as one number, the first byte as its lowest part"
#endif

#define EVERY_BYTE 0x0101010101010101u
#define HIGH_BITS 0x8080808080808080u

/* A stretch of text: a cell, or a word in it. */
typedef struct {
    const uint8_t *at;
    int64_t size;
} Text;

/* The texts of some rows; text k reaches from ends[k] to ends[k + 1]. */
typedef struct {
    const uint8_t *data;
    const int64_t *ends;
} Column;

static inline Text cell(Column column, int64_t row) {
    return (Text){column.data + column.ends[row], column.ends[row + 1] - column.ends[row]};
}

static inline int is_same(Text one, Text other) {
    return one.size == other.size && memcmp(one.at, other.at, (size_t)one.size) == 0;
}

/* Up to eight bytes as one number, with zeros behind the last. */
static inline uint64_t first_bytes(const uint8_t *at, int64_t size) {
    uint64_t bytes = 0;
    if (size >= 8) {
        memcpy(&bytes, at, 8);
    } else if (size >= 4) {
        uint32_t low, high;
        memcpy(&low, at, 4);
        memcpy(&high, at + size - 4, 4);
        bytes = low | (uint64_t)high << 8 * (size - 4);
    } else if (size > 0) {
        bytes = at[0] | (uint64_t)at[size / 2] << 8 * (size / 2);
        bytes |= (uint64_t)at[size - 1] << 8 * (size - 1);
    }
    return bytes;
}

/* How many bytes the white space here takes, of any kind that Python knows; or 0. */
static inline int64_t space_at(Text rest) {
    const uint64_t ascii = 0x1f0003e00; /* 9 to 13 and 28 to 32 */
    const uint8_t *at = rest.at;
    if (at[0] <= ' ') {
        return ascii >> at[0] & 1;
    }
    if (at[0] < 0xc2 || at[0] > 0xe3 || rest.size < 2) {
        return 0;
    }
    if (at[0] == 0xc2) {
        return at[1] == 0x85 || at[1] == 0xa0 ? 2 : 0;
    }
    if (rest.size < 3) {
        return 0;
    }
    uint32_t three = (uint32_t)at[0] << 16 | (uint32_t)at[1] << 8 | at[2];
    int is_space = three == 0xe19a80 || three == 0xe2819f || three == 0xe38080 ||
                   (three >= 0xe28080 && three <= 0xe2808a) || three == 0xe280a8 ||
                   three == 0xe280a9 || three == 0xe280af;
    return is_space ? 3 : 0;
}

/* The bytes before the first white space. */
static inline int64_t size_of_word(Text rest) {
    int64_t place = 0;
    while (place < rest.size) {
        uint64_t bytes = first_bytes(rest.at + place, rest.size - place);
        /* What is neither a printed character of ASCII nor part of one deserves a closer look. */
        uint64_t odd = (((bytes - 0x21 * EVERY_BYTE) & ~bytes) | bytes) & HIGH_BITS;
        if (!odd) {
            place += 8;
            continue;
        }
        place += __builtin_ctzll(odd) / 8;
        if (place >= rest.size || space_at((Text){rest.at + place, rest.size - place})) {
            break;
        }
        place++;
    }
    return place < rest.size ? place : rest.size;
}

/* Take the next word off the front, as str.split() does; without one, nothing. */
static inline int next_word(Text *rest, Text *word) {
    int64_t space;
    while (rest->size && (space = space_at(*rest))) {
        rest->at += space;
        rest->size -= space;
    }
    *word = (Text){rest->at, size_of_word(*rest)};
    rest->at += word->size;
    rest->size -= word->size;
    return word->size > 0;
}

static inline int64_t count_words(Text rest) {
    int64_t count = 0;
    for (Text word; next_word(&rest, &word);) {
        count++;
    }
    return count;
}

/* Words by what they are made of. All that stands there was put there in this round. */
typedef struct {
    uint64_t key;
    Text word;
    int64_t round; /* in every other round the place is free */
    int64_t value;
} Slot;

typedef struct {
    Slot *slots;
    int64_t room; /* a power of two, so that a part of a hash is a place */
    int64_t used;
    int64_t round;
    uint64_t seed; /* nobody who writes a submission knows it, so nobody can make words collide */
} Table;

enum { FIRST_ROOM = 64 };

/* Nothing, if there is no memory. */
static inline int open_table(Table *table, uint64_t seed) {
    *table = (Table){calloc(FIRST_ROOM, sizeof(Slot)), FIRST_ROOM, 0, 1, seed};
    return table->slots != NULL;
}

static inline void close_table(Table *table) { free(table->slots); }

static inline void empty_table(Table *table) {
    table->used = 0;
    table->round++;
}

static inline uint64_t mixed(uint64_t one, uint64_t other) {
    unsigned __int128 product = (unsigned __int128)one * other;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* Short words are their own key. */
static inline uint64_t key_of(Text word, uint64_t seed) {
    if (word.size <= 8) {
        return first_bytes(word.at, word.size);
    }
    uint64_t key = seed;
    for (int64_t place = 0; place < word.size; place += 8) {
        uint64_t bytes = first_bytes(word.at + place, word.size - place);
        key = mixed(key ^ bytes, seed | 1) + bytes;
    }
    return key;
}

static inline Slot *slot_of(const Table *table, Text word, uint64_t key) {
    uint64_t place = mixed(key ^ table->seed, table->seed * 2 + 0x9e3779b97f4a7c15);
    for (;; place++) {
        Slot *slot = &table->slots[place & (uint64_t)(table->room - 1)];
        if (slot->round != table->round) {
            return slot;
        }
        if (slot->key == key && slot->word.size == word.size &&
            (word.size <= 8 || memcmp(slot->word.at, word.at, (size_t)word.size) == 0)) {
            return slot;
        }
    }
}

/* The word's place, or nothing. */
static inline Slot *find(const Table *table, Text word) {
    Slot *slot = slot_of(table, word, key_of(word, table->seed));
    return slot->round == table->round ? slot : NULL;
}

static inline int grow(Table *table) {
    Table larger = *table;
    larger.room *= 4;
    larger.slots = calloc((size_t)larger.room, sizeof(Slot));
    if (!larger.slots) {
        return 0;
    }
    for (Slot *slot = table->slots; slot < table->slots + table->room; slot++) {
        if (slot->round == table->round) {
            *slot_of(&larger, slot->word, slot->key) = *slot;
        }
    }
    free(table->slots);
    *table = larger;
    return 1;
}

/* The word's place, with value 0 if it is new there; nothing, if there is no memory. */
static inline Slot *insert(Table *table, Text word) {
    uint64_t key = key_of(word, table->seed);
    Slot *slot = slot_of(table, word, key);
    if (slot->round == table->round) {
        return slot;
    }
    if (2 * table->used >= table->room) {
        if (!grow(table)) {
            return NULL;
        }
        slot = slot_of(table, word, key);
    }
    table->used++;
    *slot = (Slot){key, word, table->round, 0};
    return slot;
}

#endif
