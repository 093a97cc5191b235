/* A file of weights: lines of text, its passport; an empty line; zeros up to a multiple of eight
 * bytes; then numbers of 32 bits, little-endian: of every input the least, the largest, the mean
 * and the scale; the factors of the spreads; the members. */
#include "forecast/learned_weights.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/decimal.h"
#include "base/hash.h"
#include "base/memory.h"

enum { ALIGNMENT = 8 };
static const char magic[] = "weights of Flitcast 1";
static const double near_share = 0.05; /* of the range of an input, beyond it */

/* ---- lines ---- */

static const char *next_line(const fc_weights *w, const char *line) {
    line += strlen(line) + 1;
    return line < w->text + w->text_length ? line : NULL;
}

/* What follows "key " or "key: "; NULL: there is no such line. */
static const char *line_of(const fc_weights *w, const char *key) {
    const size_t length = strlen(key);
    for (const char *line = w->text; line; line = next_line(w, line))
        if (strncmp(line, key, length) == 0 && (line[length] == ' ' || line[length] == ':'))
            return line + length + strspn(line + length, ": ");
    return NULL;
}

static size_t number_of(const fc_weights *w, const char *key) {
    const char *text = line_of(w, key);
    return text ? strtoul(text, NULL, 10) : 0;
}

/* The length of the item that the text, a list with commas, begins with. */
static size_t item_length(const char *text) {
    return strcspn(text, ",");
}

static const char *item_after(const char *text) {
    text += item_length(text);
    return text + strspn(text, ", ");
}

static size_t count_items(const fc_weights *w, const char *key) {
    size_t count = 0;
    for (const char *at = line_of(w, key); at && *at; at = item_after(at))
        ++count;
    return count;
}

/* ---- reading ---- */

static bool shape_is_valid(const fc_weights *w) {
    const fc_learned_shape *s = &w->shape;
    return s->width > 0 && s->width <= FC_WIDTH_MOST && s->width % FC_AT_ONCE == 0 &&
           s->rounds <= FC_ROUNDS_MOST && s->whole <= FC_TRAIT_WHOLE_MOST &&
           s->lane <= FC_TRAIT_LANE_MOST && s->movement <= FC_TRAIT_MOVEMENT_MOST &&
           w->members > 0 && w->members <= FC_MEMBERS_MOST && w->values <= FC_LEARNED_VALUES_MOST &&
           s->values == (w->values > 0);
}

/* 1 without the line. */
static double reach_of(const fc_weights *w) {
    const char *text = line_of(w, "reach");
    double reach;
    return text && fc_parse_real(text, &reach) && reach > 0 ? reach : 1;
}

static bool read_lines(fc_weights *w, size_t length) {
    w->text = fc_allocate(2 * (length + 1), 1);
    if (!w->text)
        return false;
    memcpy(w->text, w->data, length);
    w->text_length = length;
    w->items = w->text + length + 1;
    for (size_t i = 0; i < length; ++i) {
        if (w->text[i] == '\n')
            w->text[i] = '\0';
        w->items[i] = w->text[i] == ',' ? '\0' : w->text[i];
    }
    const char *form = line_of(w, "form");
    w->shape = (fc_learned_shape){.values = form && strcmp(form, "values") == 0,
                                  .prior = fc_learned_prior_in(line_of(w, "whole")),
                                  .whole = count_items(w, "whole"),
                                  .lane = count_items(w, "lane"),
                                  .movement = count_items(w, "movement"),
                                  .width = number_of(w, "width"),
                                  .rounds = number_of(w, "rounds")};
    w->members = number_of(w, "members");
    w->reach = reach_of(w);
    w->values = w->shape.values ? count_items(w, "values") : 0;
    return true;
}

