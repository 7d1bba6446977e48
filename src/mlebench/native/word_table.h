/* A table to look words up in, by the bytes they stand in. */

#ifndef WORD_TABLE_H
#define WORD_TABLE_H

#include "words.h"

/* Words and what is known of each. */
typedef struct {
    uint64_t key;
    const uint8_t *at;
    int64_t size;
    int64_t round; /* the slot is free in every other round */
    int64_t value;
} Slot;

typedef struct {
    Slot *slots;
    int64_t room; /* a power of two */
    int shift;    /* what makes a place of a hash */
    int64_t used;
    int64_t round;
    uint64_t seed; /* nobody who writes a submission knows it, so nobody can make words collide */
} Table;

enum { FIRST_BITS = 8 };

/* Gives 0 if there is no memory. */
static inline int open_table(Table *table, uint64_t seed) {
    int64_t room = 1 << FIRST_BITS;
    *table = (Table){calloc((size_t)room, sizeof(Slot)), room, 64 - FIRST_BITS, 0, 1, seed};
    return table->slots != NULL;
}

static inline void close_table(Table *table) {
    free(table->slots);
}

static inline void empty_table(Table *table) {
    table->used = 0;
    table->round++;
}

enum { VOCABULARY = 4096 };

/* Forget all words if they are too many to be looked up fast. */
static inline void refresh_table(Table *table) {
    if (table->used > VOCABULARY) {
        empty_table(table);
    }
}

static inline uint64_t mixed(uint64_t one, uint64_t other) {
    unsigned __int128 product = (unsigned __int128)one * other;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* Eight bytes with the letters of ASCII in lower case. */
static inline uint64_t lowered(uint64_t bytes) {
    uint64_t low = bytes & IN_ALL_BYTES(0x7f);
    uint64_t from_a = low + IN_ALL_BYTES(0x80 - 'A'), beyond_z = low + IN_ALL_BYTES(0x7f - 'Z');
    return bytes | ((from_a & ~beyond_z & ~bytes & IN_ALL_BYTES(0x80)) >> 2);
}

/* Eight bytes of a word of more than that; the last ones are some that stood before, too. */
static inline uint64_t further_bytes(const uint8_t *at, int64_t size, int64_t place, int lowers) {
    uint64_t bytes;
    memcpy(&bytes, at + (place + 8 < size ? place : size - 8), 8);
    return lowers ? lowered(bytes) : bytes;
}

/* Short words are their own key. */
static inline uint64_t key_of(Word word, uint64_t seed, int lowers) {
    uint64_t key = lowers ? lowered(word.start) : word.start;
    for (int64_t place = 8; place < word.size; place += 8) {
        uint64_t bytes = further_bytes(word.at, word.size, place, lowers);
        key = mixed(key ^ seed, bytes ^ (seed << 1 | 1)) + bytes;
    }
    return key;
}

/* Whether two words of one size and key are equal. */
static inline int is_equal(const uint8_t *one, const uint8_t *other, int64_t size, int lowers) {
    int is_same = size <= 8 || lowers || memcmp(one, other, (size_t)size) == 0;
    for (int64_t place = 0; lowers && is_same && size > 8 && place < size; place += 8) {
        is_same = further_bytes(one, size, place, 1) == further_bytes(other, size, place, 1);
    }
    return is_same;
}

/* Where the word stands, or else a free slot. Nobody can foretell which of the two it is, so there
is no branch for it; that a slot holds another word is rare. */
static inline Slot *slot_of(const Table *table, Word word, uint64_t key, int lowers) {
    /* The highest bits of the product depend on all bits of the key. */
    uint64_t place = key * (table->seed << 1 | 1) >> table->shift;
    for (;; place = (place + 1) & (uint64_t)(table->room - 1)) {
        Slot *slot = &table->slots[place];
        uint64_t difference = (slot->key ^ key) | (uint64_t)(slot->size ^ word.size);
        int is_taken = slot->round == table->round;
        if (is_taken & (difference != 0)) {
            continue;
        }
        if (!is_taken || is_equal(slot->at, word.at, word.size, lowers)) {
            return slot;
        }
    }
}

/* A value if there is one in this round, else 0. */
static inline int64_t value_in(const Table *table, const Slot *slot) {
    return slot->value & -(int64_t)(slot->round == table->round);
}

/* The value of a word, or 0 for one that is not there. */
static inline int64_t value_of(const Table *table, Word word) {
    return value_in(table, slot_of(table, word, key_of(word, table->seed, 0), 0));
}

/* The word's slot, or nothing. */
static inline Slot *find(const Table *table, Word word) {
    Slot *slot = slot_of(table, word, key_of(word, table->seed, 0), 0);
    return slot->round == table->round ? slot : NULL;
}

static inline int grow(Table *table) {
    Table larger = *table;
    larger.room *= 4;
    larger.shift -= 2;
    larger.slots = calloc((size_t)larger.room, sizeof(Slot));
    if (!larger.slots) {
        return 0;
    }
    for (Slot *slot = table->slots; slot < table->slots + table->room; slot++) {
        if (slot->round == table->round) {
            *slot_of(&larger, (Word){slot->at, slot->size, 0}, slot->key, 0) = *slot;
        }
    }
    free(table->slots);
    *table = larger;
    return 1;
}

static inline Slot *insert_as(Table *table, Word word, int lowers) {
    uint64_t key = key_of(word, table->seed, lowers);
    Slot *slot = slot_of(table, word, key, lowers);
    if (slot->round == table->round) {
        return slot;
    }
    if (2 * table->used >= table->room) {
        if (!grow(table)) {
            return NULL;
        }
        slot = slot_of(table, word, key, lowers);
    }
    table->used++;
    slot->key = key;
    slot->at = word.at;
    slot->size = word.size;
    slot->round = table->round;
    slot->value = 0;
    return slot;
}

/* The word's slot, with value 0 if it is new; nothing if there is no memory. */
static inline Slot *insert(Table *table, Word word) {
    return insert_as(table, word, 0);
}

/* The same, but letters of ASCII count as lower case. */
static inline Slot *insert_lowered(Table *table, Word word) {
    return insert_as(table, word, 1);
}

#endif
