#include "scenario/scenario_numbers.h"

#include <math.h>
#include <string.h>
#include "base/decimal.h"
#include "scenario/readers.h"

struct gathering {
    const fc_scenario *scenario;
    fc_scenario_value *list;
    size_t count, most;
};

static void add(struct gathering *all, const char *key, double value, bool whole) {
    if (!isfinite(value) || strlen(key) >= sizeof all->list->key)
        return;
    if (all->count < all->most) {
        fc_scenario_value *entry = &all->list[all->count];
        snprintf(entry->key, sizeof entry->key, "%s", key);
        entry->value = value;
        entry->whole = whole;
    }
    ++all->count;
}

static bool scalar_number(const fc_value *value, double *number) {
    return value->kind == FC_VALUE_SCALAR && fc_parse_real(value->text, number);
}

bool fc_key_is_whole(const fc_key *key, const char *member) {
    if (key->type != FC_KEY_CUSTOM)
        return key->type != FC_KEY_NUMBER && key->type != FC_KEY_NUMBERS;
    if (!key->whole)
        return false;
    if (strcmp(key->whole, "*") == 0)
        return true;
    const size_t length = strlen(member);
    for (const char *word = key->whole; *word; word += strspn(word, " ")) {
        const size_t end = strcspn(word, " ");
        if (end == length && strncmp(word, member, length) == 0)
            return true;
        word += end;
    }
    return false;
}

/* Members that name a place or a choice: a number, but not a quantity. */
static bool is_place(const char *member) {
    return strcmp(member, "node") == 0 || strcmp(member, "random-permutation") == 0 ||
           strcmp(member, "dimension") == 0 || strcmp(member, "direction") == 0 ||
           strcmp(member, "tiles") == 0;
}

/* member: the name of the value in its mapping; at first that of the key itself. */
static void add_nested(struct gathering *all, const fc_key *key, const fc_value *value,
                       const char *path, const char *member) {
    double number;
    if (scalar_number(value, &number)) {
        add(all, path, number, fc_key_is_whole(key, member));
        return;
    }
    for (size_t i = 0; value->kind != FC_VALUE_SCALAR && i < value->count; ++i) {
        const bool named = value->kind == FC_VALUE_MAPPING;
        char inner[192];
        if (named && is_place(value->keys[i]))
            continue;
        if (named)
            snprintf(inner, sizeof inner, "%s.%s", path, value->keys[i]);
        else
            snprintf(inner, sizeof inner, "%s.%zu", path, i);
        add_nested(all, key, value->items[i], inner, named ? value->keys[i] : member);
    }
}

bool fc_scenario_nested_number(const fc_scenario *scenario, const char *key, double *value) {
    for (const fc_key *known = scenario->family->keys; known->path; ++known) {
        const size_t length = strlen(known->path);
        if (known->type != FC_KEY_CUSTOM || strncmp(known->path, key, length) != 0 ||
            key[length] != '.')
            continue;
        const fc_value *found = fc_document_find(scenario->document, key);
        return found && scalar_number(found, value);
    }
    return false;
}

static void add_key(struct gathering *all, const fc_key *declared) {
    const char *parameters = all->scenario->parameters;
    const fc_key now = fc_key_as_given(declared, parameters + declared->offset), *key = &now;
    const void *field = parameters + key->offset;
    const bool given = fc_scenario_has(all->scenario, key->path);
    char path[160];
    switch (key->type) {
    case FC_KEY_NUMBER: {
        const double value = *(const double *)field;
        if (given || (value != 0 && !key->hashed_if_given))
            add(all, key->path, value, false);
        return;
    }
    case FC_KEY_INTEGER:
    case FC_KEY_COUNT: {
        const int64_t value = *(const int64_t *)field;
        if (key->type == FC_KEY_COUNT && value == FC_INFINITE)
            return;
        if (given || value != 0 || (key->fallback && key->fallback[0]))
            add(all, key->path, (double)value, true);
        return;
    }
    case FC_KEY_INTEGERS:
        for (size_t i = 0; i < ((const fc_integer_list *)field)->count; ++i) {
            snprintf(path, sizeof path, "%s.%zu", key->path, i);
            add(all, path, (double)((const fc_integer_list *)field)->values[i], true);
        }
        return;
    case FC_KEY_NUMBERS:
        for (size_t i = 0; i < ((const fc_number_list *)field)->count; ++i) {
            snprintf(path, sizeof path, "%s.%zu", key->path, i);
            add(all, path, ((const fc_number_list *)field)->values[i], false);
        }
        return;
    case FC_KEY_CUSTOM: {
        const fc_value *value = given ? fc_document_find(all->scenario->document, key->path) : NULL;
        if (value && !key->names_places)
            add_nested(all, key, value, key->path, "");
        return;
    }
    case FC_KEY_CHOICE:
        return;
    }
}

size_t fc_scenario_numbers(const fc_scenario *scenario, fc_scenario_value *list, size_t most) {
    struct gathering all = {.scenario = scenario, .list = list, .most = most};
    for (const fc_key *key = scenario->family->keys; key->path; ++key)
        add_key(&all, key);
    return all.count;
}
