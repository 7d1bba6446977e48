/* Where each id of one column stands in another: a table of row numbers, looked at in batches.

Ids in another order lie anywhere in memory. So a batch first asks for all places it needs, and by
the time it looks the processor has fetched them. */

#include "word_table.h"

enum { BATCH = 32, NOWHERE = -1 };

/* Part of a hash, and the row plus one; 0 is a free place. */
typedef struct {
    uint32_t tag, row;
} Entry;

typedef struct {
    Entry *entries;
    uint64_t last; /* their number less one: a power of two less one */
    uint64_t seed;
    Column ids;
} Index;

static uint64_t hash_of(const Index *index, Text id) {
    uint64_t key = (uint64_t)id.size ^ index->seed;
    for (int64_t place = 0; place < id.size; place += 8) {
        key = mixed(key ^ eight_bytes(id, place), index->seed * 2 + 0x9e3779b97f4a7c15) + key;
    }
    return key;
}

/* The entry of an id, or the free one where it belongs. */
static Entry *entry_of(const Index *index, Text id, uint64_t hash) {
    for (uint64_t place = hash;; place++) {
        Entry *entry = index->entries + (place & index->last);
        if (!entry->row) return entry;
        if (entry->tag == hash >> 32 && is_same(cell(index->ids, entry->row - 1), id)) return entry;
    }
}

static int64_t hash_batch(const Index *index, Column ids, int64_t first, int64_t rows,
                          uint64_t *hashes) {
    int64_t count = rows - first < BATCH ? rows - first : BATCH;
    for (int64_t k = 0; k < count; k++) {
        hashes[k] = hash_of(index, cell(ids, first + k));
        __builtin_prefetch(index->entries + (hashes[k] & index->last));
    }
    return count;
}

/* Fill a table of `room` places, all free: a power of two, and more than there are rows. Of equal
   ids the first one counts. Gives the first row whose id stood before, or −1. */
int64_t index_ids(int64_t rows, const uint8_t *data, const int64_t *ends, uint64_t seed,
                  int64_t room, uint64_t *table) {
    Index index = {(Entry *)table, (uint64_t)room - 1, seed, {rows, data, ends}};
    uint64_t hashes[BATCH];
    int64_t repeat = NOWHERE;
    for (int64_t first = 0; first < rows; first += BATCH) {
        int64_t count = hash_batch(&index, index.ids, first, rows, hashes);
        for (int64_t k = 0; k < count; k++) {
            Entry *entry = entry_of(&index, cell(index.ids, first + k), hashes[k]);
            if (!entry->row) {
                *entry = (Entry){hashes[k] >> 32, (uint32_t)(first + k + 1)};
            } else if (repeat == NOWHERE) {
                repeat = first + k;
            }
        }
    }
    return repeat;
}

/* The row of each wanted id in the indexed column, or −1. */
void find_ids(int64_t rows, const uint8_t *data, const int64_t *ends, const uint8_t *known_data,
              const int64_t *known_ends, uint64_t seed, int64_t room, const uint64_t *table,
              int64_t *places) {
    /* How many are known does not matter, since no more is asked of them than if they are equal. */
    Index index = {(Entry *)table, (uint64_t)room - 1, seed, {0, known_data, known_ends}};
    Column wanted = {rows, data, ends};
    uint64_t hashes[BATCH];
    for (int64_t first = 0; first < rows; first += BATCH) {
        int64_t count = hash_batch(&index, wanted, first, rows, hashes);
        for (int64_t k = 0; k < count; k++) {
            const Entry *entry = index.entries + (hashes[k] & index.last);
            if (entry->row) {
                __builtin_prefetch(known_data + known_ends[entry->row - 1]);
            }
        }
        for (int64_t k = 0; k < count; k++) {
            const Entry *entry = entry_of(&index, cell(wanted, first + k), hashes[k]);
            places[first + k] = entry->row ? (int64_t)entry->row - 1 : NOWHERE;
        }
    }
}

/* Whether two columns hold the same texts in the same rows. */
int64_t are_same_texts(int64_t rows, const uint8_t *data, const int64_t *ends,
                       const uint8_t *other_data, const int64_t *other_ends) {
    int64_t shift = other_ends[0] - ends[0], differing = 0;
    for (int64_t row = 1; row <= rows; row++) differing |= other_ends[row] - ends[row] - shift;
    size_t size = (size_t)(ends[rows] - ends[0]);
    return !differing && memcmp(data + ends[0], other_data + other_ends[0], size) == 0;
}

/* The number of each text among the different ones, in the order of their first rows, which are
   noted. Gives how many there are, or −1 if there is no memory. */
int64_t number_texts(int64_t rows, const uint8_t *data, const int64_t *ends, uint64_t seed,
                     int64_t *numbers, int64_t *firsts) {
    Column column = {rows, data, ends};
    Table table;
    int64_t count = open_table(&table, seed) ? 0 : -1;
    for (int64_t row = 0; row < rows && count >= 0; row++) {
        Text text = cell(column, row);
        /* Rows of one group often stand together. */
        if (row && is_same(text, cell(column, row - 1))) {
            numbers[row] = numbers[row - 1];
            continue;
        }
        Slot *slot = insert(&table, (Word){text.at, text.size, eight_bytes(text, 0)});
        if (slot && !slot->value) {
            firsts[count] = row;
            slot->value = ++count;
        }
        if (slot) {
            numbers[row] = slot->value - 1;
        } else {
            count = -1;
        }
    }
    close_table(&table);
    return count;
}
