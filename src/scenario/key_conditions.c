#include "scenario/key_conditions.h"

#include <string.h>
#include "scenario/scenario_keys.h"

enum { TEXT_SIZE = 256 };

static fc_key_use use_of(const fc_family *family, size_t topology, const fc_key *key) {
    if (family->use)
        return family->use((int)topology, key->path);
    return key->fallback ? FC_KEY_OPTIONAL : FC_KEY_REQUIRED;
}

uint32_t fc_key_taken_by(const fc_family *family, const fc_key *key) {
    uint32_t taken = 0;
    for (size_t i = 0; family->topologies[i]; ++i)
        taken |= (uint32_t)(use_of(family, i, key) != FC_KEY_UNKNOWN) << i;
    return taken;
}

bool fc_key_is_required(const fc_family *family, const fc_key *key) {
    bool required = true;
    for (size_t i = 0; family->topologies[i]; ++i)
        required &= use_of(family, i, key) != FC_KEY_OPTIONAL;
    return required;
}

static bool is_one_of(const char *name, const char *const *names) {
    for (; *names; ++names) {
        if (strcmp(name, *names) == 0)
            return true;
    }
    return false;
}

/* The key by which this one is given: itself or one that takes its place. NULL: it is not. */
static const char *given_by(const fc_scenario *scenario, const char *path) {
    if (fc_scenario_has(scenario, path))
        return path;
    for (const fc_key *key = scenario->family->keys; key->path; ++key) {
        if (key->instead_of && strcmp(key->instead_of, path) == 0 &&
            fc_scenario_has(scenario, key->path))
            return key->path;
    }
    return NULL;
}

static bool holds(const fc_scenario *scenario, const fc_condition *condition) {
    if (!condition->values[0])
        return given_by(scenario, condition->key);
    const fc_key *key = fc_key_find(scenario->family->keys, condition->key);
    const int choice = *(const int *)((const char *)scenario->parameters + key->offset);
    return is_one_of(key->choices[choice], condition->values);
}

static size_t topology_of(const fc_scenario *scenario) {
    const char *parameters = scenario->parameters;
    return (size_t) * (const int *)(parameters + scenario->family->topology_offset);
}

static fc_key_use use_here(const fc_scenario *scenario, const fc_key *key) {
    return use_of(scenario->family, topology_of(scenario), key);
}

/* The condition that does not hold, or NULL. */
static const fc_condition *unmet(const fc_scenario *scenario, const fc_key *key) {
    for (size_t i = 0; i < FC_CONDITIONS_MOST && key->only_if[i].key; ++i) {
        if (!holds(scenario, &key->only_if[i]))
            return &key->only_if[i];
    }
    return NULL;
}

/* The key given that excludes this one, or NULL. */
static const char *excluded_by(const fc_scenario *scenario, const fc_key *key) {
    for (size_t i = 0; i < FC_EXCLUDED_MOST && key->not_with[i]; ++i) {
        const char *given = given_by(scenario, key->not_with[i]);
        if (given && strcmp(given, key->path) != 0)
            return given;
    }
    return NULL;
}

bool fc_key_applies(const fc_scenario *scenario, const fc_key *key) {
    return use_here(scenario, key) != FC_KEY_UNKNOWN && !unmet(scenario, key) &&
           !excluded_by(scenario, key);
}

/* The same by the words of the document alone. */
static bool holds_in_words(const fc_scenario *scenario, const fc_condition *condition) {
    const fc_value *value = fc_document_find(scenario->document, condition->key);
    const fc_key *key = fc_key_find(scenario->family->keys, condition->key);
    const char *word = value ? value->text : key ? key->fallback : NULL;
    if (!condition->values[0])
        return value || given_by(scenario, condition->key);
    return word && is_one_of(word, condition->values);
}

bool fc_key_fits_document(const fc_scenario *scenario, const char *path) {
    const fc_key *key = fc_key_find(scenario->family->keys, path);
    const fc_value *topology = fc_document_find(scenario->document, "network.topology");
    if (!key)
        return fc_key_find(fc_unit_keys, path) != NULL;
    for (size_t i = 0; i < FC_CONDITIONS_MOST && key->only_if[i].key; ++i)
        if (!holds_in_words(scenario, &key->only_if[i]))
            return false;
    for (size_t i = 0; topology && scenario->family->topologies[i]; ++i)
        if (strcmp(scenario->family->topologies[i], topology->text) == 0 &&
            use_of(scenario->family, i, key) == FC_KEY_UNKNOWN)
            return false;
    return !excluded_by(scenario, key);
}

