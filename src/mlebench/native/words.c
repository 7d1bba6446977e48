/* What metrics on lists of words need to know of each row, or of a block of rows in all.

Kernels give −1 if there is no memory. */

#include "words.h"

/* A cell is taken apart at every single blank, as str.split(" ") does: pieces may be empty, and
there is always one. The size behind the last piece is −1. */
static int next_piece(Text *rest, Text *piece) {
    if (rest->size < 0) {
        return 0;
    }
    const uint8_t *blank = rest->size ? memchr(rest->at, ' ', (size_t)rest->size) : NULL;
    *piece = (Text){rest->at, blank ? blank - rest->at : rest->size};
    int64_t taken = blank ? piece->size + 1 : piece->size;
    rest->at += taken;
    rest->size = blank ? rest->size - taken : -1;
    return 1;
}

/* The different pieces of a cell, which a table learns; −1 without memory. */
static int64_t learn_pieces(Table *table, Text rest) {
    empty_table(table);
    for (Text piece; next_piece(&rest, &piece);) {
        if (!insert(table, piece)) {
            return -1;
        }
    }
    return table->used;
}

/* Of each row the average precision of the first k guesses. */
int64_t average_precision(int64_t rows, const uint8_t *true_data, const int64_t *true_ends,
                          const uint8_t *data, const int64_t *ends, uint64_t seed, int64_t k,
                          double *precision) {
    Column truth = {true_data, true_ends}, guesses = {data, ends};
    Table table;
    int64_t known = open_table(&table, seed) ? 0 : -1;
    for (int64_t row = 0; row < rows && known >= 0; row++) {
        Text guess, rest = cell(guesses, row);
        double hits = 0, gained = 0;
        known = learn_pieces(&table, cell(truth, row));
        for (int64_t rank = 1; rank <= k && next_piece(&rest, &guess); rank++) {
            Slot *slot = find(&table, guess);
            if (slot && !slot->value) {
                slot->value = 1; /* the second time it is a repeat */
                hits++;
                gained += hits / (double)rank;
            }
        }
        precision[row] = gained / (double)(known < k ? known : k);
    }
    close_table(&table);
    return known < 0 ? -1 : 0;
}

/* Of all rows the different true words, counted, and of those with two equal cells; and in `labels`
where each word of the column that is new stands: its begin and size. Gives how many these are. */
int64_t true_labels(int64_t rows, const uint8_t *true_data, const int64_t *true_ends,
                    const uint8_t *data, const int64_t *ends, uint64_t seed, int64_t *counts,
                    int64_t *labels) {
    Column truth = {true_data, true_ends}, guesses = {data, ends};
    Table table;
    int has_memory = open_table(&table, seed);
    for (int64_t row = 0; row < rows && has_memory; row++) {
        Text word, rest = cell(truth, row);
        int64_t different = 0;
        int is_alike = is_same(rest, cell(guesses, row));
        while (has_memory && next_word(&rest, &word)) {
            Slot *slot = insert(&table, word);
            has_memory = slot != NULL;
            if (slot && !slot->value) {
                labels[2 * table.used - 2] = word.at - true_data;
                labels[2 * table.used - 1] = word.size;
            }
            if (slot && slot->value != row + 1) {
                slot->value = row + 1;
                different++;
            }
        }
        counts[0] += different;
        counts[1] += is_alike ? different : 0;
    }
    int64_t found = has_memory ? table.used : -1;
    close_table(&table);
    return found;
}

/* Of rows that differ: different words on both sides (counts[0]), and those that are predicted only
but are one of the labels (counts[1]). A label's value tells the row that had it last. */
static void compare_row(const Table *labels, Text truth, Text guesses, int64_t row,
                        int64_t *counts) {
    int64_t is_true = 2 * row + 1, is_counted = 2 * row + 2;
    Slot *slot;
    for (Text word; next_word(&truth, &word);) {
        if ((slot = find(labels, word))) {
            slot->value = is_true;
        }
    }
    for (Text word; next_word(&guesses, &word);) {
        slot = find(labels, word);
        if (slot && slot->value != is_counted) {
            counts[slot->value != is_true]++;
            slot->value = is_counted;
        }
    }
}

int64_t compare_label_sets(int64_t rows, const uint8_t *true_data, const int64_t *true_ends,
                           const uint8_t *data, const int64_t *ends, uint64_t seed, int64_t known,
                           const uint8_t *label_data, const int64_t *label_ends, int64_t *counts) {
    Column truth = {true_data, true_ends}, guesses = {data, ends}, names = {label_data, label_ends};
    Table labels;
    int has_memory = open_table(&labels, seed);
    for (int64_t label = 0; label < known && has_memory; label++) {
        has_memory = insert(&labels, cell(names, label)) != NULL;
    }
    for (int64_t row = 0; row < rows && has_memory; row++) {
        Text one = cell(truth, row), other = cell(guesses, row);
        if (!is_same(one, other)) {
            compare_row(&labels, one, other, row, counts);
        }
    }
    close_table(&labels);
    return has_memory ? 0 : -1;
}

/* Characters, of those that do not fit into one byte, that have no lower case and are none. */
static int is_caseless(uint32_t character) {
    return character <= 0xbf || (character >= 0xdf && character <= 0xff) ||
           (character >= 0x590 && character <= 0x109f) ||
           (character >= 0x2000 && character <= 0x20ff) ||
           (character >= 0x3000 && character <= 0xa63f) ||
           (character >= 0xac00 && character <= 0xd7ff) ||
           (character >= 0x1f000 && character <= 0x1faff);
}

