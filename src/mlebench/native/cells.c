/* Cells that list groups of words, of which one may be a label and the others are numbers. */

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "decimals.h"

/* What stands between words: one blank each, of which two have an empty word between them, or
   blanks in any number. A cell of blanks alone has empty words, or none. */
enum { BLANK, BLANK_UNLESS_ALL, BLANKS };

enum { WINDOW = 64, ODD_FACTS = 3 };

/* Cells of which other letters than blanks may be white space. */
enum { NOT_PLAIN = -1 };

/* What is left of a cell, and its blanks in a window as bits. */
typedef struct {
    const uint8_t *at, *end, *limit; /* memory may be read up to the limit */
    const uint8_t *window;
    uint64_t blanks; /* those that are not passed yet */
} Cell;

/* Where blanks are among 64 bytes, as bits. */
HOT uint64_t blanks_in(const uint8_t *bytes) {
    uint64_t blanks = 0;
#ifdef __SSE2__
    for (int part = WINDOW - 16; part >= 0; part -= 16) {
        __m128i some = _mm_loadu_si128((const __m128i *)(bytes + part));
        __m128i is_blank = _mm_cmpeq_epi8(some, _mm_set1_epi8(' '));
        blanks = blanks << 16 | (uint32_t)_mm_movemask_epi8(is_blank);
    }
#else
    for (int place = WINDOW - 1; place >= 0; place--) {
        blanks = blanks << 1 | (bytes[place] == ' ');
    }
#endif
    return blanks;
}

HOT void open_window(Cell *cell, const uint8_t *window) {
    uint8_t last[WINDOW] = {0};
    cell->window = window;
    if (cell->limit - window >= WINDOW) {
        cell->blanks = blanks_in(window);
    } else {
        memcpy(last, window, (size_t)(cell->limit - window));
        cell->blanks = blanks_in(last);
    }
}

HOT Cell cell_of(const uint8_t *begin, int64_t length, const uint8_t *limit) {
    Cell cell = {begin, begin + length, limit, NULL, 0};
    open_window(&cell, cell.at);
    return cell;
}

/* The next blank, or the end. */
HOT const uint8_t *next_blank(Cell *cell) {
    while (!cell->blanks) {
        if (cell->end - cell->window <= WINDOW) return cell->end;
        open_window(cell, cell->window + WINDOW);
    }
    const uint8_t *blank = cell->window + __builtin_ctzll(cell->blanks);
    cell->blanks &= cell->blanks - 1;
    return blank < cell->end ? blank : cell->end;
}

/* Take the next word off the front, and the blank behind it. */
HOT Letters take_word(Cell *cell, int64_t separator) {
    Letters word = {cell->at, next_blank(cell), cell->limit};
    while (separator == BLANKS && word.at == word.end && word.end < cell->end) {
        word.at++;
        word.end = next_blank(cell);
    }
    cell->at = word.end + (word.end < cell->end);
    return word;
}

/* How many words there are between single blanks. */
static int64_t count_at_blanks(const uint8_t *cell, int64_t size, int is_empty_if_blank) {
    int64_t blanks = 0;
    for (int64_t place = 0; place < size; place++) blanks += cell[place] == ' ';
    return !size || (is_empty_if_blank && blanks == size) ? 0 : blanks + 1;
}

/* How many words there are between any blanks, if only these are white space. */
static int64_t count_plain(const uint8_t *cell, int64_t size) {
    int64_t words = size && cell[0] != ' ';
    uint8_t others = size && (cell[0] < ' ' || cell[0] > '~');
    for (int64_t start = 1; start < size; start += UINT8_MAX) {
        int64_t end = size - start < UINT8_MAX ? size : start + UINT8_MAX;
        uint8_t some = 0; /* counters of one byte make this loop fast */
        for (int64_t place = start; place < end; place++) {
            some += (cell[place - 1] == ' ') & (cell[place] != ' ');
            others |= (cell[place] < ' ') | (cell[place] > '~');
        }
        words += some;
    }
    return others ? NOT_PLAIN : words;
}

/* How many words each cell has. */
void count_in_cells(int64_t rows, const uint8_t *const *begins, const int64_t *lengths,
                    int64_t separator, int64_t *counts) {
    for (int64_t row = 0; row < rows; row++) {
        counts[row] = separator == BLANKS ? count_plain(begins[row], lengths[row])
                                          : count_at_blanks(begins[row], lengths[row],
                                                            separator == BLANK_UNLESS_ALL);
    }
}

static uint64_t folded(uint64_t first, uint64_t second) {
    unsigned __int128 product = (unsigned __int128)first * second;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* A number for a label, the same for equal ones. Short labels are their own number; two longer ones
   share it by accident only, which nobody can bring about without knowing the seed. */
HOT int64_t label_number(Letters word, uint64_t seed) {
    int64_t size = word.end - word.at;
    uint64_t number = (uint64_t)size << 56;
    if (size < 8) {
        uint64_t bytes = 0;
        memcpy(&bytes, word.at, word.limit - word.at < 8 ? (size_t)size : 8);
        return (int64_t)(number | (bytes & ((UINT64_C(1) << 8 * size) - 1)));
    }
    for (int64_t done = 0; done < size; done += 8) {
        uint64_t lane = 0;
        memcpy(&lane, word.at + done, size - done < 8 ? (size_t)(size - done) : 8);
        number = folded(number ^ lane ^ seed, seed * UINT64_C(0x9E3779B97F4A7C15) | 1);
    }
    return (int64_t)(number | UINT64_C(1) << 63);
}

typedef struct {
    int64_t *facts; /* of each: which number it is, where it lies, and its length */
    int64_t room, count;
} OddWords;

static void note(OddWords *odd, int64_t number, Letters word) {
    if (odd->count < odd->room) {
        int64_t facts[ODD_FACTS] = {number, (intptr_t)word.at, word.end - word.at};
        memcpy(odd->facts + ODD_FACTS * odd->count, facts, sizeof facts);
    }
    odd->count++;
}

/* Fills the numbers of the labels and the numbers of all groups: of cell k those from starts[k] to
   starts[k + 1], counted from the first cell's. Memory may be read up to each cell's limit. Gives
   how many words somebody slower must read, and notes as many as there is room for. */
int64_t read_groups(int64_t rows, const uint8_t *const *begins, const int64_t *lengths,
                    const uint8_t *const *limits, int64_t separator, const int64_t *starts,
                    int64_t width, int64_t label, int64_t seed, int64_t *labels, double *numbers,
                    int64_t *facts, int64_t room) {
    OddWords odd = {facts, room, 0};
    int64_t group = 0, number = 0;
    for (int64_t row = 0; row < rows; row++) {
        Cell cell = cell_of(begins[row], lengths[row], limits[row]);
        for (; group < starts[row + 1] - starts[0]; group++) {
            for (int64_t place = 0; place < width; place++) {
                Letters word = take_word(&cell, separator);
                if (place == label) {
                    labels[group] = label_number(word, (uint64_t)seed);
                    continue;
                }
                if (!read_number(word, numbers + number)) note(&odd, number, word);
                number++;
            }
        }
    }
    return odd.count;
}
