#include "output/pictures/scale.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Beyond these, differences overflow or lose all digits; nothing a network does is out there. */
static const double LARGEST = 1e300, SMALLEST = 1e-300;
static const double FAR = 1e3;

double fc_scale_position(const fc_scale *axis, double value) {
    const double position = axis->log
                                ? (log(value) - log(axis->low)) / (log(axis->high) - log(axis->low))
                                : (value - axis->low) / (axis->high - axis->low);
    return fmin(fmax(position, -FAR), FAR);
}

static void add_tick(fc_scale *axis, double value, const char *label) {
    if (axis->tick_count == FC_TICKS_MAX)
        return;
    fc_tick *tick = &axis->ticks[axis->tick_count++];
    tick->value = value;
    tick->position = fc_scale_position(axis, value);
    snprintf(tick->label, sizeof tick->label, "%s", label);
}

/* The decimal place of the first digit: 2 for 345. */
static int place_of(double value) {
    return (int)floor(log10(fabs(value)) + 1e-9);
}

/* "2.00e-06" as "2.00e-6". */
static void scientific(double value, int decimals, char text[FC_NUMBER_SIZE]) {
    const int exponent = place_of(value);
    snprintf(text, FC_NUMBER_SIZE, "%.*fe%d", decimals, value / pow(10, exponent), exponent);
}

/* The nearest of 1, 2 and 5 times a power of ten. */
static double round_step(double step) {
    const double power = pow(10, floor(log10(step)));
    const double mantissa = step / power;
    return (mantissa < 1.5 ? 1 : mantissa < 3.5 ? 2 : mantissa < 7.5 ? 5 : 10) * power;
}

/* Whether 1.5e7 is shorter than 15000000, but 1000000.25 not shorter than 1.00000025e6. */
static bool prefers_exponent(double largest, double step) {
    if (largest < 1e-4)
        return true;
    if (largest < 1e6)
        return false;
    const int leading = place_of(largest), place = place_of(step);
    const int digits = leading > place ? leading - place : 0;
    return leading + (place < 0 ? -place : 0) > digits + 4;
}

static void linear_label(double value, double step, bool exponent, char text[FC_NUMBER_SIZE]) {
    const int place = place_of(step);
    if (value == 0) {
        snprintf(text, FC_NUMBER_SIZE, "0");
    } else if (exponent) {
        const int leading = place_of(value);
        scientific(value, leading > place ? leading - place : 0, text);
    } else {
        snprintf(text, FC_NUMBER_SIZE, "%.*f", place < 0 ? -place : 0, value);
    }
}

/* Ticks at the multiples of step from low to high. */
static void linear_ticks(fc_scale *axis, double step) {
    const double first = ceil(axis->low / step - 1e-9);
    const double last = floor(axis->high / step + 1e-9);
    const bool exponent = prefers_exponent(fmax(fabs(axis->low), fabs(axis->high)), step);
    for (double i = first; i <= last; i++) {
        char label[FC_NUMBER_SIZE];
        const double value = i * step;
        linear_label(value, step, exponent, label);
        add_tick(axis, value, label);
    }
}

static void fit_linear(fc_scale *axis, double low, double high, int wanted) {
    if (high - low <= 1e-12 * fmax(fabs(low), fabs(high))) { /* all values equal */
        low = fmin(low, 0);
        high = fmax(high, 0);
    }
    if (fmax(fabs(low), fabs(high)) < SMALLEST) {
        low = 0;
        high = 1;
    }
    if (low > 0 && low < 0.5 * high)
        low = 0;
    if (high < 0 && high > 0.5 * low)
        high = 0;
    const double step = round_step((high - low) / wanted);
    axis->low = step * floor(low / step + 1e-9);
    axis->high = step * ceil(high / step - 1e-9);
    linear_ticks(axis, step);
}

static void log_label(double value, char text[FC_NUMBER_SIZE]) {
    if (value >= 0.9e6 || value < 0.9e-4)
        scientific(value, 0, text);
    else
        snprintf(text, FC_NUMBER_SIZE, "%.1g", value);
    if (strchr(text, 'e') && value >= 0.9e-4 && value < 0.9e6)
        snprintf(text, FC_NUMBER_SIZE, "%.0f", value);
}

static bool labelled(int mantissa, double decades) {
    return mantissa == 1 || (decades < 3.5 && (mantissa == 2 || mantissa == 5));
}

/* The next labelled tick at or below (direction -1) or at or above (1) the value. */
static double snap(double value, double decades, int direction) {
    const double exponent = floor(log10(value) + 1e-9);
    double best = direction < 0 ? pow(10, exponent) : pow(10, exponent + 1);
    for (int mantissa = 1; mantissa < 10; mantissa++) {
        const double tick = mantissa * pow(10, exponent);
        if (!labelled(mantissa, decades))
            continue;
        if (direction < 0 && tick <= value * (1 + 1e-9))
            best = tick;
        if (direction > 0 && tick >= value * (1 - 1e-9) && tick < best)
            best = tick;
    }
    return best;
}

