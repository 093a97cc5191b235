#include "seen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "scenario/scenario_values.h"

typedef struct word {
    char *text;
    size_t networks, last; /* how many have it; the last one that does */
} word;

typedef struct seen_key {
    char *path;
    word *words;
    size_t word_count, number_count, last; /* last: the network whose numbers come last */
    double *low, *high;                    /* of each network that has numbers */
} seen_key;

struct fit_seen {
    seen_key *keys;
    size_t count, networks;
    bool failed;
    char **lines;
};

static void *grown(fit_seen *seen, void *block, size_t count, size_t size) {
    /* room doubles: where count is no power of two there is some left */
    if (count & (count - 1) || count == 0) {
        if (count > 0)
            return block;
        void *made = calloc(1, size);
        seen->failed |= !made;
        return made;
    }
    void *made = realloc(block, 2 * count * size);
    seen->failed |= !made;
    return made ? made : block;
}

static char *copy_of(fit_seen *seen, const char *text) {
    char *made = strdup(text);
    seen->failed |= !made;
    return made;
}

static seen_key *key_of(fit_seen *seen, const char *path) {
    for (size_t i = 0; i < seen->count; ++i)
        if (strcmp(seen->keys[i].path, path) == 0)
            return &seen->keys[i];
    seen->keys = grown(seen, seen->keys, seen->count, sizeof *seen->keys);
    if (seen->failed)
        return NULL;
    seen_key *made = &seen->keys[seen->count];
    *made = (seen_key){.path = copy_of(seen, path)};
    if (seen->failed)
        return NULL;
    ++seen->count;
    return made;
}

static void add_number(fit_seen *seen, seen_key *key, double value) {
    if (key->last != seen->networks) {
        key->low = grown(seen, key->low, key->number_count, sizeof *key->low);
        key->high = grown(seen, key->high, key->number_count, sizeof *key->high);
        if (seen->failed)
            return;
        key->low[key->number_count] = key->high[key->number_count] = value;
        ++key->number_count;
        key->last = seen->networks;
    }
    key->low[key->number_count - 1] = fmin(key->low[key->number_count - 1], value);
    key->high[key->number_count - 1] = fmax(key->high[key->number_count - 1], value);
}

static void add_word(fit_seen *seen, seen_key *key, const char *text) {
    size_t at = 0;
    while (at < key->word_count && strcmp(key->words[at].text, text) != 0)
        ++at;
    if (at == key->word_count) {
        key->words = grown(seen, key->words, key->word_count, sizeof *key->words);
        char *copy = seen->failed ? NULL : copy_of(seen, text);
        if (!copy)
            return;
        key->words[key->word_count++] = (word){.text = copy};
    }
    key->words[at].networks += key->words[at].last != seen->networks;
    key->words[at].last = seen->networks;
}

static void add_value(void *context, const char *path, const char *value) {
    fit_seen *seen = context;
    char *end;
    seen_key *key = seen->failed ? NULL : key_of(seen, path);
    if (!key)
        return;
    const double number = strtod(value, &end);
    if (end != value && *end == '\0' && isfinite(number))
        add_number(seen, key, number);
    else
        add_word(seen, key, value);
}

fit_seen *fit_seen_create(void) {
    return calloc(1, sizeof(fit_seen));
}

bool fit_seen_add(fit_seen *seen, const fc_scenario *scenario) {
    ++seen->networks;
    return fc_scenario_values(scenario, add_value, seen, NULL) == FC_OK && !seen->failed;
}

/* ---- lines ---- */

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int by_path(const void *a, const void *b) {
    return strcmp(((const seen_key *)a)->path, ((const seen_key *)b)->path);
}

static int by_text(const void *a, const void *b) {
    return strcmp(((const word *)a)->text, ((const word *)b)->text);
}

/* NULL: no value was drawn often enough. */
static char *line_of(fit_seen *seen, seen_key *key) {
    char *text = NULL;
    size_t length, values = 0;
    FILE *stream = open_memstream(&text, &length);
    if (!stream) {
        seen->failed = true;
        return NULL;
    }
    fprintf(stream, "%s", key->path);
    if (key->number_count >= FIT_SEEN_LEAST) {
        qsort(key->low, key->number_count, sizeof *key->low, by_size);
        qsort(key->high, key->number_count, sizeof *key->high, by_size);
        const double low = key->low[FIT_SEEN_LEAST - 1];
        const double high = key->high[key->number_count - FIT_SEEN_LEAST];
        fprintf(stream, " %.12g to %.12g", fmin(low, high), fmax(low, high));
        ++values;
    }
    if (key->word_count > 1)
        qsort(key->words, key->word_count, sizeof *key->words, by_text);
    for (size_t i = 0; i < key->word_count; ++i)
        if (key->words[i].networks >= FIT_SEEN_LEAST)
            fprintf(stream, "%s%s", values++ ? ", " : " ", key->words[i].text);
    seen->failed |= fclose(stream) != 0;
    if (values > 0)
        return text;
    free(text);
    return NULL;
}

static void free_lines(fit_seen *seen) {
    for (size_t i = 0; seen->lines && seen->lines[i]; ++i)
        free(seen->lines[i]);
    free(seen->lines);
    seen->lines = NULL;
}

const char *const *fit_seen_lines(fit_seen *seen) {
    size_t count = 0;
    free_lines(seen);
    seen->lines = calloc(seen->count + 1, sizeof *seen->lines);
    if (seen->count > 1)
        qsort(seen->keys, seen->count, sizeof *seen->keys, by_path);
    for (size_t i = 0; i < seen->count && seen->lines; ++i) {
        char *line = line_of(seen, &seen->keys[i]);
        if (line)
            seen->lines[count++] = line;
    }
    return seen->failed ? NULL : (const char *const *)seen->lines;
}

void fit_seen_free(fit_seen *seen) {
    if (!seen)
        return;
    free_lines(seen);
    for (size_t i = 0; i < seen->count; ++i) {
        seen_key *key = &seen->keys[i];
        for (size_t k = 0; k < key->word_count; ++k)
            free(key->words[k].text);
        free(key->words);
        free(key->low);
        free(key->high);
        free(key->path);
    }
    free(seen->keys);
    free(seen);
}
