/* A CSV whose cells are plain numbers and texts, read into columns. */

#include "decimals.h"
#include "signs.h"

enum { STEP = 64, COPIED_AT_ONCE = 16, MAX_GAP_NAME = 8, WHOLE_DIGITS = 19 };

typedef union {
    int64_t whole;
    double number;
} Cell;

typedef struct {
    int64_t is_text;
    Cell *cells;      /* the numbers; of texts where each begins, and the last one ends */
    uint8_t *letters; /* of texts: room for as many bytes as are read, and a little more */
    uint8_t *present; /* of texts: a bit for each, taken away from gaps */
    int64_t is_float; /* from here on these are 0 at first */
    int64_t gaps;
    int64_t is_huge; /* of whole numbers: whether there is one beyond those with a sign */
    int64_t has_minus;
} Column;

/* What 64 bytes hold. */
typedef struct {
    uint64_t separators; /* a bit for each, in quotes or not */
    int has_quotes, has_high;
    int is_strange; /* signs that end a text or a line for one reader but not for another */
} Marks;

HOT Marks marks_of(const uint8_t *data) {
    Marks marks = {0, 0, 0, 0};
#ifdef __SSE2__
    const __m128i comma = _mm_set1_epi8(','), newline = _mm_set1_epi8('\n'),
                  quote = _mm_set1_epi8('"'), carriage = _mm_set1_epi8('\r');
    __m128i strange = _mm_setzero_si128(), quotes = strange, high = strange;
    for (int quarter = 3; quarter >= 0; quarter--) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)(data + 16 * quarter));
        __m128i ends = _mm_or_si128(_mm_cmpeq_epi8(bytes, comma), _mm_cmpeq_epi8(bytes, newline));
        __m128i nul = _mm_cmpeq_epi8(bytes, _mm_setzero_si128());
        strange = _mm_or_si128(strange, _mm_or_si128(nul, _mm_cmpeq_epi8(bytes, carriage)));
        quotes = _mm_or_si128(quotes, _mm_cmpeq_epi8(bytes, quote));
        high = _mm_or_si128(high, bytes);
        marks.separators = marks.separators << 16 | (uint32_t)_mm_movemask_epi8(ends);
    }
    marks.has_quotes = _mm_movemask_epi8(quotes);
    marks.has_high = _mm_movemask_epi8(high);
    marks.is_strange = _mm_movemask_epi8(strange);
#else
    for (int place = STEP - 1; place >= 0; place--) {
        uint8_t letter = data[place];
        marks.separators = marks.separators << 1 | (letter == ',' || letter == '\n');
        marks.has_quotes |= letter == '"';
        marks.has_high |= letter & 0x80;
        marks.is_strange |= letter == '\r' || letter == 0;
    }
#endif
    return marks;
}

/* Whether a cell is one of those that pandas takes for a gap. */
HOT int is_gap(Letters word) {
    static const char names[][MAX_GAP_NAME + 1] = {
        "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN",
        "<NA>", "N/A",      "NA",  "NULL",    "NaN",      "None", "n/a",  "nan",    "null"};
    size_t size = (size_t)(word.end - word.at);
    if (size == 0) return 1;
    uint8_t first = *word.at;
    if (size > MAX_GAP_NAME) return 0;
    if (first != 'N' && first != 'n' && first != '#' && first != '-' && first != '1' &&
        first != '<') {
        return 0;
    }
    for (size_t name = 0; name < sizeof names / sizeof *names; name++) {
        if (!names[name][size] && !memcmp(names[name], word.at, size)) return 1;
    }
    return 0;
}

HOT int read_whole(Letters word, uint64_t *value) {
    uint64_t digits = 0, more;
    int64_t size = word.end - word.at;
    if (size < 1 || size > WHOLE_DIGITS || word.limit - word.at < WHOLE_DIGITS + 8) {
        Decimal decimal = {0, 0, 0};
        read_digits(&word, &decimal, 0);
        *value = decimal.digits;
        return size > 0 && size <= WHOLE_DIGITS && word.at == word.end;
    }
    for (; size > 8; size -= 8, word.at += 8) {
        if (!read_eight(word.at, 8, &more)) return 0;
        digits = digits * WHOLE_TENS[8] + more;
    }
    if (!read_eight(word.at, size, &more)) return 0;
    *value = digits * WHOLE_TENS[size] + more;
    return 1;
}

/* How many digits a word begins with. */
COLD int64_t leading_digits(Letters word) {
    const uint8_t *at = word.at;
    while (at < word.end && (uint8_t)(*at - '0') <= 9) at++;
    return at - word.at;
}

/* Floats that are too long for `read_usual`, but not those whose whole part is too large for an
   integer: some versions of pandas take them for texts. */
COLD int read_unusual(Letters word, double *value) {
    return leading_digits(word) < WHOLE_DIGITS && read_value(word, value);
}

COLD void make_floats(Column *column, int64_t rows) {
    column->is_float = 1;
    for (int64_t row = 0; row < rows; row++) {
        column->cells[row].number = (double)column->cells[row].whole;
    }
}

