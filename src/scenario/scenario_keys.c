#include "scenario/scenario_keys.h"

#include <string.h>
#include "base/names.h"
#include "base/units.h"
#include "scenario/key_conditions.h"
#include "scenario/readers.h"

enum { PATHS_MAX = 96 };

static const char *const controls[] = {"none", "auto", NULL};
const char *const fc_engine_names[] = {"auto", "events", "lanes", "gpu", NULL};

const fc_key fc_simulation_keys[] = {
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
    {.path = "simulation.max_seconds",
     .type = FC_KEY_NUMBER,
     .offset = offsetof(fc_simulation_settings, max_seconds),
     .minimum = 0,
     .maximum = 1e9,
     .fallback = "0",
     .help = "most seconds of elapsed time for a run; 0: no limit. A run that ends by this limit "
             "cannot be repeated exactly"},
    {.path = "simulation.point_seconds",
     .type = FC_KEY_NUMBER,
     .offset = offsetof(fc_simulation_settings, point_seconds),
     .minimum = 0,
     .maximum = 1e9,
     .fallback = "0",
     .help = "most seconds of elapsed time for each simulation of a study (sweep, curve, saturate, "
             "optimize), so that one point near saturation cannot hold the others; 0: no limit. A "
             "point that ends by it says so and cannot be repeated exactly"},
    {.path = "simulation.controls",
     .type = FC_KEY_CHOICE,
     .offset = offsetof(fc_simulation_settings, controls),
     .choices = controls,
     .fallback = "auto",
     .help = "control variates: correct means by what is known exactly of the messages that were "
             "drawn, which takes fewer cycles for the same precision (auto), or not (none)"},
    {.path = "simulation.engine",
     .type = FC_KEY_CHOICE,
     .offset = offsetof(fc_simulation_settings, engine),
     .choices = fc_engine_names,
     .fallback = "auto",
     .help = "the engine that simulates a network of routers: events, lanes (replications side by "
             "side in "
             "vector registers), gpu, or auto: events or lanes, whichever should be faster. The "
             "results are "
             "the same"},
    {.path = "simulation.seed",
     .type = FC_KEY_INTEGER,
     .offset = offsetof(fc_simulation_settings, seed),
     .minimum = 0,
     .maximum = 0x1p53,
     .fallback = "1",
     .help = "selects the random numbers"},
    {.path = "simulation.replications",
     .type = FC_KEY_INTEGER,
     .offset = offsetof(fc_simulation_settings, replications),
     .minimum = 1,
     .maximum = 1024,
     .fallback = "4",
     .help = "independent runs the interval is made from; they run in parallel"},
    {0},
};

const fc_key fc_unit_keys[] = {
    {.path = "network.clock_ghz",
     .type = FC_KEY_NUMBER,
     .offset = offsetof(fc_units, clock_ghz),
     .minimum = 0,
     .above_minimum = true,
     .maximum = 1e6,
     .fallback = "",
     .apart = true,
     .help = "cycles in a nanosecond. Times are then given in ns too, and may be written with a "
             "unit: link_delay: 5 ns"},
    {.path = "network.flit_bytes",
     .type = FC_KEY_NUMBER,
     .offset = offsetof(fc_units, flit_bytes),
     .minimum = 0,
     .above_minimum = true,
     .maximum = 1 << 20,
     .fallback = "",
     .apart = true,
     .help = "bytes of a flit (multistage, ring-hierarchy: of a packet). With clock_ghz, loads are "
             "given in GB/s too, and may be written with a unit: rate: 12 GB/s"},
    {0},
};

/* Read on their own. */
static const fc_key name_key = {.path = "name",
                                .type = FC_KEY_CUSTOM,
                                .fallback = "",
                                .help = "a line that says what this is",
                                .expected = "a line of text"};
static const fc_key topology_key = {.path = "network.topology",
                                    .type = FC_KEY_CUSTOM,
                                    .help = "the kind of network; selects which other keys apply"};

