#include "scenario/scenario.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "base/embedded.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/status.h"
#include "scenario/numbers.h"
#include "scenario/readers.h"
#include "scenario/text_file.h"

enum { PATHS_MAX = 96 };

/* The keys every family has. Their fields are in fc_simulation_settings; name and topology are read
 * on their own. */
static const fc_key simulation_keys[] = {
    {.path = "simulation.precision",
     .type = FC_KEY_NUMBER,
     .offset = offsetof(fc_simulation_settings, precision),
     .minimum = 0,
     .above_minimum = true,
     .maximum = 0.5,
     .fallback = "0.01",
     .help = "stop when the 95 % half width of the main metric is at most this fraction of it"},
    {.path = "simulation.max_cycles",
     .type = FC_KEY_NUMBER,
     .offset = offsetof(fc_simulation_settings, max_cycles),
     .minimum = 100,
     .maximum = 1e15,
     .fallback = "20000000",
     .help = "most cycles of one replication, warm-up included"},
    {.path = "simulation.seed",
     .type = FC_KEY_INTEGER,
     .offset = offsetof(fc_simulation_settings, seed),
     .minimum = 0,
     .maximum = 0x1p53,
     .fallback = "1",
     .help = "of the random streams"},
    {.path = "simulation.replications",
     .type = FC_KEY_INTEGER,
     .offset = offsetof(fc_simulation_settings, replications),
     .minimum = 1,
     .maximum = 1024,
     .fallback = "4",
     .help = "independent runs the interval is made from; they run in parallel"},
    {0},
};

static const fc_key name_key = {.path = "name",
                                .type = FC_KEY_CUSTOM,
                                .fallback = "",
                                .help = "a line that says what this is",
                                .expected = "a line of text"};
static const fc_key topology_key = {.path = "network.topology",
                                    .type = FC_KEY_CUSTOM,
                                    .help = "the kind of network; selects which other keys apply"};

/* ---- finding keys ---- */

static const fc_key *find_in(const fc_key *keys, const char *path) {
    for (; keys->path; ++keys) {
        if (strcmp(keys->path, path) == 0)
            return keys;
    }
    return NULL;
}

bool fc_scenario_has(const fc_scenario *scenario, const char *key) {
    return fc_document_find(scenario->document, key) != NULL;
}

