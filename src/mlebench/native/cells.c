/* Cells that list groups of words, of which one may be a label and the others are numbers. */

#include "decimals.h"

/* What stands between words: one blank each, of which two have an empty word between them, or white
   space of any length. A cell of blanks alone has empty words, or none. */
enum { BLANK, BLANK_UNLESS_ALL, WHITE_SPACE };

enum { ODD_FACTS = 3 };

static int64_t count_at_blanks(Text cell, int is_empty_if_blank) {
    int64_t blanks = 0;
    for (int64_t place = 0; place < cell.size; place++) blanks += cell.at[place] == ' ';
    return !cell.size || (is_empty_if_blank && blanks == cell.size) ? 0 : blanks + 1;
}

/* How many words each cell has. */
void count_in_cells(int64_t rows, const uint8_t *data, const int64_t *ends, int64_t separator,
                    int64_t *counts) {
    Column column = {data, ends};
    for (int64_t row = 0; row < rows; row++) {
        counts[row] = separator == WHITE_SPACE
                          ? count_words(cell(column, row))
                          : count_at_blanks(cell(column, row), separator == BLANK_UNLESS_ALL);
    }
}

static void skip(Text *rest, int64_t size) {
    rest->at += size;
    rest->size -= size;
}

/* Take the next word off the front, and the blank behind it. */
static Text take_word(Text *rest, int64_t separator) {
    Text word = {rest->at, 0};
    if (separator == WHITE_SPACE) {
        next_word(rest, &word);
        return word;
    }
    const uint8_t *blank = memchr(rest->at, ' ', (size_t)rest->size);
    word.size = blank ? blank - rest->at : rest->size;
    skip(rest, word.size + (word.size < rest->size));
    return word;
}

static int64_t separator_at(Text rest, int64_t separator) {
    return separator == WHITE_SPACE ? space_at(rest) : *rest.at == ' ';
}

/* Take the next word if it is a number that can be told here. */
static int take_number(Text *rest, int64_t separator, double *value) {
    int64_t space;
    while (separator == WHITE_SPACE && rest->size && (space = space_at(*rest))) skip(rest, space);
    const uint8_t *stop = read_number(rest->at, rest->at + rest->size, value);
    if (!stop) return 0;
    Text behind = *rest;
    skip(&behind, stop - rest->at);
    if (behind.size) {
        space = separator_at(behind, separator);
        if (!space) return 0;
        skip(&behind, space);
    }
    *rest = behind;
    return 1;
}

typedef struct {
    int64_t *facts; /* of each: which number it is, its begin and its end */
    int64_t room, count;
} OddWords;

static void note(OddWords *odd, int64_t number, int64_t begin, int64_t end) {
    if (odd->count < odd->room) {
        int64_t facts[ODD_FACTS] = {number, begin, end};
        memcpy(odd->facts + ODD_FACTS * odd->count, facts, sizeof facts);
    }
    odd->count++;
}

/* Fills the keys of the labels and the numbers of all groups, of which there are `groups` at most.
   Gives how many words somebody slower must read, and notes as many as there is room for. */
int64_t read_groups(int64_t rows, const uint8_t *data, const int64_t *ends, int64_t separator,
                    const int64_t *counts, int64_t width, int64_t label, int64_t seed,
                    int64_t groups, int64_t *labels, double *numbers, int64_t *facts,
                    int64_t room) {
    Column column = {data, ends};
    OddWords odd = {facts, room, 0};
    int64_t group = 0, number = 0;
    for (int64_t row = 0; row < rows; row++) {
        Text rest = cell(column, row), word;
        int64_t behind = group + counts[row] / width;
        for (; group < behind && group < groups; group++) {
            for (int64_t place = 0; place < width; place++) {
                if (place == label) {
                    word = take_word(&rest, separator);
                    labels[group] = (int64_t)key_of(word, (uint64_t)seed);
                    continue;
                }
                if (!take_number(&rest, separator, numbers + number)) {
                    word = take_word(&rest, separator);
                    note(&odd, number, word.at - data, word.at + word.size - data);
                }
                number++;
            }
        }
    }
    return odd.count;
}
