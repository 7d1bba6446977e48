/* Areas of masks that are written as run lengths: both cells of a row are walked side by side. */

#include <stdint.h>
#include <string.h>

#include "runs.h"

typedef struct {
    int64_t *true_pixels, *predicted_pixels, *common;
} Areas;

enum { NOT_A_NUMBER = 1, ODD_COUNT, NO_PIXEL, DESCENT, OVERLAP };

static int64_t smaller(int64_t first, int64_t second) {
    return first < second ? first : second;
}

static int64_t larger(int64_t first, int64_t second) {
    return first > second ? first : second;
}

/* Pixels in both; gives which side is at fault, 0 the truth, or nothing (-1). */
static int common_area(Runs *true_runs, Runs *predicted, int64_t *common) {
    int64_t sum = 0;
    int is_true = next_run(true_runs), is_predicted = next_run(predicted);
    while (is_true == FOUND && is_predicted == FOUND) {
        sum += larger(smaller(true_runs->end, predicted->end) -
                          larger(true_runs->start, predicted->start),
                      0);
        if (true_runs->end <= predicted->end)
            is_true = next_run(true_runs);
        else
            is_predicted = next_run(predicted);
    }
    while (is_true == FOUND) is_true = next_run(true_runs);
    while (is_predicted == FOUND) is_predicted = next_run(predicted);
    *common = sum;
    return is_true == FAULT ? 0 : is_predicted == FAULT ? 1 : -1;
}

static int is_same(Text first, Text second) {
    int64_t length = first.end - first.place;
    return length == second.end - second.place &&
           (first.place == second.place || !memcmp(first.place, second.place, (size_t)length));
}

static int measure_row(Text true_text, Text text, int64_t size, int64_t overlap_limit, int64_t row,
                       const Areas *areas) {
    Runs true_runs = runs_of(true_text, size, overlap_limit);
    if (is_same(true_text, text)) {
        int found;
        do found = next_run(&true_runs);
        while (found == FOUND);
        areas->true_pixels[row] = areas->predicted_pixels[row] = true_runs.area;
        areas->common[row] = true_runs.area;
        return found == FAULT ? 0 : -1;
    }
    Runs predicted = runs_of(text, size, overlap_limit);
    int wrong_side = common_area(&true_runs, &predicted, &areas->common[row]);
    areas->true_pixels[row] = true_runs.area;
    areas->predicted_pixels[row] = predicted.area;
    return wrong_side;
}

/* Pixels marked in the truth, in the prediction and in both, for each row; gives the first row
   that is malformed, twice its number and one more for a prediction, or -1. */
int64_t mask_areas(int64_t rows, const uint8_t *const *true_begins, const int64_t *true_lengths,
                   const uint8_t *const *begins, const int64_t *lengths, const int64_t *sizes,
                   int64_t is_cut_first, int64_t *true_pixels, int64_t *predicted_pixels,
                   int64_t *common) {
    Cells true_cells = {true_begins, true_lengths}, cells = {begins, lengths};
    Areas areas = {true_pixels, predicted_pixels, common};
    for (int64_t row = 0; row < rows; row++) {
        int64_t overlap_limit = is_cut_first ? sizes[row] : INT64_MAX;
        int wrong_side = measure_row(cell_text(&true_cells, row), cell_text(&cells, row),
                                     sizes[row], overlap_limit, row, &areas);
        if (wrong_side >= 0) return 2 * row + wrong_side;
    }
    return -1;
}

/* What is wrong with a mask, the gravest first; `detail` is where a wrong word begins, or how many
   numbers there are. */
int64_t mask_fault(const uint8_t *begin, int64_t length, int64_t overlap_limit, int64_t *detail) {
    Text text = {begin, begin + length};
    int64_t numbers = 0, number, start = 0, end = 0;
    int has_zero = 0, has_descent = 0, has_overlap = 0, found;
    while ((found = next_number(&text, &number)) == FOUND) {
        has_zero |= number < 1;
        if (numbers % 2 == 0) {
            number -= 1;
            has_descent |= number < start;
            has_overlap |= number < at_most(end, overlap_limit);
            start = number;
        } else {
            end = start + number;
        }
        numbers++;
    }
    *detail = found == FAULT ? text.place - begin : numbers;
    if (found == FAULT) return NOT_A_NUMBER;
    if (numbers % 2 && numbers > 3) return ODD_COUNT;
    if (numbers == 1) return has_zero ? NO_PIXEL : 0;
    return has_zero ? NO_PIXEL : has_descent ? DESCENT : has_overlap ? OVERLAP : 0;
}