const fc_key *fc_key_find(const fc_key *keys, const char *path) {
    for (; keys->path; ++keys) {
        if (strcmp(keys->path, path) == 0)
            return keys;
    }
    return NULL;
}

const fc_key *fc_shared_key_find(const fc_scenario *scenario, const char *path, const void **base) {
    const fc_key *key = fc_key_find(fc_simulation_keys, path);
    *base = &scenario->simulation;
    if (key)
        return key;
    *base = &scenario->units;
    return fc_key_find(fc_unit_keys, path);
}

/* ---- the family ---- */

struct topologies {
    const char *names[FC_TOPOLOGIES_MAX + 1]; /* of all families, ends with NULL */
    const fc_family *owners[FC_TOPOLOGIES_MAX];
    int indices[FC_TOPOLOGIES_MAX]; /* among the owner's topologies */
};

static void gather_topologies(struct topologies *all) {
    size_t count = 0;
    for (size_t f = 0; fc_families[f]; ++f) {
        for (int t = 0; fc_families[f]->topologies[t] && count < FC_TOPOLOGIES_MAX; ++t) {
            all->owners[count] = fc_families[f];
            all->indices[count] = t;
            all->names[count++] = fc_families[f]->topologies[t];
        }
    }
    all->names[count] = NULL;
}

/* A misspelt group is the likeliest cause of a missing topology: say that instead. */
static fc_status fail_missing(const fc_document *document, const char *const *names,
                              fc_error *error) {
    static const char *const groups[] = {"name", "network", "traffic", "simulation", NULL};
    const fc_value *network = fc_value_member(document->root, "network");
    for (size_t i = 0; i < document->root->count && !network; ++i) {
        const char *key = document->root->keys[i];
        const char *nearest = fc_nearest(key, groups);
        const fc_value place = fc_value_key_position(document->root->items[i]);
        if (nearest && strcmp(nearest, key) != 0)
            return fc_fail_at(error, document, &place, "unknown key '%s'; did you mean '%s'?", key,
                              nearest);
    }
    char list[256];
    fc_names_text(names, sizeof list, list);
    return fc_fail_at(error, document, network,
                      "'network.topology' is missing; expected one of: %s", list);
}

fc_status fc_family_choose(const fc_document *document, fc_error *error, const fc_family **family,
                           int *topology) {
    struct topologies all;
    gather_topologies(&all);
    const fc_value *value = fc_document_find(document, topology_key.path);
    if (!value)
        return fail_missing(document, all.names, error);
    int choice;
    const fc_status status =
        fc_read_choice(document, value, topology_key.path, all.names, error, &choice);
    if (status == FC_OK) {
        *family = all.owners[choice];
        *topology = all.indices[choice];
    }
    return status;
}

/* ---- unknown keys ---- */

static void gather_paths(const fc_family *family, const char *paths[PATHS_MAX + 1]) {
    size_t count = 0;
    paths[count++] = name_key.path;
    paths[count++] = topology_key.path;
    for (const fc_key *key = family->keys; key->path && count < PATHS_MAX; ++key)
        paths[count++] = key->path;
    for (const fc_key *key = fc_unit_keys; key->path && count < PATHS_MAX; ++key)
        paths[count++] = key->path;
    for (const fc_key *key = fc_simulation_keys; key->path && count < PATHS_MAX; ++key)
        paths[count++] = key->path;
    paths[count] = NULL;
}

/* A key of another family than that of the document's network. */
static fc_status fail_foreign(const fc_document *document, const fc_value *place, const char *path,
                              const fc_family *owner, fc_error *error) {
    char topologies[128];
    fc_names_text(owner->topologies, sizeof topologies, topologies);
    const fc_value *topology = fc_document_find(document, topology_key.path);
    const char *here = topology && topology->text ? topology->text : "other";
    return fc_fail_at(error, document, place, "'%s' is a key of %s networks, not of %s networks",
                      path, topologies, here);
}