fc_status fc_scenario_fail_key(const fc_scenario *scenario, const char *key, fc_error *error,
                               const char *format, ...) {
    char sentence[sizeof error->text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    return fc_fail_at(error, scenario->document, fc_document_find(scenario->document, key), "%s",
                      sentence);
}

/* ---- unknown keys ---- */

static size_t gather_paths(const fc_family *family, const char *paths[PATHS_MAX + 1]) {
    size_t count = 0;
    paths[count++] = name_key.path;
    paths[count++] = topology_key.path;
    for (const fc_key *key = family->keys; key->path && count < PATHS_MAX; ++key)
        paths[count++] = key->path;
    for (const fc_key *key = simulation_keys; key->path && count < PATHS_MAX; ++key)
        paths[count++] = key->path;
    paths[count] = NULL;
    return count;
}

/* A key of another family than that of the document's network. */
static fc_status fail_foreign(const fc_document *document, const fc_value *place, const char *path,
                              const fc_family *owner, fc_error *error) {
    char topologies[128];
    fc_names_text(owner->topologies, sizeof topologies, topologies);
    const fc_value *topology = fc_document_find(document, topology_key.path);
    const char *here = topology && topology->text ? topology->text : "TOPOLOGY";
    return fc_fail_at(error, document, place,
                      "'%s' is a key of %s networks, not of this one; flitcast keys %s lists what "
                      "it has",
                      path, topologies, here);
}

static fc_status fail_unknown(const fc_document *document, const fc_value *value, const char *path,
                              const fc_family *family, fc_error *error) {
    const fc_value place = fc_value_key_place(value);
    for (size_t f = 0; fc_families[f]; ++f) {
        if (fc_families[f] != family && find_in(fc_families[f]->keys, path))
            return fail_foreign(document, &place, path, fc_families[f], error);
    }
    const char *paths[PATHS_MAX + 1];
    gather_paths(family, paths);
    const char *nearest = fc_nearest(path, paths);
    if (nearest)
        return fc_fail_at(error, document, &place, "unknown key '%s'; did you mean '%s'?", path,
                          nearest);
    return fc_fail_at(
        error, document, &place,
        "unknown key '%s'; a scenario has name, network, traffic and simulation, with "
        "keys such as traffic.rate",
        path);
}

static fc_status check_keys(const fc_document *document, const fc_family *family, fc_error *error) {
    const fc_value *root = document->root;
    const char *paths[PATHS_MAX + 1];
    gather_paths(family, paths);
    for (size_t i = 0; i < root->count; ++i) {
        const char *group = root->keys[i];
        const fc_value *members = root->items[i];
        if (strcmp(group, "name") == 0)
            continue;
        if (strcmp(group, "network") != 0 && strcmp(group, "traffic") != 0 &&
            strcmp(group, "simulation") != 0)
            return fail_unknown(document, members, group, family, error);
        if (members->kind != FC_VALUE_MAPPING)
            return fc_fail_at(error, document, members, "'%s' must hold keys, indented below it",
                              group);
        for (size_t j = 0; j < members->count; ++j) {
            char path[192];
            snprintf(path, sizeof path, "%s.%s", group, members->keys[j]);
            bool known = false;
            for (size_t k = 0; paths[k] && !known; ++k)
                known = strcmp(paths[k], path) == 0;
            if (!known)
                return fail_unknown(document, members->items[j], path, family, error);
        }
    }
    return FC_OK;
}

/* ---- interpretation ---- */

static fc_status choose_family(const fc_document *document, fc_error *error,
                               const fc_family **family, int *topology) {
    const char *names[PATHS_MAX + 1];
    const fc_family *owners[PATHS_MAX];
    int indices[PATHS_MAX];
    size_t count = 0;
    for (size_t f = 0; fc_families[f]; ++f) {
        for (int t = 0; fc_families[f]->topologies[t] && count < PATHS_MAX; ++t) {
            owners[count] = fc_families[f];
            indices[count] = t;
            names[count++] = fc_families[f]->topologies[t];
        }
    }
    names[count] = NULL;
    const fc_value *network = fc_value_member(document->root, "network");
    const fc_value *value = fc_document_find(document, "network.topology");
    if (!value) {
        /* A misspelt group or key is the likeliest cause: say that instead. */
        static const char *const groups[] = {"name", "network", "traffic", "simulation", NULL};
        for (size_t i = 0; i < document->root->count && !network; ++i) {
            const char *key = document->root->keys[i];
            const char *nearest = fc_nearest(key, groups);
            const fc_value place = fc_value_key_place(document->root->items[i]);
            if (nearest && strcmp(nearest, key) != 0)
                return fc_fail_at(error, document, &place, "unknown key '%s'; did you mean '%s'?",
                                  key, nearest);
        }
        char list[256];
        fc_names_text(names, sizeof list, list);
        return fc_fail_at(error, document, network,
                          "'network.topology' is missing; expected one of: %s", list);
    }
    int choice;
    const fc_status status =
        fc_read_choice(document, value, "network.topology", names, error, &choice);
    if (status == FC_OK) {
        *family = owners[choice];
        *topology = indices[choice];
    }
    return status;
}

/* Reads every key of a table into the struct at base: what the document says, else the default. */
static fc_status read_keys(const fc_document *document, const fc_key *keys, void *base,
                           fc_error *error) {
    for (const fc_key *key = keys; key->path; ++key) {
        void *field = (char *)base + key->offset;
        const fc_value *value = fc_document_find(document, key->path);
        fc_status status = FC_OK;
        if (value) {
            status = fc_key_read(key, document, value, field, error);
        } else if (!key->fallback) {
            char expected[400];
            fc_key_expectation(key, expected, sizeof expected);
            return fc_fail_at(error, document, NULL, "'%s' is missing; expected %s", key->path,
                              expected);
        } else if (key->fallback[0]) {
            fc_value fallback = {.kind = FC_VALUE_SCALAR, .text = (char *)key->fallback};
            status = fc_key_read(key, document, &fallback, field, error);
        }
        if (status != FC_OK)
            return status;
    }
    return FC_OK;
}

/* The text of a value; failed is set if there is no memory for it. */
static uint64_t hash_text(uint64_t hash, const fc_key *key, const void *field, bool *failed) {
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    if (!stream) {
        *failed = true;
        return hash;
    }
    key->write(field, stream);
    if (fclose(stream) == 0)
        hash = fc_hash(hash, text, length);
    else
        *failed = true;
    free(text);
    return hash;
}

static uint64_t hash_key(uint64_t hash, const fc_key *key, const void *field, bool *failed) {
    hash = fc_hash(hash, key->path, strlen(key->path));
    switch (key->type) {
    case FC_KEY_INTEGER:
    case FC_KEY_COUNT:
        return fc_hash(hash, field, sizeof(int64_t));
    case FC_KEY_NUMBER:
        return fc_hash(hash, field, sizeof(double));
    case FC_KEY_CHOICE:
        return fc_hash(hash, field, sizeof(int));
    case FC_KEY_INTEGERS: {
        const fc_integer_list *list = field;
        return fc_hash(hash, list->values, list->count * sizeof *list->values);
    }
    case FC_KEY_NUMBERS: {
        const fc_number_list *list = field;
        return fc_hash(hash, list->values, list->count * sizeof *list->values);
    }
    case FC_KEY_CUSTOM:
        return hash_text(hash, key, field, failed);
    }
    return hash;
}

/* A hash of less than everything would find the wrong results in a store. */
static fc_status make_hash(fc_scenario *scenario, fc_error *error) {
    bool failed = false;
    const char *topology = scenario->family->topologies[*(
        const int *)((char *)scenario->parameters + scenario->family->topology_offset)];
    uint64_t hash = fc_hash(FC_HASH_START, topology, strlen(topology));
    for (const fc_key *key = scenario->family->keys; key->path; ++key)
        hash = hash_key(hash, key, (char *)scenario->parameters + key->offset, &failed);
    for (const fc_key *key = simulation_keys; key->path; ++key) {
        if (key->offset != offsetof(fc_simulation_settings, seed))
            hash = hash_key(hash, key, (char *)&scenario->simulation + key->offset, &failed);
    }
    snprintf(scenario->hash, sizeof scenario->hash, "%016llx", (unsigned long long)hash);
    return failed ? fc_fail_memory(error) : FC_OK;
}

static fc_status read_name(fc_scenario *scenario, fc_error *error) {
    const fc_value *value = fc_value_member(scenario->document->root, "name");
    if (value && value->kind != FC_VALUE_SCALAR)
        return fc_fail_at(error, scenario->document, value, "name must be a line of text");
    scenario->name = fc_copy_text(value ? value->text : scenario->document->origin);
    return scenario->name ? FC_OK : fc_fail_memory(error);
}

static fc_status interpret(fc_scenario *scenario, fc_error *error) {
    int topology;
    const fc_document *document = scenario->document;
    fc_status status = choose_family(document, error, &scenario->family, &topology);
    if (status == FC_OK)
        status = check_keys(document, scenario->family, error);
    if (status == FC_OK)
        status = read_name(scenario, error);
    if (status != FC_OK)
        return status;
    const fc_family *family = scenario->family;
    scenario->parameters = fc_allocate(1, family->parameter_size);
    if (!scenario->parameters)
        return fc_fail_memory(error);
    if (family->initialise)
        family->initialise(scenario->parameters);
    *(int *)((char *)scenario->parameters + family->topology_offset) = topology;
    status = read_keys(document, family->keys, scenario->parameters, error);
    if (status == FC_OK)
        status = read_keys(document, simulation_keys, &scenario->simulation, error);
    if (status == FC_OK && family->finish)
        status = family->finish(scenario, scenario->parameters, error);
    if (status == FC_OK)
        status = make_hash(scenario, error);
    return status;
}

fc_status fc_scenario_of_document(fc_document *document, const fc_setting *settings, size_t count,
                                  fc_error *error, fc_scenario **result) {
    fc_scenario *scenario = fc_allocate(1, sizeof *scenario);
    if (!scenario) {
        fc_document_free(document);
        return fc_fail_memory(error);
    }
    scenario->document = document;
    fc_status status = FC_OK;
    for (size_t i = 0; i < count && status == FC_OK; ++i)
        status = fc_document_set(document, settings[i].key, settings[i].value, error);
    if (status == FC_OK)
        status = interpret(scenario, error);
    if (status != FC_OK) {
        fc_scenario_free(scenario);
        return status;
    }
    *result = scenario;
    return FC_OK;
}

void fc_scenario_free(fc_scenario *scenario) {
    if (!scenario)
        return;
    if (scenario->parameters && scenario->family->release)
        scenario->family->release(scenario->parameters);
    fc_release(scenario->parameters);
    fc_release(scenario->name);
    fc_document_free(scenario->document);
    fc_release(scenario);
}

/* ---- reading ---- */

fc_status fc_scenario_read_text(const char *text, size_t length, const char *origin,
                                const fc_setting *settings, size_t count, fc_error *error,
                                fc_scenario **scenario) {
    fc_document *document;
    const fc_status status = fc_document_parse(text, length, origin, error, &document);
    return status == FC_OK ? fc_scenario_of_document(document, settings, count, error, scenario)
                           : status;
}

fc_status fc_scenario_read_file(const char *path, const fc_setting *settings, size_t count,
                                fc_error *error, fc_scenario **scenario) {
    char *text;
    size_t length;
    fc_status status = fc_file_read(path, FC_SCENARIO_BYTES_MAX, error, &text, &length);
    if (status != FC_OK)
        return status;
    status = fc_scenario_read_text(text, length, path, settings, count, error, scenario);
    fc_release(text);
    return status;
}

fc_status fc_scenario_read_default(const fc_setting *settings, size_t count, fc_error *error,
                                   fc_scenario **scenario) {
    static const char path[] = "examples/default.yaml";
    size_t length;
    const char *text = fc_embedded(path, &length);
    if (!text)
        return fc_fail(error, FC_ERROR_FILE, "%s is not built in", path);
    return fc_scenario_read_text(text, length, path, settings, count, error, scenario);
}

fc_status fc_scenario_with(const fc_scenario *base, const fc_setting *settings, size_t count,
                           fc_error *error, fc_scenario **scenario) {
    return fc_scenario_with_option(base, "--set", settings, count, error, scenario);
}

fc_status fc_scenario_with_option(const fc_scenario *base, const char *option,
                                  const fc_setting *settings, size_t count, fc_error *error,
                                  fc_scenario **scenario) {
    fc_document *document;
    const fc_status status = fc_document_copy(base->document, error, &document);
    if (status != FC_OK)
        return status;
    document->option = option;
    return fc_scenario_of_document(document, settings, count, error, scenario);
}

/* ---- asking ---- */

const char *fc_scenario_name(const fc_scenario *scenario) {
    return scenario->name;
}

const char *fc_scenario_hash(const fc_scenario *scenario) {
    return scenario->hash;
}

const char *fc_scenario_family(const fc_scenario *scenario) {
    return scenario->family->name;
}

const char *fc_scenario_main_metric(const fc_scenario *scenario) {
    return scenario->family->main_metric(scenario->parameters);
}

const char *fc_scenario_load_key(const fc_scenario *scenario) {
    return scenario->family->load_key(scenario->parameters);
}

fc_status fc_scenario_number(const fc_scenario *scenario, const char *key, fc_error *error,
                             double *value) {
    /* "network.rings.1" is entry 1 of the list network.rings */
    char path[128];
    snprintf(path, sizeof path, "%s", key);
    size_t index = 0;
    char *last = strrchr(path, '.');
    if (last && last[1] >= '0' && last[1] <= '9') {
        index = strtoul(last + 1, NULL, 10);
        *last = '\0';
    }
    const fc_key *found = find_in(scenario->family->keys, path);
    const char *base = scenario->parameters;
    if (!found) {
        found = find_in(simulation_keys, path);
        base = (const char *)&scenario->simulation;
    }
    const void *field = found ? base + found->offset : NULL;
    if (found && found->type == FC_KEY_NUMBER) {
        *value = *(const double *)field;
        return FC_OK;
    }
    if (found && (found->type == FC_KEY_INTEGER || found->type == FC_KEY_COUNT)) {
        const int64_t number = *(const int64_t *)field;
        *value = found->type == FC_KEY_COUNT && number == FC_INFINITE ? INFINITY : (double)number;
        return FC_OK;
    }
    if (found && found->type == FC_KEY_INTEGERS &&
        index < ((const fc_integer_list *)field)->count) {
        *value = (double)((const fc_integer_list *)field)->values[index];
        return FC_OK;
    }
    if (found && found->type == FC_KEY_NUMBERS && index < ((const fc_number_list *)field)->count) {
        *value = ((const fc_number_list *)field)->values[index];
        return FC_OK;
    }
    if (fc_scenario_nested_number(scenario, key, value))
        return FC_OK;
    return fc_fail(error, FC_ERROR_INPUT, "'%.100s' is not a number in this scenario", key);
}

static void write_group(const fc_scenario *scenario, const fc_key *keys, const void *base,
                        const char *group, FILE *stream) {
    const size_t length = strlen(group);
    for (const fc_key *key = keys; key->path; ++key) {
        if (strncmp(key->path, group, length) != 0 || key->path[length] != '.')
            continue;
        if (key->fallback && !key->fallback[0] && !fc_scenario_has(scenario, key->path))
            continue;
        fprintf(stream, "  %s: ", key->path + length + 1);
        fc_key_write(key, (const char *)base + key->offset, stream);
        fputc('\n', stream);
    }
}

fc_status fc_scenario_write(const fc_scenario *scenario, FILE *stream) {
    const fc_family *family = scenario->family;
    const int topology = *(const int *)((char *)scenario->parameters + family->topology_offset);
    fputs("name: \"", stream);
    for (const char *c = scenario->name; *c; ++c) {
        if (*c == '"' || *c == '\\')
            fputc('\\', stream);
        fputc(*c, stream);
    }
    fprintf(stream, "\"\nnetwork:\n  topology: %s\n", family->topologies[topology]);
    write_group(scenario, family->keys, scenario->parameters, "network", stream);
    fputs("traffic:\n", stream);
    write_group(scenario, family->keys, scenario->parameters, "traffic", stream);
    fputs("simulation:\n", stream);
    write_group(scenario, simulation_keys, &scenario->simulation, "simulation", stream);
    return ferror(stream) ? FC_ERROR_FILE : FC_OK;
}

char *fc_scenario_text(const fc_scenario *scenario) {
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    const fc_status status = stream ? fc_scenario_write(scenario, stream) : FC_ERROR_MEMORY;
    if (stream && fclose(stream) == 0 && status == FC_OK)
        return text;
    free(text);
    return NULL;
}

/* ---- the list of keys ---- */

static fc_key_info describe(const fc_key *key, const fc_family *family) {
    fc_key_info info = {.family = family ? family->name : NULL,
                        .topologies = family ? family->topologies : NULL,
                        .path = key->path,
                        .help = key->help,
                        .fallback = key->fallback};
    if (key == &topology_key) {
        size_t used = (size_t)snprintf(info.expected, sizeof info.expected, "one of:");
        for (size_t f = 0; fc_families[f]; ++f) {
            for (size_t t = 0; fc_families[f]->topologies[t] && used < sizeof info.expected; ++t)
                used += (size_t)snprintf(info.expected + used, sizeof info.expected - used, "%s %s",
                                         f + t ? "," : "", fc_families[f]->topologies[t]);
        }
    } else {
        fc_key_expectation(key, info.expected, sizeof info.expected);
    }
    return info;
}

/* Calls for the index-th key, or counts them all if index is too large. */
static size_t visit_keys(size_t index, fc_key_info *info) {
    size_t count = 0;
    if (count++ == index)
        *info = describe(&name_key, NULL);
    if (count++ == index)
        *info = describe(&topology_key, NULL);
    for (size_t f = 0; fc_families[f]; ++f) {
        for (const fc_key *key = fc_families[f]->keys; key->path; ++key) {
            if (count++ == index)
                *info = describe(key, fc_families[f]);
        }
    }
    for (const fc_key *key = simulation_keys; key->path; ++key) {
        if (count++ == index)
            *info = describe(key, NULL);
    }
    return count;
}

size_t fc_key_count(void) {
    fc_key_info unused;
    return visit_keys(SIZE_MAX, &unused);
}

fc_key_info fc_key_at(size_t index) {
    fc_key_info info = {0};
    visit_keys(index, &info);
    return info;
}
