/* Ids that are whole numbers and lie close together: a table with a place for each number from the
   least to the greatest is looked at once for each id, where a hash would be looked for. */

#include <stdint.h>

enum { IN_ORDER = 0, DIFFERENT = 1, REPEATED = 2 };
static const uint32_t TAKEN = UINT32_MAX;

/* Where a number stands in a table that begins with `low`; beyond its end if it has no place. */
static uint64_t place_of(int64_t number, int64_t low) {
    return (uint64_t)number - (uint64_t)low;
}

/* The row of each wanted id among as many given ones: less than 2^32 - 1, in a table of zeros. */
int64_t place_ids(int64_t rows, const int64_t *given, const int64_t *wanted, int64_t low,
                  int64_t room, uint32_t *table, int64_t *order) {
    for (int64_t row = 0; row < rows; row++) {
        uint64_t place = place_of(given[row], low);
        if (place >= (uint64_t)room) return DIFFERENT;
        table[place] = (uint32_t)row + 1;
    }
    for (int64_t k = 0; k < rows; k++) {
        uint64_t place = place_of(wanted[k], low);
        if (place >= (uint64_t)room || !table[place]) return DIFFERENT;
        if (table[place] == TAKEN) return REPEATED;
        order[k] = (int64_t)table[place] - 1;
        table[place] = TAKEN;
    }
    return IN_ORDER;
}

/* The rows of ids that are not among the known ones, and how many they are. What is known and has
   no place in the table of zeros is no id either. */
int64_t find_strangers(int64_t rows, const int64_t *ids, int64_t known_rows, const int64_t *known,
                       int64_t low, int64_t room, uint8_t *table, int64_t *strangers) {
    for (int64_t row = 0; row < known_rows; row++) {
        uint64_t place = place_of(known[row], low);
        if (place < (uint64_t)room) table[place] = 1;
    }
    int64_t count = 0;
    for (int64_t row = 0; row < rows; row++) {
        uint64_t place = place_of(ids[row], low);
        strangers[count] = row;
        count += place >= (uint64_t)room || !table[place];
    }
    return count;
}
