/* How many words, or characters, to insert, delete or replace: Levenshtein's distance.

The table of distances is filled column by column, 128 rows at a time as the bits of one number
(Myers 1999, Hyyrö 2003), so its cost is true length × predicted length / 128. A higher strip of rows
hands its lowest row down to the next: for each column whether the distance grows or falls there. */

#include "words.h"

typedef unsigned __int128 Bits;

enum { STRIP = 128, GROWS = 1, FALLS = 2, ALPHABET = 128 };

/* A strip of the table: which distances are greater or smaller by one than the one above. */
typedef struct {
    Bits greater, smaller;
    int last; /* the bit of the lowest row */
} Strip;

/* The next column; `equal` tells which rows match it. Takes the change of the row above the strip
from the column before, and gives that of the lowest row. */
static inline int next_column(Strip *strip, Bits equal, int above) {
    Bits falls = above >> 1, grows = above & 1;
    Bits vertical = equal | strip->smaller;
    equal |= falls;
    Bits level = (((equal & strip->greater) + strip->greater) ^ strip->greater) | equal;
    Bits up = strip->smaller | ~(level | strip->greater);
    Bits down = strip->greater & level;
    int change = (int)(up >> strip->last & 1) | (int)(down >> strip->last & 1) << 1;
    up = up << 1 | grows;
    down = down << 1 | falls;
    strip->greater = down | ~(vertical | up);
    strip->smaller = up & vertical;
    return change;
}

static int64_t gain(int change) { return (change & 1) - (change >> 1); }

/* What two lists of one kind of symbols share at their ends costs nothing. */
static void trim_bytes(Text *one, Text *other) {
    while (one->size && other->size && one->at[0] == other->at[0]) {
        one->at++, one->size--, other->at++, other->size--;
    }
    while (one->size && other->size && one->at[one->size - 1] == other->at[other->size - 1]) {
        one->size--, other->size--;
    }
}

/* The changes along the lowest row of the strip above, which are replaced by those of this one. */
typedef struct {
    uint8_t *changes;
    int64_t room;
} Border;

static int prepare_border(Border *border, int64_t columns) {
    if (columns > border->room) {
        free(border->changes);
        border->room = 2 * columns;
        border->changes = malloc((size_t)border->room);
    }
    if (border->changes) {
        memset(border->changes, GROWS, (size_t)columns);
    }
    return border->changes != NULL;
}

static int is_ascii(Text text) {
    uint8_t all = 0;
    for (int64_t place = 0; place < text.size; place++) {
        all |= text.at[place];
    }
    return all < 0x80;
}

/* Texts of ASCII; −1 without memory. */
static int64_t edits_of_bytes(Text truth, Text guess, Border *border) {
    trim_bytes(&truth, &guess);
    if (!truth.size || !guess.size) {
        return truth.size + guess.size;
    }
    if (!prepare_border(border, guess.size)) {
        return -1;
    }
    int64_t edits = 0;
    for (int64_t start = 0; start < truth.size; start += STRIP) {
        int64_t height = truth.size - start < STRIP ? truth.size - start : STRIP;
        Strip strip = {~(Bits)0, 0, (int)height - 1};
        Bits rows[ALPHABET] = {0};
        for (int64_t row = 0; row < height; row++) {
            rows[truth.at[start + row]] |= (Bits)1 << row;
        }
        edits = truth.size;
        for (int64_t column = 0; column < guess.size; column++) {
            int change = next_column(&strip, rows[guess.at[column]], border->changes[column]);
            border->changes[column] = (uint8_t)change;
            edits += gain(change);
        }
    }
    return edits;
}

typedef int (*Taker)(Text *rest, Text *symbol);

static int take_word(Text *rest, Text *word) { return next_word(rest, word); }

/* A character of UTF-8, with all the bytes that continue it. */
static int take_character(Text *rest, Text *character) {
    int64_t size = rest->size > 0;
    while (size && size < rest->size && (rest->at[size] & 0xc0) == 0x80) {
        size++;
    }
    *character = (Text){rest->at, size};
    rest->at += size;
    rest->size -= size;
    return size > 0;
}

static int64_t count_symbols(Text rest, Taker take) {
    int64_t count = 0;
    for (Text symbol; take(&rest, &symbol);) {
        count++;
    }
    return count;
}

/* Lists of symbols of any kind; −1 without memory. */
static inline int64_t edits_of_symbols(Text truth, Text guesses, Taker take, Table *table, Border *border,
                                int64_t length) {
    int64_t columns = count_symbols(guesses, take);
    int64_t edits = length + columns;
    if (!length || !columns) {
        return edits;
    }
    if (!prepare_border(border, columns)) {
        return -1;
    }
    Bits rows[STRIP];
    for (int64_t start = 0; start < length; start += STRIP) {
        int64_t height = length - start < STRIP ? length - start : STRIP;
        Strip strip = {~(Bits)0, 0, (int)height - 1};
        Text symbol, rest = guesses;
        empty_table(table);
        for (int64_t row = 0; row < height && take(&truth, &symbol); row++) {
            Slot *slot = insert(table, symbol);
            if (!slot) {
                return -1;
            }
            if (!slot->value) {
                slot->value = table->used;
                rows[slot->value - 1] = 0;
            }
            rows[slot->value - 1] |= (Bits)1 << row;
        }
        edits = length;
        for (int64_t column = 0; take(&rest, &symbol); column++) {
            Slot *slot = find(table, symbol);
            Bits equal = slot ? rows[slot->value - 1] : 0;
            int change = next_column(&strip, equal, border->changes[column]);
            border->changes[column] = (uint8_t)change;
            edits += gain(change);
        }
    }
    return edits;
}

/* Of all rows the edits between characters; −1 without memory. */
int64_t edits_of_texts(int64_t rows, const uint8_t *true_data, const int64_t *true_ends,
                       const uint8_t *data, const int64_t *ends, uint64_t seed) {
    Column truth = {true_data, true_ends}, guesses = {data, ends};
    Border border = {0};
    Table table;
    int64_t edits = 0, more = open_table(&table, seed) ? 0 : -1;
    for (int64_t row = 0; row < rows && more >= 0; row++) {
        Text one = cell(truth, row), other = cell(guesses, row);
        if (is_same(one, other)) {
            continue;
        }
        more = is_ascii(one) && is_ascii(other)
                   ? edits_of_bytes(one, other, &border)
                   : edits_of_symbols(one, other, take_character, &table, &border,
                                      count_symbols(one, take_character));
        edits += more;
    }
    free(border.changes);
    close_table(&table);
    return more < 0 ? -1 : edits;
}

/* Of all rows the edits between words, and in `length` the true words; −1 without memory. */
int64_t edits_of_lists(int64_t rows, const uint8_t *true_data, const int64_t *true_ends,
                       const uint8_t *data, const int64_t *ends, uint64_t seed, int64_t *length) {
    Column truth = {true_data, true_ends}, guesses = {data, ends};
    Border border = {0};
    Table table;
    int64_t edits = 0, more = open_table(&table, seed) ? 0 : -1;
    for (int64_t row = 0; row < rows && more >= 0; row++) {
        Text one = cell(truth, row), other = cell(guesses, row);
        int64_t words = count_words(one);
        *length += words;
        more = is_same(one, other)
                   ? 0
                   : edits_of_symbols(one, other, take_word, &table, &border, words);
        edits += more;
    }
    free(border.changes);
    close_table(&table);
    return more < 0 ? -1 : edits;
}