/* Whether it takes no more than ASCII to write the text in lower case. */
static int is_lowered_simply(Text text) {
    for (int64_t place = 0; place < text.size;) {
        uint8_t lead = text.at[place++];
        if (lead < 0x80) {
            continue;
        }
        uint32_t character = lead & (lead < 0xe0 ? 0x1f : lead < 0xf0 ? 0x0f : 0x07);
        while (place < text.size && (text.at[place] & 0xc0) == 0x80) {
            character = character << 6 | (text.at[place++] & 0x3f);
        }
        if (!is_caseless(character)) {
            return 0;
        }
    }
    return 1;
}

/* Write a text in lower case; gives whether that was simple. */
static int lower(Text text, uint8_t *lowered) {
    uint8_t all = 0;
    for (int64_t place = 0; place < text.size; place++) {
        uint8_t letter = text.at[place];
        all |= letter;
        lowered[place] = letter + ((uint8_t)(letter - 'A') < 26 ? 32 : 0);
    }
    return all < 0x80 || is_lowered_simply(text);
}

/* The share of the words on either side that are on both; 0 without any word, −1 without memory. */
static double share_of_words(Table *table, Text truth, Text guesses) {
    int64_t common = 0;
    Slot *slot;
    empty_table(table);
    for (Text word; next_word(&truth, &word);) {
        if (!(slot = insert(table, word))) {
            return -1;
        }
        slot->value = 1;
    }
    for (Text word; next_word(&guesses, &word);) {
        if (!(slot = insert(table, word))) {
            return -1;
        }
        common += slot->value == 1;
        slot->value = 2;
    }
    return table->used ? (double)common / (double)table->used : 0;
}

static int64_t largest(int64_t rows, Column column) {
    int64_t size = 0;
    for (int64_t row = 0; row < rows; row++) {
        Text text = cell(column, row);
        size = text.size > size ? text.size : size;
    }
    return size;
}

/* Of each row the share of common words in lower case, where not all are lowered already. What
is_hard points out must be lowered by someone who knows more letters. Gives the number of rows
without words. */
int64_t shares_of_words(int64_t rows, const uint8_t *true_data, const int64_t *true_ends,
                        const uint8_t *data, const int64_t *ends, uint64_t seed,
                        int64_t are_lowered, double *shares, uint8_t *is_hard) {
    Column truth = {true_data, true_ends}, guesses = {data, ends};
    int64_t room = largest(rows, truth), empty = 0;
    uint8_t *lowered = malloc((size_t)(room + largest(rows, guesses) + 1));
    Table table;
    int has_memory = open_table(&table, seed) && lowered;
    for (int64_t row = 0; row < rows && has_memory; row++) {
        Text word, one = cell(truth, row), other = cell(guesses, row);
        if (is_same(one, other)) {
            shares[row] = next_word(&one, &word);
        } else if (are_lowered | (lower(one, lowered) & lower(other, lowered + room))) {
            one.at = are_lowered ? one.at : lowered;
            other.at = are_lowered ? other.at : lowered + room;
            shares[row] = share_of_words(&table, one, other);
            has_memory = shares[row] >= 0;
        } else {
            is_hard[row] = 1;
            continue;
        }
        /* Nothing in common, and no word at all: the table tells, unless the cells are alike. */
        empty += shares[row] == 0 && !next_word(&one, &word) && !next_word(&other, &word);
    }
    close_table(&table);
    free(lowered);
    return has_memory ? empty : -1;
}

/* Whether a cell holds nothing but digits and white space, and no number begins with a needless
zero. */
static int is_short_list(Text text) {
    int is_wrong = 0, was_digit = 0, was_zero = 0;
    for (int64_t place = 0; place < text.size; place++) {
        uint8_t letter = text.at[place];
        int is_digit = (uint8_t)(letter - '0') < 10;
        int is_space = (uint8_t)(letter - 9) < 5 || (uint8_t)(letter - 28) < 5;
        is_wrong |= (is_digit | is_space) == 0 || (was_zero & is_digit);
        was_zero = letter == '0' && !was_digit;
        was_digit = is_digit;
    }
    return !is_wrong;
}

int64_t are_short_lists(int64_t rows, const uint8_t *data, const int64_t *ends) {
    Column column = {data, ends};
    int64_t row = 0;
    while (row < rows && is_short_list(cell(column, row))) {
        row++;
    }
    return row == rows;
}

/* In how many rows the first word is one of the true words, or both cells have none. */
int64_t right_first_words(int64_t rows, const uint8_t *true_data, const int64_t *true_ends,
                          const uint8_t *data, const int64_t *ends) {
    Column truth = {true_data, true_ends}, guesses = {data, ends};
    int64_t right = 0;
    for (int64_t row = 0; row < rows; row++) {
        Text word, first, rest = cell(truth, row), guess = cell(guesses, row);
        int has_guess = next_word(&guess, &first), is_right = 0, has_words = 0;
        while (next_word(&rest, &word)) {
            has_words = 1;
            is_right |= has_guess && is_same(word, first);
        }
        right += has_guess ? is_right : !has_words;
    }
    return right;
}

int64_t equal_rows(int64_t rows, const uint8_t *true_data, const int64_t *true_ends,
                   const uint8_t *data, const int64_t *ends) {
    Column truth = {true_data, true_ends}, guesses = {data, ends};
    int64_t equal = 0;
    for (int64_t row = 0; row < rows; row++) {
        equal += is_same(cell(truth, row), cell(guesses, row));
    }
    return equal;
}