/* The numbers, of which there must be exactly as many as the passport needs. */
static bool read_numbers(fc_weights *w, size_t begin) {
    const size_t inputs = w->shape.whole + w->shape.lane + w->shape.movement;
    const size_t norms = inputs * sizeof(fc_trait_norm) / sizeof(float);
    const size_t count = norms + FC_SPREAD_FACTORS + w->members * w->layout.count;
    if (begin > w->size || w->size - begin != count * sizeof(float) ||
        ((uintptr_t)w->data + begin) % sizeof(float))
        return false;
    /* never written to */
    fc_trait_norm *first = (fc_trait_norm *)(uintptr_t)((const char *)w->data + begin);
    w->norms =
        (fc_trait_norms){first, first + w->shape.whole, first + w->shape.whole + w->shape.lane};
    w->spread_factors = (const float *)(first + inputs);
    w->floats = w->spread_factors + FC_SPREAD_FACTORS;
    return true;
}

static size_t find_empty_line(const char *data, size_t size) {
    for (size_t i = 0; i + 1 < size; ++i)
        if (data[i] == '\n' && data[i + 1] == '\n')
            return i + 2;
    return 0;
}

fc_status fc_weights_read(const void *data, size_t size, const char *who, fc_error *error,
                          fc_weights **weights) {
    const size_t length = find_empty_line(data, size);
    if (length < sizeof magic || memcmp(data, magic, sizeof magic - 1) != 0 ||
        ((const char *)data)[sizeof magic - 1] != '\n')
        return fc_fail(error, FC_ERROR_INPUT, "%s: does not begin with \"%s\"", who, magic);
    fc_weights *w = fc_allocate(1, sizeof *w);
    if (!w)
        return fc_fail_memory(error);
    w->who = who;
    w->data = data;
    w->size = size;
    if (!read_lines(w, length - 1)) {
        fc_weights_free(w);
        return fc_fail_memory(error);
    }
    w->layout = fc_learned_layout_of(&w->shape);
    if (!shape_is_valid(w) || !read_numbers(w, (length + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT)) {
        fc_weights_free(w);
        return fc_fail(error, FC_ERROR_INPUT,
                       "%s: the number of weights is not what its first lines say", who);
    }
    *weights = w;
    return FC_OK;
}

void fc_weights_free(fc_weights *weights) {
    if (!weights)
        return;
    fc_release(weights->text);
    fc_release(weights);
}

/* ---- the passport ---- */

static fc_status check_names(const fc_weights *w, const char *what, const char *const *names,
                             fc_error *error) {
    const char *fitted = line_of(w, what);
    for (size_t i = 0;; ++i) {
        const char *name = names && names[i] ? names[i] : "";
        const int length = fitted ? (int)item_length(fitted) : 0;
        if (!*name && !length)
            return FC_OK;
        if ((int)strlen(name) != length || strncmp(name, fitted, (size_t)length) != 0)
            return fc_fail(error, FC_ERROR_INPUT,
                           "%s: number %zu of the %s is \"%.*s\" in the fit, \"%s\" in this "
                           "program; fit again",
                           w->who, i + 1, what, length, fitted ? fitted : "", name);
        fitted = item_after(fitted);
    }
}

fc_status fc_weights_check(const fc_weights *weights, const char *model, unsigned revision,
                           const fc_trait_names *names, fc_error *error) {
    const char *fitted = line_of(weights, "model");
    if (!fitted || strcmp(fitted, model) != 0)
        return fc_fail(error, FC_ERROR_INPUT, "%s: fitted to %s, not to %s", weights->who,
                       fitted ? fitted : "no model", model);
    if (number_of(weights, "revision") != revision)
        return fc_fail(error, FC_ERROR_INPUT,
                       "%s: fitted to revision %zu of %s, this program has revision %u; fit again",
                       weights->who, number_of(weights, "revision"), model, revision);
    const fc_status status = check_names(weights, "whole", names->whole, error);
    if (status != FC_OK)
        return status;
    const fc_status lanes = check_names(weights, "lane", names->lane, error);
    return lanes != FC_OK ? lanes : check_names(weights, "movement", names->movement, error);
}

size_t fc_weights_networks(const fc_weights *weights) {
    return number_of(weights, "networks");
}

fc_passport fc_weights_passport(const fc_weights *weights) {
    fc_passport passport = {.file = weights->who,
                            .model = line_of(weights, "model"),
                            .command = line_of(weights, "command"),
                            .revision = (unsigned)number_of(weights, "revision"),
                            .networks = fc_weights_networks(weights),
                            .cases = number_of(weights, "cases")};
    const char *data = line_of(weights, "data");
    snprintf(passport.data_hash, sizeof passport.data_hash, "%.16s", data ? data : "");
    snprintf(passport.hash, sizeof passport.hash, "%016llx",
             (unsigned long long)fc_hash(FC_HASH_START, weights->data, weights->size));
    return passport;
}

/* ---- what was drawn ---- */

/* What was drawn for a key of a scenario; NULL: it was left at its default. */
static const char *drawn(const fc_weights *w, const char *key) {
    const size_t length = strlen(key);
    for (const char *line = w->text; line; line = next_line(w, line))
        if (strncmp(line, "seen ", 5) == 0 && strncmp(line + 5, key, length) == 0 &&
            line[5 + length] == ' ')
            return line + 6 + length;
    return NULL;
}

static bool is_number(const char *text, size_t length, double *value) {
    char *end;
    *value = strtod(text, &end);
    return length > 0 && end == text + length;
}

/* Whether an item of a list, "a" or "1 to 8", has the value; numeric: whether it is of numbers. */
static bool item_has(const char *item, size_t length, const char *value, bool *numeric) {
    const char *to = strstr(item, " to ");
    double low, high, asked;
    if (to && to >= item + length)
        to = NULL;
    const size_t first = to ? (size_t)(to - item) : length;
    const bool ranges =
        is_number(item, first, &low) && (!to || is_number(to + 4, length - first - 4, &high));
    *numeric |= ranges;
    if (ranges && is_number(value, strlen(value), &asked))
        return asked >= low && asked <= (to ? high : low);
    return strlen(value) == length && strncmp(item, value, length) == 0;
}

fc_seen fc_weights_saw(const fc_weights *weights, const char *key, const char *value) {
    bool numeric = false;
    double asked;
    const char *list = drawn(weights, key);
    if (!list)
        return FC_SEEN_NEVER;
    for (const char *at = list; *at; at = item_after(at))
        if (item_has(at, item_length(at), value, &numeric))
            return FC_SEEN;
    return numeric && is_number(value, strlen(value), &asked) ? FC_SEEN_OUTSIDE : FC_SEEN_NEVER;
}

void fc_weights_drawn(const fc_weights *weights, const char *key, size_t size, char *text) {
    const char *list = drawn(weights, key);
    snprintf(text, size, "%s", list ? list : "its default");
}

/* ---- nearness ---- */

/* The first value that is far from those that were fitted to; count: none. */
static size_t first_far(const float *values, const fc_trait_norm *norms, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        const double low = (double)norms[i].low, high = (double)norms[i].high;
        const double margin = near_share * (high - low), value = (double)values[i];
        if (!(value >= low - margin && value <= high + margin))
            return i;
    }
    return count;
}

/* The name of a trait, of the list in a line. */
static const char *name_of(const fc_weights *w, const char *what, size_t number) {
    const char *at = line_of(w, what);
    while (at && number--)
        at = item_after(at);
    return at ? w->items + (at - w->text) : "";
}

bool fc_weights_are_near(const fc_weights *weights, const fc_traits *traits, const char **where) {
    const fc_learned_shape *s = &weights->shape;
    size_t far = first_far(traits->whole, weights->norms.whole, s->whole);
    if (far < s->whole) {
        *where = name_of(weights, "whole", far);
        return false;
    }
    for (uint32_t l = 0; l < traits->lane_count; ++l) {
        if (!(traits->lanes[l].weight > 0))
            continue;
        far = first_far(traits->lane + l * s->lane, weights->norms.lane, s->lane);
        if (far < s->lane) {
            *where = name_of(weights, "lane", far);
            return false;
        }
    }
    return true;
}
