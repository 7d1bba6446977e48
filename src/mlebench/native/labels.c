/* Labels that are whole numbers close together: counted, which is faster than looking them up. */

#include <stdint.h>

typedef struct {
    int64_t of_truth, of_prediction, of_both; /* rows; the last are right */
} Counts;

/* The place of a label among those from `low` on, or −1 if it stands between two of them, lies
   outside or is no number. */
static int64_t place_of(double label, double low, int64_t labels) {
    double steps = label - low;
    if (!(steps >= 0 && steps < (double)labels)) return -1;
    int64_t place = (int64_t)steps;
    return (double)place + low == label ? place : -1;
}

/* Add the labels of all rows to the counts; gives the number of rows before one without place. */
int64_t count_labels(int64_t rows, const double *truth, const double *predicted, double low,
                     int64_t labels, Counts *counts) {
    for (int64_t row = 0; row < rows; row++) {
        int64_t right = place_of(truth[row], low, labels);
        int64_t guess = place_of(predicted[row], low, labels);
        if (right < 0 || guess < 0) return row;
        counts[right].of_truth++;
        counts[guess].of_prediction++;
        counts[right].of_both += right == guess;
    }
    return rows;
}

/* The sum over rows of the squared distance between truth and prediction, counted in the labels that
   are found: `numbers` says how many there are before each. All labels have a place. */
double sum_squared_steps(int64_t rows, const double *truth, const double *predicted, double low,
                         int64_t labels, const int64_t *numbers) {
    double sum = 0;
    for (int64_t row = 0; row < rows; row++) {
        int64_t right = place_of(truth[row], low, labels);
        int64_t guess = place_of(predicted[row], low, labels);
        if (right < 0 || guess < 0) return -1;
        double steps = (double)(numbers[right] - numbers[guess]);
        sum += steps * steps;
    }
    return sum;
}