/* Whole numbers as long as there is nothing else; gives 0 for a cell that is no plain number. */
HOT int store_number(Column *column, int64_t row, Letters word) {
    Letters digits = word;
    int is_minus = word.at < word.end && *word.at == '-';
    uint64_t whole;
    double number;
    digits.at += is_minus;
    if (!column->is_float) {
        if (read_whole(digits, &whole)) {
            column->cells[row].whole = (int64_t)(is_minus ? 0 - whole : whole);
            if (whole >> 63) column->is_huge = 1;
            if (is_minus) column->has_minus = 1;
            return whole != 0 || !is_minus; /* a float would keep the sign of -0 */
        }
        if (column->is_huge || leading_digits(digits) >= WHOLE_DIGITS) return 0;
        make_floats(column, row);
    }
    if (read_usual(digits, &number) || read_unusual(digits, &number)) {
        column->cells[row].number = is_minus ? -number : number;
        return 1;
    }
    column->cells[row].number = __builtin_nan("");
    return is_gap(word);
}

/* Copies a text in which two quotes stand for one; gives its size, or -1 where one stands alone. */
COLD int64_t copy_quotes(uint8_t *target, const uint8_t *at, const uint8_t *end) {
    int64_t size = 0;
    for (; at < end; at++) {
        if (*at == '"' && (++at == end || *at != '"')) return -1;
        target[size++] = *at;
    }
    return size;
}

HOT int store_text(Column *column, int64_t row, Letters word, int has_quotes) {
    int64_t size = word.end - word.at, begin = column->cells[row].whole;
    uint8_t *target = column->letters + begin;
    if (has_quotes) {
        size = copy_quotes(target, word.at, word.end);
        if (size < 0) return 0;
    } else if (word.limit - word.at >= size + COPIED_AT_ONCE) {
        for (int64_t done = 0; done < size; done += COPIED_AT_ONCE) {
            memcpy(target + done, word.at + done, COPIED_AT_ONCE);
        }
    } else {
        memcpy(target, word.at, (size_t)size);
    }
    if (is_gap(word)) {
        column->present[row / 8] &= (uint8_t)~(1 << row % 8);
        column->gaps++;
        size = 0;
    }
    column->cells[row + 1].whole = begin + size;
    return 1;
}

typedef struct {
    Column *columns, *column, *last;
    int64_t row, rows;
    const uint8_t *start, *limit; /* of the cell, of all bytes */
    const uint8_t *twin;          /* the last quote known to follow a quote */
} Reader;

/* The cell that ends here; 0 where it cannot be read or the line is not as wide as it should be. */
HOT int end_cell(Reader *reader, const uint8_t *end, int is_line_end) {
    Column *column = reader->column;
    Letters word = {reader->start, end, reader->limit};
    int has_quotes = 0;
    if (is_line_end != (column == reader->last) || reader->row >= reader->rows) {
        return 0;
    }
    if (word.at < word.end && *word.at == '"') {
        if (--word.end == word.at++ || *word.end != '"') return 0;
        has_quotes =
            reader->twin >= word.at && memchr(word.at, '"', (size_t)(word.end - word.at)) != NULL;
    }
    if (column->is_text ? !store_text(column, reader->row, word, has_quotes)
                        : has_quotes || !store_number(column, reader->row, word)) {
        return 0;
    }
    reader->start = end + 1;
    reader->row += is_line_end;
    reader->column = is_line_end ? reader->columns : column + 1;
    return 1;
}

/* Takes the separators inside quotes away; 0 where a quote opens inside a cell. */
HOT int leave_quotes(Reader *reader, const uint8_t *block, const uint8_t *at, Marks *marks,
                     Quoting *state) {
    if (!marks->has_quotes && !state->is_open) {
        *state = (Quoting){0, marks->separators >> 63, 0};
        return 1;
    }
    Signs signs = signs_in(block, state);
    if (signs.twins) reader->twin = at + 63 - __builtin_clzll(signs.twins);
    marks->separators &= ~signs.is_inside;
    return !(signs.unled & signs.is_inside);
}

/* Reads all bytes, which begin with a line, into as many rows. Gives 1, or 2 where bytes beyond
   ASCII are among them; 0 where anything is not that simple, so that somebody who knows all of CSV
   must look at it. */
int64_t plain_csv(const uint8_t *data, int64_t size, int64_t rows, Column *columns, int64_t width) {
    Reader reader = {columns, columns, columns + width - 1, 0, rows, data, data + size, data};
    Quoting state = {0, 1, 0};
    int has_high = 0;
    for (int64_t column = 0; column < width; column++) {
        if (columns[column].is_text) columns[column].cells[0].whole = 0;
    }
    for (int64_t place = 0; place < size; place += STEP) {
        uint8_t rest[STEP];
        const uint8_t *block = data + place;
        if (size - place < STEP) {
            memset(rest, ' ', sizeof rest);
            memcpy(rest, block, (size_t)(size - place));
            block = rest;
        }
        Marks marks = marks_of(block);
        has_high |= marks.has_high;
        if (marks.is_strange || !leave_quotes(&reader, block, data + place, &marks, &state))
            return 0;
        for (uint64_t bits = marks.separators; bits; bits &= bits - 1) {
            const uint8_t *end = data + place + __builtin_ctzll(bits);
            if (!end_cell(&reader, end, *end == '\n')) return 0;
        }
    }
    int is_open_line = reader.start < reader.limit || reader.column > columns;
    if (is_open_line && !end_cell(&reader, reader.limit, 1)) return 0;
    if (state.is_open || reader.row != rows) return 0;
    return has_high ? 2 : 1;
}