static void log_ticks(fc_scale *axis, double decades, int wanted) {
    const double first = floor(log10(axis->low) + 1e-9);
    const double last = floor(log10(axis->high) + 1e-9);
    const double stride = fmax(1, ceil(decades / (wanted + 2)));
    for (double exponent = first; exponent <= last; exponent += stride) {
        for (int mantissa = 1; mantissa < (decades <= 7 ? 10 : 2); mantissa++) {
            const double value = mantissa * pow(10, exponent);
            char label[FC_NUMBER_SIZE] = "";
            if (value < axis->low * (1 - 1e-9) || value > axis->high * (1 + 1e-9))
                continue;
            if (labelled(mantissa, decades))
                log_label(value, label);
            add_tick(axis, value, label);
        }
    }
}

static void fit_log(fc_scale *axis, double low, double high, int wanted) {
    low = fmax(low, SMALLEST);
    high = fmax(high, SMALLEST);
    if (high < low * (1 + 1e-9)) {
        low /= 3;
        high *= 3;
    }
    const double decades = log10(high) - log10(low);
    if (decades < 0.6) { /* too few round numbers: the ticks of a linear axis */
        const double step = round_step((high - low) / wanted);
        axis->low = step * floor(low / step + 1e-9);
        if (!(axis->low > 0))
            axis->low = low;
        axis->high = step * ceil(high / step - 1e-9);
        linear_ticks(axis, step);
        return;
    }
    axis->low = snap(low, decades, -1);
    axis->high = snap(high, decades, 1);
    log_ticks(axis, log10(axis->high) - log10(axis->low), wanted);
}

void fc_scale_fit(fc_scale *axis, double low, double high, bool logarithmic, int wanted) {
    *axis = (fc_scale){.log = logarithmic};
    if (!(low <= high)) {
        low = logarithmic ? 1 : 0;
        high = logarithmic ? 10 : 1;
    }
    low = fmin(fmax(low, -LARGEST), LARGEST);
    high = fmin(fmax(high, -LARGEST), LARGEST);
    if (logarithmic)
        fit_log(axis, low, high, wanted);
    else
        fit_linear(axis, low, high, wanted);
}

static void bytes_label(double value, char text[FC_NUMBER_SIZE]) {
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    size_t unit = 0;
    for (; unit < 4 && value >= 1024; unit++)
        value /= 1024;
    if (value == 0)
        snprintf(text, FC_NUMBER_SIZE, "0");
    else
        snprintf(text, FC_NUMBER_SIZE, "%.4g %s", value, units[unit]);
}

void fc_scale_bytes(fc_scale *axis, double low, double high, bool logarithmic, int wanted) {
    *axis = (fc_scale){.log = logarithmic};
    if (!(low <= high) || !(high >= 1)) {
        low = logarithmic ? 1 : 0;
        high = 1024;
    }
    low = fmin(logarithmic ? fmax(low, 1) : 0, high);
    high = fmin(high, LARGEST);
    char label[FC_NUMBER_SIZE];
    if (logarithmic) {
        const double first = floor(log2(low) + 1e-9);
        const double last = fmax(ceil(log2(high) - 1e-9), first + 1);
        const double stride = fmax(1, ceil((last - first) / wanted));
        axis->low = exp2(first);
        axis->high = exp2(last);
        for (double power = first; power <= last; power += stride) {
            bytes_label(exp2(power), label);
            add_tick(axis, exp2(power), label);
        }
        return;
    }
    const double step = fmax(1, exp2(round(log2(high / wanted))));
    axis->high = step * ceil(high / step - 1e-9);
    for (double i = 0; i * step <= axis->high && axis->tick_count < FC_TICKS_MAX; i++) {
        bytes_label(i * step, label);
        add_tick(axis, i * step, label);
    }
}

void fc_scale_end(fc_scale *axis, double high) {
    size_t kept = 0;
    axis->high = high;
    for (size_t t = 0; t < axis->tick_count; t++) {
        fc_tick tick = axis->ticks[t];
        tick.position = fc_scale_position(axis, tick.value);
        if (tick.position <= 1 + 1e-9)
            axis->ticks[kept++] = tick;
    }
    axis->tick_count = kept;
}

void fc_scale_single(fc_scale *axis, double value) {
    *axis = (fc_scale){.low = value - 0.5, .high = value + 0.5};
    char label[FC_NUMBER_SIZE];
    fc_number_text(value, 4, label);
    if (label[0])
        add_tick(axis, value, label);
}

void fc_scale_names(fc_scale *axis, const char *const *names, size_t count) {
    *axis = (fc_scale){.low = -0.5, .high = (double)count - 0.5};
    for (size_t n = 0; n < count; n++)
        add_tick(axis, (double)n, names[n]);
}
