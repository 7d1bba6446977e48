/* Numbers in decimal notation, read to the nearest double as Python does. */

#ifndef DECIMALS_H
#define DECIMALS_H

#include <stdint.h>
#include <string.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "eight bytes are read as one number, whose lowest part is the first of them"
#endif

/* A function that is called for each word must not be called at all: its arguments would go through
   memory, in halves that the processor cannot put together at once. */
#define HOT static inline __attribute__((always_inline))
#define COLD static __attribute__((noinline, unused))

#define IN_EIGHT(byte) ((byte) * UINT64_C(0x0101010101010101))

enum { MAX_POWER = 27, EXACT_POWER = 22, USUAL_SIZE = 8 + 1 + 24 };

static const double TENS[EXACT_POWER + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                             1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                             1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

static const uint64_t WHOLE_TENS[] = {1,      10,      100,      1000,     10000,
                                      100000, 1000000, 10000000, 100000000};

static const uint64_t FIVES[MAX_POWER + 1] = {
    1,
    5,
    25,
    125,
    625,
    3125,
    15625,
    78125,
    390625,
    1953125,
    9765625,
    48828125,
    244140625,
    1220703125,
    6103515625,
    30517578125,
    152587890625,
    762939453125,
    3814697265625,
    19073486328125,
    95367431640625,
    476837158203125,
    2384185791015625,
    11920928955078125,
    59604644775390625,
    298023223876953125,
    1490116119384765625,
    7450580596923828125,
};

/* The first 64 bits of 1 / 5^power; that of 1 is never used. */
static const uint64_t RECIPROCALS[MAX_POWER + 1] = {
    UINT64_C(18446744073709551615), UINT64_C(14757395258967641292), UINT64_C(11805916207174113034),
    UINT64_C(9444732965739290427),  UINT64_C(15111572745182864683), UINT64_C(12089258196146291747),
    UINT64_C(9671406556917033397),  UINT64_C(15474250491067253436), UINT64_C(12379400392853802748),
    UINT64_C(9903520314283042199),  UINT64_C(15845632502852867518), UINT64_C(12676506002282294014),
    UINT64_C(10141204801825835211), UINT64_C(16225927682921336339), UINT64_C(12980742146337069071),
    UINT64_C(10384593717069655257), UINT64_C(16615349947311448411), UINT64_C(13292279957849158729),
    UINT64_C(10633823966279326983), UINT64_C(17014118346046923173), UINT64_C(13611294676837538538),
    UINT64_C(10889035741470030830), UINT64_C(17422457186352049329), UINT64_C(13937965749081639463),
    UINT64_C(11150372599265311570), UINT64_C(17840596158824498513), UINT64_C(14272476927059598810),
    UINT64_C(11417981541647679048),
};

/* A word, and how far memory may be read behind it. */
typedef struct {
    const uint8_t *at, *end, *limit;
} Letters;

typedef struct {
    uint64_t digits;  /* the first 19 of them */
    int64_t exponent; /* of the ten that they are to be multiplied with */
    int is_cut;       /* whether digits that are not 0 follow them */
} Decimal;

static inline double power_of_two(int64_t power) {
    uint64_t bits = (uint64_t)(1023 + power) << 52;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* digits / 10^power to the nearest double, by a division of 128 bits. */
COLD double divided(uint64_t digits, int64_t power) {
    /* The quotient has more than 64 bits, so that its last one can stand for all behind it. */
    int64_t shift = 64 + __builtin_clzll(digits);
    uint64_t divisor = FIVES[power];
    unsigned __int128 dividend = (unsigned __int128)digits << shift;
    unsigned __int128 quotient = dividend / divisor;
    quotient |= quotient * divisor != dividend;
    return (double)quotient * power_of_two(-power - shift);
}

/* The same by a multiplication, where that tells enough: the quotient is less than 4 more than the
   64 bits that come out, of which 53 stay, so only what seems to lie just below or at the middle of
   two doubles needs a division. */
HOT double quotient_of(uint64_t digits, int64_t power) {
    const uint64_t middle = 1 << 10;
    int64_t shift = __builtin_clzll(digits);
    unsigned __int128 product = (unsigned __int128)(digits << shift) * RECIPROCALS[power];
    uint64_t bits = (uint64_t)(product >> 64);
    int64_t is_short = !(bits >> 63);
    bits <<= is_short;
    uint64_t rest = bits & (2 * middle - 1);
    if (rest > middle - 4 && rest <= middle) return divided(digits, power);
    bits = (bits >> 11) + (rest > middle);
    int64_t length = 64 - __builtin_clzll(FIVES[power]);
    return (double)(int64_t)bits * power_of_two(12 - shift - length - is_short - power);
}

/* The nearest double to digits * 10^exponent, up to the power of 27: five to it has 63 bits. */
HOT double nearest(uint64_t digits, int64_t exponent) {
    if (exponent < 0) return quotient_of(digits, -exponent);
    unsigned __int128 product = (unsigned __int128)digits * FIVES[exponent];
    return (double)product * power_of_two(exponent);
}

/* Whether the value can be told here; it is the nearest double then, as Python finds it. */
HOT int to_double(Decimal decimal, double *value) {
    int64_t power = decimal.exponent < 0 ? -decimal.exponent : decimal.exponent;
    if (decimal.digits == 0) {
        *value = 0;
        return 1;
    }
    if (decimal.digits >> 53 == 0 && power <= EXACT_POWER) {
        /* Both are exact, so that one operation rounds once. */
        double whole = (double)decimal.digits;
        *value = decimal.exponent < 0 ? whole / TENS[power] : whole * TENS[power];
        return 1;
    }
    if (power > MAX_POWER) return 0;
    *value = nearest(decimal.digits, decimal.exponent);
    return !decimal.is_cut || *value == nearest(decimal.digits + 1, decimal.exponent);
}

/* Eight letters as one number, in which digits are their values. */
static inline uint64_t eight_letters(const uint8_t *at) {
    uint64_t bytes;
    memcpy(&bytes, at, 8);
    return bytes ^ IN_EIGHT('0');
}

/* Eight digits joined two by two, then all pairs at once. */
static inline uint64_t joined(uint64_t digits) {
    const uint64_t kept = 0x000000ff000000ff;
    digits = digits * 10 + (digits >> 8);
    return ((digits & kept) * 0x000f424000000064 + (digits >> 16 & kept) * 0x0000271000000001) >>
           32;
}

/* Bits at bytes that are no values of digits; only the lowest is right about its byte. */
static inline uint64_t not_digits(uint64_t bytes) {
    return ((bytes + IN_EIGHT(0x76)) | bytes) & IN_EIGHT(0x80);
}

/* Take all digits. */
static inline void read_digits(Letters *rest, Decimal *decimal, int is_fraction) {
    for (; rest->at < rest->end; rest->at++) {
        uint8_t digit = (uint8_t)(*rest->at - '0');
        if (digit > 9) break;
        if (decimal->digits < 1000000000000000000) {
            decimal->digits = decimal->digits * 10 + digit;
            decimal->exponent -= is_fraction;
        } else {
            decimal->is_cut |= digit != 0;
            decimal->exponent += !is_fraction;
        }
    }
}

static inline int read_sign(Letters *rest) {
    int is_minus = rest->at < rest->end && *rest->at == '-';
    rest->at += is_minus || (rest->at < rest->end && *rest->at == '+');
    return is_minus;
}

/* The power of ten behind an `e`; whether it is one, and not too large to be told here. */
static inline int read_exponent(Letters *rest, Decimal *decimal) {
    const int64_t enough = 1000000;
    int64_t power = 0;
    int is_minus = read_sign(rest);
    const uint8_t *start = rest->at;
    for (; rest->at < rest->end && (uint8_t)(*rest->at - '0') <= 9; rest->at++) {
        power = power < enough ? power * 10 + (*rest->at - '0') : power;
    }
    decimal->exponent += is_minus ? -power : power;
    return rest->at > start && power < enough;
}

/* Words that Python reads as numbers although they have no digits. */
static inline int read_name(Letters rest, double *value) {
    static const char *const names[] = {"nan", "inf", "infinity"};
    for (int number = 0; number < 3; number++) {
        const uint8_t *at = rest.at;
        const char *name = names[number];
        for (; *name && at < rest.end && (*at | 0x20) == *name; name++) at++;
        *value = number ? __builtin_inf() : __builtin_nan("");
        if (!*name && at == rest.end) return 1;
    }
    return 0;
}

COLD int read_value(Letters rest, double *value) {
    Decimal decimal = {0, 0, 0};
    const uint8_t *start = rest.at;
    read_digits(&rest, &decimal, 0);
    int64_t digits = rest.at - start;
    if (rest.at < rest.end && *rest.at == '.') {
        start = ++rest.at;
        read_digits(&rest, &decimal, 1);
        digits += rest.at - start;
    }
    if (!digits) return 0;
    if (rest.at < rest.end && (*rest.at | 0x20) == 'e') {
        rest.at++;
        if (!read_exponent(&rest, &decimal)) return 0;
    }
    return rest.at == rest.end && to_double(decimal, value);
}

/* The value of the first one to eight letters, if they are digits; there are eight to be read. */
HOT int read_eight(const uint8_t *at, int64_t count, uint64_t *value) {
    uint64_t digits = eight_letters(at) << 8 * (8 - count);
    *value = joined(digits);
    return !not_digits(digits);
}

/* The usual case: up to eight digits, and so many as a fraction that all are 19 at most. */
HOT int read_usual(Letters word, double *value) {
    if (word.limit - word.at < USUAL_SIZE) return 0;
    uint64_t bytes = eight_letters(word.at), others = not_digits(bytes), digits, more;
    int64_t size = word.end - word.at, before = others ? __builtin_ctzll(others) / 8 : 8;
    if (before >= size) {
        if (size < 1) return 0;
        *value = (double)(int64_t)joined(bytes << 8 * (8 - size));
        return 1;
    }
    const uint8_t *fraction = word.at + before + 1;
    int64_t behind = size - before - 1;
    if (fraction[-1] != '.' || before < 1 || behind < 1) return 0;
    if (size <= 9) {
        /* Without its point the word is one number of up to eight digits. */
        uint64_t low = (UINT64_C(1) << 8 * before) - 1;
        digits = ((bytes & low) | (eight_letters(word.at + 1) & ~low)) << 8 * (9 - size);
        *value = (double)(int64_t)joined(digits) / TENS[behind];
        return !not_digits(digits);
    }
    if (size > 20) return 0;
    digits = joined(bytes << 8 * (8 - before));
    int64_t rest = behind;
    for (; rest > 8; rest -= 8, fraction += 8) {
        if (!read_eight(fraction, 8, &more)) return 0;
        digits = digits * WHOLE_TENS[8] + more;
    }
    if (!read_eight(fraction, rest, &more)) return 0;
    return to_double((Decimal){digits * WHOLE_TENS[rest] + more, -behind, 0}, value);
}

/* Whether the letters are a number that can be told here: Python knows more spellings. */
HOT int read_number(Letters word, double *value) {
    int is_minus = read_sign(&word);
    if (!read_usual(word, value) && !read_value(word, value) && !read_name(word, value)) return 0;
    uint64_t bits;
    memcpy(&bits, value, sizeof bits);
    bits ^= (uint64_t)is_minus << 63;
    memcpy(value, &bits, sizeof bits);
    return 1;
}

#endif