static fc_status fail_unknown(const fc_document *document, const fc_value *value, const char *path,
                              const fc_family *family, fc_error *error) {
    const fc_value place = fc_value_key_position(value);
    for (size_t f = 0; fc_families[f]; ++f) {
        if (fc_families[f] != family && fc_key_find(fc_families[f]->keys, path))
            return fail_foreign(document, &place, path, fc_families[f], error);
    }
    const char *paths[PATHS_MAX + 1];
    char hint[FC_HINT_SIZE];
    gather_paths(family, paths);
    for (size_t i = 0; paths[i]; ++i) {
        const char *dot = strchr(paths[i], '.');
        if (dot && strcmp(dot + 1, path) == 0) /* only its group is missing */
            return fc_fail_at(error, document, &place, "unknown key '%s'; did you mean '%s'?", path,
                              paths[i]);
    }
    return fc_fail_at(error, document, &place, "unknown key '%s'%s", path,
                      fc_names_hint(path, paths,
                                    "; a scenario has name, network, traffic and simulation, with "
                                    "keys such as traffic.rate",
                                    hint));
}

static bool is_known(const fc_family *family, const char *path) {
    return strcmp(path, topology_key.path) == 0 || fc_key_find(family->keys, path) ||
           fc_key_find(fc_unit_keys, path) || fc_key_find(fc_simulation_keys, path);
}

fc_status fc_keys_check(const fc_document *document, const fc_family *family, fc_error *error) {
    const fc_value *root = document->root;
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
            if (!is_known(family, path))
                return fail_unknown(document, members->items[j], path, family, error);
        }
    }
    return FC_OK;
}

/* ---- the list of keys ---- */

static void add_unit(const fc_key *key, char *text, size_t size) {
    const fc_quantity quantity =
        key->measures ? fc_quantity_named(key->measures, strlen(key->measures)) : FC_NO_QUANTITY;
    const size_t used = strlen(text);
    if (quantity && used < size)
        snprintf(text + used, size - used, "; or with a unit: %s", fc_quantity_example(quantity));
}

static fc_key_info describe(const fc_key *key, const fc_family *family) {
    fc_key_info info = {.family = family ? family->name : NULL,
                        .topologies = family ? family->topologies : NULL,
                        .path = key->path,
                        .help = key->help,
                        .fallback = key->fallback};
    if (key == &topology_key) {
        static const char before[] = "one of: ";
        const size_t used = sizeof before - 1;
        struct topologies all;
        gather_topologies(&all);
        memcpy(info.expected, before, used);
        fc_names_text(all.names, sizeof info.expected - used, info.expected + used);
    } else {
        if (family) {
            if (fc_key_is_required(family, key))
                info.fallback = NULL;
            info.taken_by = fc_key_taken_by(family, key);
            fc_key_conditions_text(family, key, sizeof info.only_if, info.only_if);
        }
        fc_key_expectation(key, info.expected, sizeof info.expected);
        add_unit(key, info.expected, sizeof info.expected);
    }
    return info;
}

/* Describes the index-th key if there is one; returns how many there are. */
static size_t visit_keys(size_t index, fc_key_info *info) {
    size_t count = 0;
    if (count++ == index)
        *info = describe(&name_key, NULL);
    if (count++ == index)
        *info = describe(&topology_key, NULL);
    for (const fc_key *key = fc_unit_keys; key->path; ++key) {
        if (count++ == index)
            *info = describe(key, NULL);
    }
    for (size_t f = 0; fc_families[f]; ++f) {
        for (const fc_key *key = fc_families[f]->keys; key->path; ++key) {
            if (count++ == index)
                *info = describe(key, fc_families[f]);
        }
    }
    for (const fc_key *key = fc_simulation_keys; key->path; ++key) {
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
