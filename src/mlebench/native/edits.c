/* How many symbols to insert, delete or replace: Levenshtein's distance of texts or lists of words.

The table of distances is filled column by column, a strip of 64 rows at a time as the bits of one
number (Myers 1999, Hyyrö 2003): that takes true length × predicted length / 64 steps. Each strip
tells the next one how its lowest distance changes from column to column; the processor works on
several at once, since the next column of one does not wait for the others. */

#include "word_table.h"

enum { STRIP = 64, STRIPS = 4, PASS = STRIP * STRIPS, ASCII = 128, SHORT = 1 << 16 };

/* In which rows of each strip a symbol stands. */
typedef struct {
    uint64_t in[STRIPS];
} Rows;

/* Symbols as numbers. Up to two bytes are a number themselves; longer symbols of the truth are counted
   on from there, and all others are 0. */
typedef struct {
    uint32_t *symbols;
    int64_t size;
} Line;

/* All that the work on a row needs, with room for the longest ones so far. */
typedef struct {
    Table table;
    Line truth, guess;
    Rows *rows;      /* of each symbol; all zero between two passes */
    uint8_t *border; /* for each column whether the distance above all strips grows or falls */
    int64_t true_room, room;
} Desk;

static void close_desk(Desk *desk) {
    free(desk->truth.symbols);
    free(desk->guess.symbols);
    free(desk->rows);
    free(desk->border);
    close_table(&desk->table);
}

/* A cell has no more symbols than bytes. What must be large for a long prediction is kept small. */
static int make_room(Desk *desk, int64_t true_bytes, int64_t bytes) {
    if (true_bytes > desk->true_room) {
        free(desk->truth.symbols);
        free(desk->rows);
        desk->true_room = 2 * true_bytes;
        desk->truth.symbols = malloc((size_t)desk->true_room * sizeof(uint32_t));
        desk->rows = calloc((size_t)desk->true_room + VOCABULARY + SHORT + 1, sizeof(Rows));
    }
    int64_t longer = bytes > true_bytes ? bytes : true_bytes;
    if (longer > desk->room) {
        free(desk->guess.symbols);
        free(desk->border);
        desk->room = longer + longer / 4;
        desk->guess.symbols = malloc((size_t)desk->room * sizeof(uint32_t));
        desk->border = malloc((size_t)desk->room);
    }
    return (desk->truth.symbols && desk->rows && desk->guess.symbols && desk->border);
}

static int open_desk(Desk *desk, uint64_t seed) {
    memset(desk, 0, sizeof *desk);
    return open_table(&desk->table, seed) && make_room(desk, 64, 64);
}

/* Go through all columns of some strips; gives by how much the distance grows from top to bottom in
the last column. Only where there are several passes, a border leads from each to the next. */
static inline int64_t fill_strips(const Rows *rows, Line columns, int64_t height, int strips,
                                  uint8_t *border) {
    /* Where the distance is by one greater, or smaller, than in the row above. */
    uint64_t greater[STRIPS], smaller[STRIPS] = {0};
    memset(greater, 0xff, sizeof greater);
    for (int64_t column = 0; column < columns.size; column++) {
        const Rows *match = &rows[columns.symbols[column]];
        uint64_t grows = border ? border[column] & 1 : 1, falls = border ? border[column] >> 1 : 0;
        for (int strip = 0; strip < strips; strip++) {
            uint64_t equal = match->in[strip] | falls;
            uint64_t is_level = match->in[strip] | smaller[strip];
            uint64_t diagonal =
                (((equal & greater[strip]) + greater[strip]) ^ greater[strip]) | equal;
            uint64_t up = smaller[strip] | ~(diagonal | greater[strip]);
            uint64_t down = greater[strip] & diagonal;
            uint64_t shifted = up << 1 | grows;
            greater[strip] = (down << 1 | falls) | ~(is_level | shifted);
            smaller[strip] = shifted & is_level;
            grows = up >> (STRIP - 1);
            falls = down >> (STRIP - 1);
        }
        if (border) {
            border[column] = (uint8_t)(grows | falls << 1);
        }
    }
    int64_t grown = 0;
    for (int strip = 0; strip < strips && height > 0; strip++, height -= STRIP) {
        uint64_t real = height >= STRIP ? ~(uint64_t)0 : ((uint64_t)1 << height) - 1;
        grown += __builtin_popcountll(greater[strip] & real);
        grown -= __builtin_popcountll(smaller[strip] & real);
    }
    return grown;
}

/* The compiler makes a loop of its own for each number of strips. */
static int64_t fill(const Rows *rows, Line columns, int64_t height) {
    switch ((height - 1) / STRIP) {
    case 0:
        return fill_strips(rows, columns, height, 1, NULL);
    case 1:
        return fill_strips(rows, columns, height, 2, NULL);
    case 2:
        return fill_strips(rows, columns, height, 3, NULL);
    default:
        return fill_strips(rows, columns, height, 4, NULL);
    }
}

/* What both lines share at their ends costs nothing. */
static void trim(Line *one, Line *other) {
    while (one->size && other->size && one->symbols[0] == other->symbols[0]) {
        one->symbols++, one->size--, other->symbols++, other->size--;
    }
    while (one->size && other->size &&
           one->symbols[one->size - 1] == other->symbols[other->size - 1]) {
        one->size--, other->size--;
    }
}

