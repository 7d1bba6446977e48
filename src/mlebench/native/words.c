/* What metrics on lists of words need to know of each row, or of a block of rows in all.

Kernels give −1 if there is no memory. */

#include "word_table.h"

/* The different pieces of a cell, which a table learns; −1 without memory. */
static int64_t learn_pieces(Table *table, Text rest) {
    empty_table(table);
    for (Word piece; next_piece(&rest, &piece);) {
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
    Column truth = {rows, true_data, true_ends}, guesses = {rows, data, ends};
    Table table;
    int64_t known = open_table(&table, seed) ? 0 : -1;
    for (int64_t row = 0; row < rows && known >= 0; row++) {
        Text rest = cell(guesses, row);
        Word guess;
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
    Column truth = {rows, true_data, true_ends}, guesses = {rows, data, ends};
    Table table;
    int has_memory = open_table(&table, seed);
    for (int64_t row = 0; row < rows && has_memory; row++) {
        Text text = cell(truth, row);
        Words words = words_of(text);
        int64_t different = 0;
        for (Word word; has_memory && next_word(&words, &word);) {
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
        counts[1] += is_same(text, cell(guesses, row)) ? different : 0;
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
    Words right = words_of(truth), guessed = words_of(guesses);
    Slot *slot;
    for (Word word; next_word(&right, &word);) {
        if ((slot = find(labels, word))) {
            slot->value = is_true;
        }
    }
    for (Word word; next_word(&guessed, &word);) {
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
    Column truth = {rows, true_data, true_ends}, guesses = {rows, data, ends},
           names = {known, label_data, label_ends};
    Table labels;
    int has_memory = open_table(&labels, seed);
    for (int64_t label = 0; label < known && has_memory; label++) {
        Words name = words_of(cell(names, label));
        Word word;
        has_memory = !next_word(&name, &word) || insert(&labels, word);
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

/* Whether the character that begins here is its own lower case. Says so only of scripts without case,
signs and pictures, and what Latin-1 has of small letters. */
static int is_caseless(Text text) {
    uint8_t lead = text.at[0];
    uint32_t character = lead & (lead < 0xe0 ? 0x1f : lead < 0xf0 ? 0x0f : 0x07);
    for (int64_t place = 1; place < text.size && (text.at[place] & 0xc0) == 0x80; place++) {
        character = character << 6 | (text.at[place] & 0x3f);
    }
    return character <= 0xbf || (character >= 0xdf && character <= 0xff) ||
           (character >= 0x590 && character <= 0x109f) ||
           (character >= 0x2000 && character <= 0x20ff) ||
           (character >= 0x3000 && character <= 0xa63f) ||
           (character >= 0xac00 && character <= 0xd7ff) ||
           (character >= 0x1f000 && character <= 0x1faff);
}

/* Whether it takes no more than ASCII to write the text in lower case. */
static int is_lowered_simply(Text text) {
    for (int64_t place = 0; place < text.size; place += 8) {
        uint64_t bytes = eight_bytes(text, place);
        /* First bytes of characters beyond ASCII; those after 0xe0 are all caseless. */
        uint64_t leads = bytes & bytes << 1 & ~equal_bytes(bytes, 0xe0) & IN_ALL_BYTES(0x80);
        for (; leads; leads &= leads - 1) {
            Text rest = text;
            skip(&rest, place + __builtin_ctzll(leads) / 8);
            if (!is_caseless(rest)) {
                return 0;
            }
        }
    }
    return 1;
}

static int has_words(Text text) {
    Words words = words_of(text);
    return text.size && (!size_of_space(text) || next_edge(&words) < text.size);
}

/* The share of the words on either side that are on both; 0 without any word, −1 without memory.
A word's value tells in which row it stood last, and on which side. */
static double share_of_words(Table *table, Text truth, Text guesses, int64_t row) {
    Words right = words_of(truth), guessed = words_of(guesses);
    int64_t is_true = 2 * row + 1, is_counted = 2 * row + 2, common = 0, all = 0;
    Slot *slot;
    refresh_table(table);
    for (Word word; next_word(&right, &word); slot->value = is_true) {
        if (!(slot = insert_lowered(table, word))) {
            return -1;
        }
        all += slot->value < is_true;
    }
    for (Word word; next_word(&guessed, &word); slot->value = is_counted) {
        if (!(slot = insert_lowered(table, word))) {
            return -1;
        }
        common += slot->value == is_true;
        all += slot->value < is_true;
    }
    return all ? (double)common / (double)all : 0;
}

/* Of each row the share of common words in lower case. Where is_hard is set, the texts must first be
lowered by someone who knows more letters, unless all of them are lowered already. Gives the number
of rows without words. */
int64_t shares_of_words(int64_t rows, const uint8_t *true_data, const int64_t *true_ends,
                        const uint8_t *data, const int64_t *ends, uint64_t seed,
                        int64_t are_lowered, double *shares, uint8_t *is_hard) {
    Column truth = {rows, true_data, true_ends}, guesses = {rows, data, ends};
    int64_t empty = 0;
    Table table;
    int has_memory = open_table(&table, seed);
    for (int64_t row = 0; row < rows && has_memory; row++) {
        Text one = cell(truth, row), other = cell(guesses, row);
        int is_alike = is_same(one, other);
        is_hard[row] =
            !is_alike && !are_lowered && !(is_lowered_simply(one) && is_lowered_simply(other));
        if (is_hard[row]) {
            continue;
        }
        shares[row] = is_alike ? has_words(one) : share_of_words(&table, one, other, row);
        has_memory = shares[row] >= 0;
        empty += shares[row] == 0 && !has_words(one) && !has_words(other);
    }
    close_table(&table);
    return has_memory ? empty : -1;
}

static int is_digit(uint8_t letter) {
    return (uint8_t)(letter - '0') < 10;
}

/* Whether a cell holds nothing but digits and white space, and no number has a needless zero. */
static int is_short_list(Text text) {
    int was_digit = 0, was_zero = 0;
    for (int64_t place = 0; place < text.size; place++) {
        uint8_t letter = text.at[place];
        int is_space = (uint8_t)(letter - 9) < 5 || (uint8_t)(letter - 28) < 5;
        if (is_digit(letter) ? was_zero : !is_space) {
            return 0;
        }
        was_zero = letter == '0' && !was_digit;
        was_digit = is_digit(letter);
    }
    return 1;
}

/* The same for all rows at once, where there are but blanks and no number begins with a zero: a
loop without branches, done for many bytes at a time. */
static int are_plain_lists(Column column) {
    const uint8_t *at = column.data + column.ends[0], *end = column.data + column.ends[column.rows];
    int is_odd = 0;
    for (int64_t row = 0; row < column.rows; row++) {
        Text text = cell(column, row);
        is_odd |= text.size && text.at[0] == '0';
    }
    for (const uint8_t *next = at; next < end; next++) {
        is_odd |= !is_digit(*next) & (*next != ' ');
    }
    for (const uint8_t *next = at + 1; next < end; next++) {
        is_odd |= (next[-1] == ' ') & (*next == '0');
    }
    return !is_odd;
}

int64_t are_short_lists(int64_t rows, const uint8_t *data, const int64_t *ends) {
    Column column = {rows, data, ends};
    int64_t row = are_plain_lists(column) ? rows : 0;
    while (row < rows && is_short_list(cell(column, row))) {
        row++;
    }
    return row == rows;
}

/* In how many rows the first word is one of the true words, or both cells have none. */
int64_t right_first_words(int64_t rows, const uint8_t *true_data, const int64_t *true_ends,
                          const uint8_t *data, const int64_t *ends) {
    Column truth = {rows, true_data, true_ends}, guesses = {rows, data, ends};
    int64_t right = 0;
    for (int64_t row = 0; row < rows; row++) {
        Words right_words = words_of(cell(truth, row)), guess = words_of(cell(guesses, row));
        Word word, first;
        int has_guess = next_word(&guess, &first), is_right = 0, has_words = 0;
        while (next_word(&right_words, &word)) {
            has_words = 1;
            is_right |= has_guess && word.size == first.size &&
                        memcmp(word.at, first.at, (size_t)first.size) == 0;
        }
        right += has_guess ? is_right : !has_words;
    }
    return right;
}

int64_t equal_rows(int64_t rows, const uint8_t *true_data, const int64_t *true_ends,
                   const uint8_t *data, const int64_t *ends) {
    Column truth = {rows, true_data, true_ends}, guesses = {rows, data, ends};
    int64_t equal = 0;
    for (int64_t row = 0; row < rows; row++) {
        equal += is_same(cell(truth, row), cell(guesses, row));
    }
    return equal;
}