/* ---- in words ---- */

/* "network.routing: valiant, ugal-local or ugal-global" */
static void write_values(const char *key, const char *const *values, char text[TEXT_SIZE]) {
    size_t used = (size_t)snprintf(text, TEXT_SIZE, "%s", key);
    for (size_t i = 0; values[i] && used < TEXT_SIZE; ++i) {
        const char *before = i == 0 ? ": " : values[i + 1] ? ", " : " or ";
        used += (size_t)snprintf(text + used, TEXT_SIZE - used, "%s%s", before, values[i]);
    }
}

static void write_topologies(const fc_family *family, uint32_t taken, char text[TEXT_SIZE]) {
    const char *names[FC_TOPOLOGIES_MAX + 1];
    size_t count = 0;
    for (size_t i = 0; family->topologies[i]; ++i) {
        if (taken >> i & 1)
            names[count++] = family->topologies[i];
    }
    names[count] = NULL;
    write_values("network.topology", names, text);
}

static bool all_take(const fc_family *family, const fc_key *key) {
    bool all = true;
    for (size_t i = 0; family->topologies[i]; ++i)
        all &= use_of(family, i, key) != FC_KEY_UNKNOWN;
    return all;
}

/* A condition that always holds: the key has no other value in this family. */
static bool is_trivial(const fc_family *family, const fc_condition *condition) {
    const fc_key *key = fc_key_find(family->keys, condition->key);
    size_t choices = 0;
    while (condition->values[0] && key->choices[choices] &&
           is_one_of(key->choices[choices], condition->values))
        ++choices;
    return condition->values[0] && !key->choices[choices];
}

void fc_key_conditions_text(const fc_family *family, const fc_key *key, size_t size, char *text) {
    char part[TEXT_SIZE];
    size_t used = 0;
    text[0] = '\0';
    if (!all_take(family, key)) {
        write_topologies(family, fc_key_taken_by(family, key), part);
        used = (size_t)snprintf(text, size, "%s", part);
    }
    for (size_t i = 0; i < FC_CONDITIONS_MOST && key->only_if[i].key && used < size; ++i) {
        if (is_trivial(family, &key->only_if[i]))
            continue;
        write_values(key->only_if[i].key, key->only_if[i].values, part);
        used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", and " : "", part);
    }
}

static fc_status refuse(const fc_scenario *scenario, const fc_key *key, fc_error *error) {
    char text[TEXT_SIZE];
    const fc_condition *condition = unmet(scenario, key);
    if (use_here(scenario, key) == FC_KEY_UNKNOWN)
        write_topologies(scenario->family, fc_key_taken_by(scenario->family, key), text);
    else if (condition)
        write_values(condition->key, condition->values, text);
    else
        return fc_scenario_fail_key(scenario, key->path, error,
                                    "%s cannot be used together with %s", key->path,
                                    excluded_by(scenario, key));
    return fc_scenario_fail_key(scenario, key->path, error, "%s applies only to %s", key->path,
                                text);
}

fc_status fc_key_conditions_check(const fc_scenario *scenario, fc_error *error) {
    const fc_key *const keys = scenario->family->keys;
    for (const fc_key *key = keys; key->path; ++key) {
        if (fc_scenario_has(scenario, key->path) && !fc_key_applies(scenario, key))
            return refuse(scenario, key, error);
    }
    for (const fc_key *key = keys; key->path; ++key) {
        if (use_here(scenario, key) == FC_KEY_REQUIRED && !fc_scenario_has(scenario, key->path))
            return fc_scenario_fail_key(scenario, "network.topology", error,
                                        "'%s' is missing; topology: %s needs it", key->path,
                                        scenario->family->topologies[topology_of(scenario)]);
    }
    return FC_OK;
}

bool fc_scenario_key_applies(const fc_scenario *scenario, const char *path) {
    const fc_key *key = fc_key_find(scenario->family->keys, path);
    const void *unused;
    return key ? fc_key_applies(scenario, key)
               : fc_shared_key_find(scenario, path, &unused) != NULL;
}
