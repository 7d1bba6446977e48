/* Lists in another order than the true one: pairs of words that stand the other way round. */

#include "word_table.h"

/* Room for lists of some length. */
typedef struct {
    int64_t length, count; /* the most words there may be, and how many there are */
    int64_t *rank;         /* the place in the true list of each predicted word */
    int64_t *next;  /* where in the true list the same word stands next, after the last the first */
    uint64_t *seen; /* a bit for each rank */
    int64_t *sums;  /* a Fenwick tree: how many bits are set in a stretch of `seen` */
} Ranks;

static void free_ranks(Ranks *ranks) {
    free(ranks->rank);
    free(ranks->next);
    free(ranks->seen);
    free(ranks->sums);
}

static int make_room(Ranks *ranks, int64_t length) {
    if (length <= ranks->length) {
        return 1;
    }
    free_ranks(ranks);
    size_t room = 2 * (size_t)length, stretches = room / 64 + 2, size = sizeof(int64_t);
    *ranks = (Ranks){2 * length,
                     0,
                     malloc(room * size),
                     malloc(room * size),
                     malloc(stretches * size),
                     malloc(stretches * size)};
    return ranks->rank && ranks->next && ranks->seen && ranks->sums;
}

/* Rank the predicted words: of equal words the first is the first of the true ones. Gives how many
are ranked before one that is not among the true words, or no longer; −1 without memory. A word's
value is its last place in the true list, from 1. */
static int64_t rank_words(Table *table, Text truth, Text guesses, Ranks *ranks) {
    Words right = words_of(truth), guessed = words_of(guesses);
    int64_t *next = ranks->next, place = 0;
    Word word;
    empty_table(table);
    for (; next_word(&right, &word); place++) {
        Slot *slot = insert(table, word);
        if (!slot) {
            return -1;
        }
        int64_t last = slot->value ? slot->value - 1 : place;
        next[place] = slot->value ? next[last] : place;
        next[last] = place;
        slot->value = place + 1;
    }
    ranks->count = place;
    for (place = 0; next_word(&guessed, &word); place++) {
        Slot *slot = find(table, word);
        if (!slot || !slot->value) {
            return place;
        }
        int64_t last = slot->value - 1, first = next[last];
        ranks->rank[place] = first;
        next[last] = next[first];
        slot->value = first == last ? 0 : slot->value;
    }
    return place;
}

/* How many pairs of ranks stand in the wrong order: for each, how many greater ones came before. */
static int64_t count_swaps(const Ranks *ranks, int64_t length) {
    int64_t swaps = 0, stretches = length / 64 + 1;
    memset(ranks->seen, 0, (size_t)stretches * sizeof *ranks->seen);
    memset(ranks->sums, 0, (size_t)(stretches + 1) * sizeof *ranks->sums);
    for (int64_t place = 0; place < length; place++) {
        int64_t rank = ranks->rank[place], stretch = rank / 64;
        uint64_t bit = (uint64_t)1 << rank % 64;
        int64_t smaller = __builtin_popcountll(ranks->seen[stretch] & (bit - 1));
        for (int64_t sum = stretch; sum > 0; sum &= sum - 1) {
            smaller += ranks->sums[sum];
        }
        swaps += place - smaller;
        ranks->seen[stretch] |= bit;
        for (int64_t sum = stretch + 1; sum <= stretches; sum += sum & -sum) {
            ranks->sums[sum]++;
        }
    }
    return swaps;
}

typedef struct {
    int64_t swaps;               /* pairs in the opposite order */
    int64_t pairs;               /* twice the pairs there are */
    int64_t other_length;        /* rows whose list has another length than the true one */
    int64_t other_words;         /* rows of the right length with other words */
    int64_t true_length, length; /* of the first row of another length */
} Orders;

static int compare_lists(Table *table, Text truth, Text guesses, Ranks *ranks, Orders *orders) {
    if (!make_room(ranks, truth.size / 2 + 1)) {
        return 0;
    }
    int64_t ranked = rank_words(table, truth, guesses, ranks), length = ranks->count;
    orders->pairs += length * (length - 1);
    if (ranked == length && count_words(guesses) == length) {
        orders->swaps += count_swaps(ranks, length);
    } else if (ranked >= 0 && count_words(guesses) == length) {
        orders->other_words++;
    } else if (ranked >= 0 && !orders->other_length++) {
        orders->true_length = length;
        orders->length = count_words(guesses);
    }
    return ranked >= 0;
}

/* All about a block of rows; gives −1 if there is no memory. */
int64_t compare_orders(int64_t rows, const uint8_t *true_data, const int64_t *true_ends,
                       const uint8_t *data, const int64_t *ends, uint64_t seed, Orders *orders) {
    Column truth = {rows, true_data, true_ends}, guesses = {rows, data, ends};
    Ranks ranks = {0};
    Table table;
    int has_memory = open_table(&table, seed);
    for (int64_t row = 0; row < rows && has_memory; row++) {
        Text one = cell(truth, row), other = cell(guesses, row);
        if (is_same(one, other)) {
            int64_t length = count_words(one);
            orders->pairs += length * (length - 1);
        } else {
            has_memory = compare_lists(&table, one, other, &ranks, orders);
        }
    }
    close_table(&table);
    free_ranks(&ranks);
    return has_memory ? 0 : -1;
}
