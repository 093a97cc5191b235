#include "base/decimal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool fc_parse_whole(const char *text, uint64_t most, uint64_t *number) {
    uint64_t value = 0;
    if (!*text)
        return false;
    for (; *text; ++text) {
        if (*text < '0' || *text > '9')
            return false;
        const uint64_t digit = (uint64_t)(*text - '0');
        if (value > (most - digit) / 10 || digit > most)
            return false;
        value = 10 * value + digit;
    }
    *number = value;
    return true;
}

bool fc_parse_real(const char *text, double *number) {
    char *end;
    if (!*text || strspn(text, "0123456789+-.eE") != strlen(text))
        return false;
    *number = strtod(text, &end);
    return !*end && isfinite(*number);
}

void fc_real_text(double number, char text[FC_REAL_SIZE]) {
    for (int digits = 15; digits <= 17; ++digits) {
        snprintf(text, FC_REAL_SIZE, "%.*g", digits, number);
        if (strtod(text, NULL) == number)
            break;
    }
}