static int64_t distance(Line one, Line other, Desk *desk) {
    trim(&one, &other);
    Line rows = one.size < other.size ? one : other, columns = one.size < other.size ? other : one;
    int64_t edits = columns.size;
    memset(desk->border, 1, rows.size > PASS ? (size_t)columns.size : 0);
    for (int64_t start = 0; start < rows.size; start += PASS) {
        int64_t height = rows.size - start < PASS ? rows.size - start : PASS;
        for (int64_t row = 0; row < height; row++) {
            Rows *match = &desk->rows[rows.symbols[start + row]];
            match->in[row / STRIP] |= (uint64_t)1 << row % STRIP;
        }
        edits += rows.size > PASS ? fill_strips(desk->rows, columns, height, STRIPS, desk->border)
                                  : fill(desk->rows, columns, height);
        for (int64_t row = 0; row < height; row++) {
            desk->rows[rows.symbols[start + row]] = (Rows){{0}};
        }
    }
    return edits;
}

/* A character of UTF-8 with all bytes that continue it. */
static Word character(Text rest) {
    int64_t size = 1;
    while (size < rest.size && size < 8 && (rest.at[size] & 0xc0) == 0x80) {
        size++;
    }
    return (Word){rest.at, size, cut(eight_bytes(rest, 0), size)};
}

/* Zero has another meaning, and no other character ends with this byte. */
static inline uint32_t number_of_byte(uint8_t byte) {
    return byte ? byte : 0x100;
}

/* The number of a symbol, which is learnt where it belongs to the truth; −1 without memory. */
static inline int64_t number_of(Word symbol, Table *table, int is_truth) {
    if (symbol.size <= 2 && symbol.start >> 8 * (symbol.size - 1)) {
        return (int64_t)symbol.start;
    }
    if (!is_truth) {
        return value_of(table, symbol);
    }
    Slot *slot = insert(table, symbol);
    if (slot) {
        slot->value = slot->value ? slot->value : SHORT + table->used;
    }
    return slot ? slot->value : -1;
}

/* Gives 0 without memory. */
static inline int read_text(Text rest, Line *line, Table *table, int is_truth) {
    line->size = 0;
    while (rest.size) {
        if (rest.size >= 8 && !(eight_bytes(rest, 0) & IN_ALL_BYTES(0x80))) {
            for (int place = 0; place < 8; place++) {
                line->symbols[line->size + place] = number_of_byte(rest.at[place]);
            }
            line->size += 8;
            skip(&rest, 8);
            continue;
        }
        int64_t number = number_of_byte(rest.at[0]), size = 1;
        if (rest.at[0] >= ASCII) {
            Word symbol = character(rest);
            number = number_of(symbol, table, is_truth);
            size = symbol.size;
        }
        if (number < 0) {
            return 0;
        }
        line->symbols[line->size++] = (uint32_t)number;
        skip(&rest, size);
    }
    return 1;
}

static inline int read_words(Text text, Line *line, Table *table, int is_truth) {
    Words words = words_of(text);
    line->size = 0;
    for (Word word; next_word(&words, &word);) {
        int64_t number = number_of(word, table, is_truth);
        if (number < 0) {
            return 0;
        }
        line->symbols[line->size++] = (uint32_t)number;
    }
    return 1;
}

typedef int (*Reader)(Text, Line *, Table *, int);

/* −1 without memory. */
static inline int64_t edits(Text truth, Text guess, Desk *desk, Reader read) {
    refresh_table(&desk->table);
    if (!make_room(desk, truth.size, guess.size) || !read(truth, &desk->truth, &desk->table, 1) ||
        !read(guess, &desk->guess, &desk->table, 0)) {
        return -1;
    }
    return distance(desk->truth, desk->guess, desk);
}

/* Of all rows the edits between characters; −1 without memory. */
int64_t edits_of_texts(int64_t rows, const uint8_t *true_data, const int64_t *true_ends,
                       const uint8_t *data, const int64_t *ends, uint64_t seed) {
    Column truth = {rows, true_data, true_ends}, guesses = {rows, data, ends};
    Desk desk;
    int64_t sum = 0, more = open_desk(&desk, seed) ? 0 : -1;
    for (int64_t row = 0; row < rows && more >= 0; row++) {
        Text one = cell(truth, row), other = cell(guesses, row);
        more = is_same(one, other) ? 0 : edits(one, other, &desk, read_text);
        sum += more;
    }
    close_desk(&desk);
    return more < 0 ? -1 : sum;
}

/* Of all rows the edits between words, and in `length` the true words; −1 without memory. */
int64_t edits_of_lists(int64_t rows, const uint8_t *true_data, const int64_t *true_ends,
                       const uint8_t *data, const int64_t *ends, uint64_t seed, int64_t *length) {
    Column truth = {rows, true_data, true_ends}, guesses = {rows, data, ends};
    Desk desk;
    int64_t sum = 0, more = open_desk(&desk, seed) ? 0 : -1;
    for (int64_t row = 0; row < rows && more >= 0; row++) {
        Text one = cell(truth, row), other = cell(guesses, row);
        int is_alike = is_same(one, other);
        more = is_alike ? 0 : edits(one, other, &desk, read_words);
        *length += is_alike ? count_words(one) : desk.truth.size;
        sum += more;
    }
    close_desk(&desk);
    return more < 0 ? -1 : sum;
}
