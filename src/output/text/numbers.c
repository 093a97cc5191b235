#include "output/text/numbers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/decimal.h"

/* "1.5e-05" becomes "1.5e-5", "2e+07" becomes "2e7". */
static void tidy_exponent(char *text) {
    char *exponent = strchr(text, 'e');
    if (!exponent)
        return;
    char *to = exponent + 1;
    const char *from = to;
    if (*from == '-')
        *to++ = *from++;
    else if (*from == '+')
        from++;
    while (*from == '0' && from[1])
        from++;
    memmove(to, from, strlen(from) + 1);
}

void fc_number_text(double value, int digits, char text[FC_NUMBER_SIZE]) {
    text[0] = '\0';
    if (!isfinite(value))
        return;
    if (value == 0) /* also -0 */
        value = 0;
    if (value == floor(value) && fabs(value) < 1e9) {
        snprintf(text, FC_NUMBER_SIZE, "%.0f", value);
        return;
    }
    if (digits < 1)
        digits = 1;
    if (digits > 17)
        digits = 17;
    snprintf(text, FC_NUMBER_SIZE, "%.*g", digits, value);
    if (strchr(text, 'e') && fabs(value) >= 1 && fabs(value) < 1e7)
        snprintf(text, FC_NUMBER_SIZE, "%.0f", value); /* 12345.6 to 4 digits reads better whole */
    tidy_exponent(text);
}

void fc_number_exact(double value, char text[FC_NUMBER_SIZE]) {
    text[0] = '\0';
    if (!isfinite(value))
        return;
    if (value == floor(value) && fabs(value) < 1e15) {
        snprintf(text, FC_NUMBER_SIZE, "%.0f", value == 0 ? 0 : value);
        return;
    }
    fc_real_text(value, text);
}

void fc_number_interval(double value, double half_width, char value_text[FC_NUMBER_SIZE],
                        char half_text[FC_NUMBER_SIZE]) {
    half_text[0] = '\0';
    if (!isfinite(value) || !isfinite(half_width) || half_width <= 0) {
        fc_number_text(value, 6, value_text);
        if (isfinite(value) && half_width == 0)
            snprintf(half_text, FC_NUMBER_SIZE, "0");
        return;
    }
    /* The place of the half width's second digit, after rounding: 0.0996 is 0.10. */
    char rounded[FC_NUMBER_SIZE];
    snprintf(rounded, sizeof rounded, "%.1e", half_width);
    const int place = atoi(strchr(rounded, 'e') + 1) - 1;
    const double magnitude = fmax(fabs(value), half_width);
    if (magnitude >= 1e9 || magnitude < 1e-4) {
        snprintf(half_text, FC_NUMBER_SIZE, "%.1e", half_width);
        const int leading = value == 0 ? place : (int)floor(log10(fabs(value)));
        const int digits = leading - place;
        snprintf(value_text, FC_NUMBER_SIZE, "%.*e",
                 digits < 0    ? 0
                 : digits > 16 ? 16
                               : digits,
                 value);
        if (value == 0)
            snprintf(value_text, FC_NUMBER_SIZE, "0");
        tidy_exponent(value_text);
        tidy_exponent(half_text);
        return;
    }
    const int decimals = place >= 0 ? 0 : place < -17 ? 17 : -place;
    snprintf(value_text, FC_NUMBER_SIZE, "%.*f", decimals, value);
    snprintf(half_text, FC_NUMBER_SIZE, "%.*f", decimals, half_width);
}

void fc_number_percent(double ratio, char text[FC_NUMBER_SIZE]) {
    text[0] = '\0';
    if (!isfinite(ratio))
        return;
    const double percent = 100 * ratio;
    const double size = fabs(percent);
    if (size >= 1e6)
        snprintf(text, FC_NUMBER_SIZE, "%+.1e %%", percent);
    else if (size < 0.005)
        snprintf(text, FC_NUMBER_SIZE, "0.0 %%");
    else
        snprintf(text, FC_NUMBER_SIZE, "%+.*f %%",
                 size < 0.095   ? 2
                 : size < 99.95 ? 1
                                : 0,
                 percent);
}

void fc_number_count(double count, char text[FC_NUMBER_SIZE]) {
    static const struct {
        double size;
        const char *name;
    } scales[] = {{1e12, "trillion"}, {1e9, "billion"}, {1e6, "million"}};
    text[0] = '\0';
    if (!isfinite(count))
        return;
    for (size_t s = 0; s < sizeof scales / sizeof *scales; s++) {
        if (count >= 0.9995 * scales[s].size && count < 1e15) {
            snprintf(text, FC_NUMBER_SIZE, "%.3g %s", count / scales[s].size, scales[s].name);
            return;
        }
    }
    fc_number_text(count, 3, text);
}

void fc_number_seconds(double seconds, char text[FC_NUMBER_SIZE]) {
    text[0] = '\0';
    if (!isfinite(seconds))
        return;
    if (seconds >= 99.5)
        snprintf(text, FC_NUMBER_SIZE, "%.0f s", seconds);
    else if (seconds >= 0.9995)
        snprintf(text, FC_NUMBER_SIZE, "%.3g s", seconds);
    else if (seconds >= 0.9995e-3)
        snprintf(text, FC_NUMBER_SIZE, "%.3g ms", 1e3 * seconds);
    else
        snprintf(text, FC_NUMBER_SIZE, "%.3g us", 1e6 * seconds);
}
