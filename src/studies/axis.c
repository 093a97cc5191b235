#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/c_locale.h"
#include "base/memory.h"
#include "base/status.h"
#include "flitcast/flitcast.h"

enum { VALUES_MAX = 1000000 };

void fc_axis_clear(fc_axis *axis) {
    for (size_t i = 0; i < axis->count; ++i)
        fc_release(axis->values[i]);
    fc_release(axis->values);
    axis->values = NULL;
    axis->count = 0;
}

static fc_status add_value(fc_axis *axis, const char *text, size_t length, fc_error *error) {
    /* capacity doubles at powers of two */
    if ((axis->count & (axis->count - 1)) == 0) {
        char **grown =
            fc_reallocate(axis->values, axis->count ? 2 * axis->count : 1, sizeof *axis->values);
        if (!grown)
            return fc_fail_memory(error);
        axis->values = grown;
    }
    char *copy = fc_allocate(length + 1, 1);
    if (!copy)
        return fc_fail_memory(error);
    memcpy(copy, text, length);
    axis->values[axis->count++] = copy;
    return FC_OK;
}

static fc_status add_list(fc_axis *axis, const char *text, fc_error *error) {
    int depth = 0;
    const char *start = text;
    for (const char *at = text;; ++at) {
        if (*at == '[' || *at == '{')
            ++depth;
        if (*at == ']' || *at == '}')
            --depth;
        if (*at && !(*at == ',' && depth == 0))
            continue;
        while (start < at && strchr(" \t\n", *start))
            ++start;
        if (at == start)
            return fc_fail(error, FC_ERROR_INPUT, "%s: a value is missing between commas",
                           axis->key);
        const fc_status status = add_value(axis, start, (size_t)(at - start), error);
        if (status != FC_OK || !*at)
            return status;
        start = at + 1;
    }
}

/* The shortest text that reads back as the number rounded to 12 digits: a step of 0.1 gives 0.3,
 * not 0.30000000000000004. */
static void number_text(double number, char text[32]) {
    snprintf(text, 32, "%.12g", number);
}

static fc_status add_range(fc_axis *axis, double first, double last, double step, bool factor,
                           fc_error *error) {
    const bool runs =
        factor ? (step > 1 && first > 0 && last >= first) : (step > 0 && last >= first);
    if (!runs)
        return fc_fail(error, FC_ERROR_INPUT,
                       "%s: a range must increase: FIRST:LAST:STEP with STEP above 0, or "
                       "FIRST:LAST:*FACTOR with FACTOR above 1",
                       axis->key);
    const double steps = factor ? log(last / first) / log(step) : (last - first) / step;
    if (!(steps < VALUES_MAX))
        return fc_fail(error, FC_ERROR_INPUT, "%s: the range has more than %d values", axis->key,
                       VALUES_MAX);
    const size_t count = (size_t)floor(steps * (1 + 1e-12) + 1e-9) + 1;
    for (size_t i = 0; i < count; ++i) {
        char text[32];
        number_text(factor ? first * pow(step, (double)i) : first + (double)i * step, text);
        const fc_status status = add_value(axis, text, strlen(text), error);
        if (status != FC_OK)
            return status;
    }
    return FC_OK;
}

/* "10..30", as other programs write a range. */
static bool is_dotted_range(const char *text, double *first, double *last) {
    const char *dots = strstr(text, "..");
    char *end;
    if (!dots || dots == text)
        return false;
    char before[40];
    snprintf(before, sizeof before, "%.*s", (int)(dots - text), text);
    *first = strtod(before, &end);
    if (*end)
        return false;
    *last = strtod(dots + 2, &end);
    return end != dots + 2 && !*end;
}

fc_status fc_axis_parse(const char *text, fc_error *error, fc_axis *axis) {
    FC_IN_C_LOCALE;
    fc_axis made = {0};
    const char *equals = strchr(text, '=');
    if (!equals || equals == text || (size_t)(equals - text) >= sizeof made.key || !equals[1])
        return fc_fail(error, FC_ERROR_INPUT,
                       "%.100s: expected KEY=FIRST:LAST:STEP or KEY=VALUE,VALUE,...", text);
    memcpy(made.key, text, (size_t)(equals - text));
    double first, last, step;
    int used = 0;
    fc_status status;
    if (sscanf(equals + 1, "%lf:%lf:*%lf%n", &first, &last, &step, &used) == 3 && !equals[1 + used])
        status = add_range(&made, first, last, step, true, error);
    else if (sscanf(equals + 1, "%lf:%lf:%lf%n", &first, &last, &step, &used) == 3 &&
             !equals[1 + used])
        status = add_range(&made, first, last, step, false, error);
    else if (sscanf(equals + 1, "%lf:%lf%n", &first, &last, &used) == 2 && !equals[1 + used])
        status = fc_fail(error, FC_ERROR_INPUT, "%s: a range needs a step: %s:STEP, or %s:*FACTOR",
                         made.key, equals + 1, equals + 1);
    else if (is_dotted_range(equals + 1, &first, &last))
        status = fc_fail(error, FC_ERROR_INPUT,
                         "%s: a range is written FIRST:LAST:STEP, here for example %g:%g:%g",
                         made.key, first, last, fabs(last - first) >= 2 ? 1 : (last - first) / 10);
    else
        status = add_list(&made, equals + 1, error);
    if (status == FC_OK)
        *axis = made;
    else
        fc_axis_clear(&made);
    return status;
}
