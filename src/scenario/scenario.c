#include "scenario/scenario.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "base/c_locale.h"
#include "base/decimal.h"
#include "base/embedded.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/status.h"
#include "scenario/key_conditions.h"
#include "scenario/presets.h"
#include "scenario/scenario_numbers.h"
#include "scenario/readers.h"
#include "scenario/scenario_keys.h"
#include "scenario/scenario_units.h"
#include "scenario/text_file.h"

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

/* ---- interpretation ---- */

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

static uint64_t hash_key(uint64_t hash, const fc_key *declared, const void *declared_field,
                         bool *failed) {
    const fc_key given = fc_key_as_given(declared, declared_field), *key = &given;
    const void *field = (const char *)declared_field + (given.offset - declared->offset);
    hash = fc_hash(hash, key->path, strlen(key->path));
    switch (key->type) {
    case FC_KEY_INTEGER:
    case FC_KEY_COUNT:
        return fc_hash(hash, field, sizeof(int64_t));
    case FC_KEY_NUMBER:
        return fc_hash(hash, field, sizeof(double));
    case FC_KEY_CHOICE: { /* by its name: its number changes when a choice is added before it */
        const char *name = key->choices[*(const int *)field];
        return fc_hash(hash, name, strlen(name));
    }
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
    for (const fc_key *key = scenario->family->keys; key->path; ++key) {
        if (!key->apart && (!key->hashed_if_given || fc_scenario_has(scenario, key->path)))
            hash = hash_key(hash, key, (char *)scenario->parameters + key->offset, &failed);
    }
    for (const fc_key *key = fc_simulation_keys; key->path; ++key) {
        /* Settings left at their defaults are not hashed, so that a new one does not change the
         * hash of every scenario. */
        const bool is_default = (key->offset == offsetof(fc_simulation_settings, max_seconds) &&
                                 !(scenario->simulation.max_seconds > 0)) ||
                                (key->offset == offsetof(fc_simulation_settings, point_seconds) &&
                                 !(scenario->simulation.point_seconds > 0)) ||
                                (key->offset == offsetof(fc_simulation_settings, controls) &&
                                 scenario->simulation.controls == FC_CONTROLS_AUTO);
        /* Results are stored under the seed beside the hash; they do not depend on the engine. */
        const bool apart = key->offset == offsetof(fc_simulation_settings, seed) ||
                           key->offset == offsetof(fc_simulation_settings, engine);
        if (!apart && !is_default)
            hash = hash_key(hash, key, (char *)&scenario->simulation + key->offset, &failed);
    }
    snprintf(scenario->hash, sizeof scenario->hash, "%016llx", (unsigned long long)hash);
    return failed ? fc_fail_memory(error) : FC_OK;
}

static fc_status read_name(fc_scenario *scenario, fc_error *error) {
    const fc_value *value = fc_value_member(scenario->document->root, "name");
    if (value && value->kind != FC_VALUE_SCALAR)
        return fc_fail_at(error, scenario->document, value, "name must be a line of text");
    char *name = fc_copy_text(value ? value->text : scenario->document->origin);
    if (!name)
        return fc_fail_memory(error);
    /* YAML's blocks have line ends, and terminals obey control characters */
    size_t used = 0;
    for (size_t i = 0; name[i]; ++i) {
        if (fc_is_control(name[i]))
            name[i] = ' ';
        if (name[i] != ' ')
            used = i + 1;
    }
    name[used] = '\0';
    scenario->name = name;
    return FC_OK;
}

fc_status fc_scenario_keep_given(fc_scenario *scenario, fc_error *error) {
    fc_document *copy;
    const fc_status status =
        scenario->given ? FC_OK : fc_document_copy(scenario->document, error, &copy);
    if (status == FC_OK && !scenario->given) {
        scenario->given = scenario->document;
        scenario->document = copy;
    }
    return status;
}

static fc_status interpret(fc_scenario *scenario, fc_error *error) {
    int topology;
    const fc_document *document = scenario->document;
    fc_status status = fc_family_choose(document, error, &scenario->family, &topology);
    if (status == FC_OK)
        status = fc_keys_check(document, scenario->family, error);
    if (status == FC_OK)
        status = read_name(scenario, error);
    if (status != FC_OK)
        return status;
    const fc_family *family = scenario->family;
    status = fc_scenario_lay_preset(scenario, family->topologies[topology], error);
    if (status != FC_OK)
        return status;
    document = scenario->document;
    scenario->parameters = fc_allocate(1, family->parameter_size);
    if (!scenario->parameters)
        return fc_fail_memory(error);
    if (family->initialise)
        family->initialise(scenario->parameters);
    *(int *)((char *)scenario->parameters + family->topology_offset) = topology;
    status = read_keys(document, fc_unit_keys, &scenario->units, error);
    if (status == FC_OK)
        status = fc_scenario_settle_units(scenario, error);
    document = scenario->document;
    if (status == FC_OK)
        status = read_keys(document, family->keys, scenario->parameters, error);
    if (status == FC_OK)
        status = fc_scenario_settle_load(scenario, error);
    if (status == FC_OK)
        status = read_keys(document, fc_simulation_keys, &scenario->simulation, error);
    if (status == FC_OK)
        status = fc_key_conditions_check(scenario, error);
    if (status == FC_OK && family->finish)
        status = family->finish(scenario, scenario->parameters, error);
    if (status == FC_OK)
        status = make_hash(scenario, error);
    if (status == FC_OK)
        fc_scenario_fill_units(scenario);
    return status;
}

/* Takes the document over if it could be set, and frees it if not. */
static fc_status make_scenario(fc_document *document, fc_status set, fc_error *error,
                               fc_scenario **result) {
    if (set != FC_OK) {
        fc_document_free(document);
        return set;
    }
    FC_IN_C_LOCALE;
    fc_scenario *scenario = fc_allocate(1, sizeof *scenario);
    if (!scenario) {
        fc_document_free(document);
        return fc_fail_memory(error);
    }
    scenario->document = document;
    const fc_status status = interpret(scenario, error);
    if (status != FC_OK) {
        fc_scenario_free(scenario);
        return status;
    }
    *result = scenario;
    return FC_OK;
}

fc_status fc_scenario_of_document(fc_document *document, const fc_setting *settings, size_t count,
                                  fc_error *error, fc_scenario **scenario) {
    return make_scenario(document, fc_document_set(document, settings, count, error), error,
                         scenario);
}

void fc_scenario_free(fc_scenario *scenario) {
    if (!scenario)
        return;
    if (scenario->parameters && scenario->family->release)
        scenario->family->release(scenario->parameters);
    fc_release(scenario->parameters);
    fc_release(scenario->name);
    fc_document_free(scenario->document);
    fc_document_free(scenario->given);
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

fc_status fc_scenario_read_confined(const char *text, size_t length, const char *origin,
                                    const fc_setting *settings, size_t count, fc_error *error,
                                    fc_scenario **scenario) {
    fc_document *document;
    const fc_status status = fc_document_parse(text, length, origin, error, &document);
    if (status != FC_OK)
        return status;
    document->confined = true;
    return fc_scenario_of_document(document, settings, count, error, scenario);
}

fc_status fc_scenario_read_file(const char *path, const fc_setting *settings, size_t count,
                                fc_error *error, fc_scenario **scenario) {
    fc_input input;
    fc_status status = fc_input_read(path, error, &input);
    if (status != FC_OK)
        return status;
    status = fc_scenario_read_text(input.text, input.length, input.origin, settings, count, error,
                                   scenario);
    fc_input_clear(&input);
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
    fc_document *document;
    fc_status status =
        fc_document_copy(base->given ? base->given : base->document, error, &document);
    if (status == FC_OK)
        status = fc_scenario_of_document(document, settings, count, error, scenario);
    if (status == FC_OK)
        (*scenario)->cancel = base->cancel;
    return status;
}

void fc_scenario_set_cancel(fc_scenario *scenario, const volatile int *cancel) {
    scenario->cancel = cancel;
}

bool fc_scenario_is_cancelled(const fc_scenario *scenario) {
    return scenario->cancel && *scenario->cancel;
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

double fc_scenario_nodes(const fc_scenario *scenario) {
    return scenario->family->nodes(scenario->parameters);
}

const char *fc_scenario_main_metric(const fc_scenario *scenario) {
    return scenario->family->main_metric(scenario->parameters);
}

const char *fc_scenario_load_key(const fc_scenario *scenario) {
    return scenario->family->load_key(scenario->parameters);
}

fc_status fc_scenario_at_load(const fc_scenario *base, double load, fc_error *error,
                              fc_scenario **there) {
    const char *load_key = fc_scenario_load_key(base);
    const fc_key *key = base->family->keys;
    while (key->path && strcmp(key->path, load_key ? load_key : "traffic.think_time") != 0)
        ++key;
    fc_scenario *made = fc_allocate(1, sizeof *made);
    void *parameters = fc_allocate(1, base->family->parameter_size);
    if (!made || !parameters) {
        fc_release(made);
        fc_release(parameters);
        return fc_fail_memory(error);
    }
    *made = *base;
    made->parameters = memcpy(parameters, base->parameters, base->family->parameter_size);
    if (key->path && isfinite(load)) /* a workload has none */
        *(double *)((char *)parameters + key->offset) = load;
    *there = made;
    return FC_OK;
}

void fc_scenario_at_load_free(fc_scenario *there) {
    if (there)
        fc_release(there->parameters);
    fc_release(there);
}

uint64_t fc_scenario_shape(const fc_scenario *scenario) {
    const char *load = fc_scenario_load_key(scenario);
    bool failed = false; /* then shapes may seem different */
    uint64_t hash = FC_HASH_START;
    for (const fc_key *key = scenario->family->keys; key->path; ++key) {
        if (!key->apart && (!load || strcmp(key->path, load) != 0))
            hash = hash_key(hash, key, (char *)scenario->parameters + key->offset, &failed);
    }
    return hash;
}

/* index: of an entry, where the key holds a list */
static bool number_of_key(const fc_key *key, const void *field, size_t index, double *value) {
    const fc_integer_list *integers = field;
    const fc_number_list *numbers = field;
    switch (key->type) {
    case FC_KEY_NUMBER:
        *value = *(const double *)field;
        return true;
    case FC_KEY_INTEGER:
        *value = (double)*(const int64_t *)field;
        return true;
    case FC_KEY_COUNT:
        *value =
            *(const int64_t *)field == FC_INFINITE ? INFINITY : (double)*(const int64_t *)field;
        return true;
    case FC_KEY_INTEGERS:
        if (index < integers->count)
            *value = (double)integers->values[index];
        return index < integers->count;
    case FC_KEY_NUMBERS:
        if (index < numbers->count)
            *value = numbers->values[index];
        return index < numbers->count;
    case FC_KEY_CHOICE:
    case FC_KEY_CUSTOM:
        return false;
    }
    return false;
}

fc_status fc_scenario_number(const fc_scenario *scenario, const char *key, fc_error *error,
                             double *value) {
    /* "network.rings.1" is entry 1 of the list network.rings */
    char path[128];
    snprintf(path, sizeof path, "%s", key);
    uint64_t index = 0;
    char *last = strrchr(path, '.');
    const bool entry = last && fc_parse_whole(last + 1, FC_LIST_MAX - 1, &index);
    if (entry)
        *last = '\0';
    const fc_key *found = fc_key_find(scenario->family->keys, path);
    const void *base = scenario->parameters;
    if (!found)
        found = fc_shared_key_find(scenario, path, &base);
    const fc_key given = found ? fc_key_as_given(found, (const char *)base + found->offset)
                               : (fc_key){.type = FC_KEY_CUSTOM};
    const bool list = given.type == FC_KEY_INTEGERS || given.type == FC_KEY_NUMBERS;
    if ((found && (list || !entry) &&
         number_of_key(&given, (const char *)base + given.offset, index, value)) ||
        fc_scenario_nested_number(scenario, key, value))
        return FC_OK;
    return fc_fail(error, FC_ERROR_INPUT, "'%.100s' is not a number in this scenario", key);
}

static void write_group(const fc_scenario *scenario, const fc_key *keys, const void *base,
                        const char *group, FILE *stream) {
    const size_t length = strlen(group);
    for (const fc_key *key = keys; key->path; ++key) {
        if (strncmp(key->path, group, length) != 0 || key->path[length] != '.')
            continue;
        const bool given = fc_scenario_has(scenario, key->path);
        if (base == &scenario->units && fc_key_find(scenario->family->keys, key->path))
            continue; /* the family has the key itself */
        if (!given && key->fallback &&
            (!key->fallback[0] || key->hashed_if_given || !fc_key_applies(scenario, key)))
            continue; /* what is written is given, and so would be hashed */
        fprintf(stream, "  %s: ", key->path + length + 1);
        fc_key_write(key, (const char *)base + key->offset, stream);
        fputc('\n', stream);
    }
}

fc_status fc_scenario_write(const fc_scenario *scenario, FILE *stream) {
    FC_IN_C_LOCALE;
    const fc_family *family = scenario->family;
    const int topology = *(const int *)((char *)scenario->parameters + family->topology_offset);
    fputs("name: ", stream);
    fc_quoted_write(scenario->name, stream);
    fprintf(stream, "\nnetwork:\n  topology: %s\n", family->topologies[topology]);
    write_group(scenario, fc_unit_keys, &scenario->units, "network", stream);
    write_group(scenario, family->keys, scenario->parameters, "network", stream);
    fputs("traffic:\n", stream);
    write_group(scenario, family->keys, scenario->parameters, "traffic", stream);
    fputs("simulation:\n", stream);
    write_group(scenario, fc_simulation_keys, &scenario->simulation, "simulation", stream);
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
