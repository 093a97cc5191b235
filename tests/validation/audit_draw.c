/* Scenarios drawn from the tables of keys: a topology, then keys that it takes in a random order,
 * each with a random value, kept if the scenario is still valid. A new key is drawn as it comes, if
 * its values are numbers or choices; one that reads values of its own needs a line in `forms`. */
#include "audit.h"

#include <math.h>
#include <string.h>
#include "base/random.h"
#include "scenario/traffic.h"
#include "scenario/key_conditions.h"
#include "scenario/scenario_keys.h"

const char *const audit_kind_names[AUDIT_KINDS] = {"routers", "others", "workloads"};

enum { LINES_MOST = 48, NODES_MOST = 80, KEYS_MOST = 128 };

/* Sizes to start from: every topology has some. Keys that are drawn may change them. */
static const char *const starts[][5] = {
    {"torus", "network.radix=[4, 4]", "network.radix=[6, 6]", "network.radix=[3, 4, 3]"},
    {"mesh", "network.radix=[4, 4]", "network.radix=[8, 8]", "network.radix=[5, 3, 2]"},
    {"ring", "network.radix=[6]", "network.radix=[14]"},
    {"hypercube", "network.dimensions=3", "network.dimensions=5"},
    {"fly", "network.arity=2 network.levels=3", "network.arity=4 network.levels=2"},
    {"fat-tree", "network.arity=2 network.levels=3", "network.arity=4 network.levels=2"},
    {"graph", "network.file=" SOURCE_DIR "/examples/campus.graph",
     "network.file=" SOURCE_DIR "/examples/rails.graph",
     "network.file=" SOURCE_DIR "/examples/chiplets.graph"},
    {"gpu-cluster", "network.nodes=3 network.gpus=2", "network.nodes=4 network.gpus=4",
     "network.nodes=6 network.gpus=4 network.leaf_nodes=3 network.spines=2"},
    {"dragonfly", "network.hosts=2 network.routers=4 network.global_links=1",
     "network.hosts=1 network.routers=3 network.global_links=2"},
    {"hyperx", "network.shape=[4, 4]", "network.shape=[5]", "network.shape=[3, 3, 2]"},
    {"flattened-butterfly", "network.shape=[4, 4]", "network.shape=[3, 3]"},
    {"slim-fly", "network.q=3", "network.q=4"},
    {"multistage", "network.ports=16", "network.ports=64"},
    {"ring-hierarchy", "network.rings=[4, 3]", "network.rings=[8, 6]", "network.rings=[3, 4, 2]"},
    {"chip"}, /* described cycle by cycle in the tests of its own simulator */
};

/* Values of keys that read their own; %u is a number below 12. A second column "" with a reason
 * after it: not drawn. */
static const char *const forms[][14] = {
    {"network.router_delay", "1", "%u", "[1, 1, 1, 1]", "[2, 2, 0, 0]", "[0, 0, 0, 2]",
     "[0, 1, 1, 0]", "[3, 1, 2, 1]"},
    {"network.energy", "{buffer_write: 1.5, link: 2, leakage: 0.1}", "{crossbar: 3}"},
    {"network.faults", "[[%u, 0, 1]]", "[[%u, 0, 1], [%u, 0, -1]]", "{links: [[0, 1]]}",
     "{routers: [%u]}", "{random: {links: 0.1, seed: %u}}"},
    {"network.extra_links", "[[0, %u]]", "[[1, 2]]", "[[%u, 0, 3], [0, 2]]"},
    {"traffic.message_mix", "[{flits: 1, share: 0.7}, {flits: %u, share: 0.3}]",
     "[{flits: 1, share: 0.5}, {flits: 5, share: 0.5}]",
     "[{flits: 2, share: 0.9}, {flits: 40, share: 0.1}]"},
    {"traffic.injection", "bernoulli", "{on-off: {on: 10, off: 30}}",
     "{on-off: {on: 150, off: 4%u0}}", "{on-off: {on: 5%u, off: 5%u}}"},
    {"traffic.requests", "[{share: 1, flits: 1, reply_flits: 5}]",
     "[{share: 1, flits: %u, reply_flits: %u}]",
     "[{share: 0.7, flits: 2, reply_flits: 9, memory_reply: %u, memory_busy: %u}, {share: 0.3, "
     "flits: 9, reply_flits: 1, memory_reply: 3, memory_busy: 2}]"},
    {"traffic.classes",
     "[{name: short, share: 0.6, flits: 1, priority: 1}, {name: long, share: 0.4, flits: %u}]",
     "[{name: ask, share: 1, flits: %u, reply: answer, memory_reply: %u}, {name: answer, flits: "
     "5}]",
     "[{name: low, share: 0.5, channels: [0, 0]}, {name: high, share: 0.5, flits: %u, channels: "
     "[1, 1]}]",
     "[{name: one, share: 0.8, flits: %u}, {name: all, share: 0.2, multicast: true, priority: 1}]",
     "[{name: ask, share: 0.9, reply: answer, memory_busy: %u, channels: 0}, {name: some, share: "
     "0.1, flits: %u, multicast: true, channels: 1, destinations: {hot-spots: [{node: %u, weight: "
     "1}, {node: 0, weight: 1}]}}, {name: answer, flits: 5, channels: [2, 3]}]"},
    {"traffic.profile", "[{cycles: 50, factor: 0.5}, {cycles: 50, factor: 1.5}]",
     "[{cycles: %u0, factor: 0.2}, {cycles: %u0, factor: 3}, {cycles: 40, factor: 0}]",
     "[{cycles: 9%u0, factor: 1}, {cycles: %u00, factor: 1.4}]"},
    {"traffic.groups", "{inner: 2, outer: 8}", "{inner: 4, outer: 4}", "{inner: 4, outer: 6}",
     "{inner: 2, outer: 3, last: 3}", "{inner: 2, outer: 4}", "{inner: 3, outer: 2}",
     "{inner: [[0, 1, 2], [3, 4, 5]], outer: [[0, %u], [2, 3]]}"},
    {"traffic.destinations", "uniform", "{hot-spot: {share: 0.%u, node: %u}}",
     "{near-neighbour: 0.%u}", "{random-permutation: %u}", "{next-group: %u}",
     "{hot-spots: [{node: %u, weight: 2}, {node: 0, weight: 1}]}"},
    {"traffic.placement", "random", "{random: %u}", "{blocks: %u}"},
    {"traffic.workload", "{all-reduce: {algorithm: %s, bytes: %u}}",
     "{all-to-all: {algorithm: %s, bytes: %u}}", "{reduce-scatter: {algorithm: %s, bytes: %u}}",
     "{all-gather: {algorithm: %s, bytes: %u}}", "{broadcast: {algorithm: %s, root: 1, bytes: %u}}",
     "{all-reduce: {algorithm: hierarchical, inner: %s, outer: %s, inner_ranks: %u, bytes: %u}}",
     "{all-reduce: {algorithm: multi-ring, rings: %u, bytes: %u}}",
     "{all-to-all: {algorithm: hierarchical, inner_ranks: %u, bytes: %u}}",
     "{halo-exchange: {bytes: %u}}", "{mixture-of-experts: {tokens: 9, bytes: %u, skew: 0.4}}"},
    {"traffic.jobs",
     "[{workload: {all-reduce: {algorithm: ring, bytes: %u00}}, ranks: 2}, {workload: [{compute: "
     "%u}, barrier, {all-to-all: {bytes: %u0}}], ranks: 3, start: %u, placement: random}]",
     "[{workload: {broadcast: {root: 1, bytes: %u00}}, ranks: 4, start: 1%u}]"},
    {"traffic.slow_ranks", "{ranks: [%u], factor: 1.5}", "{share: 0.%u, factor: 2}",
     "{deviation: 0.%u}"},
    {"network.ring_tree", "[[%u, 3], [2, 5]]", "[[4, 6], [3, 3, 5]]", "[[[2, 3]], [[4], [%u, 2]]]"},
    {"network.routes", "", "a file that fits one graph"},
    {"network.file", "", "in the start"},
    {"traffic.trace", "", "a file; its messages are those of a workload"},
};

/* What ranks do where they have groups. */
static const char *const group_forms[] = {
    "{all-reduce: {algorithm: %s, group: inner, bytes: %u}}",
    "{all-gather: {algorithm: %s, group: outer, bytes: %u}}",
    "{all-to-all: {algorithm: direct, group: outer, bytes: %u}}",
    "{all-reduce: {algorithm: hierarchical, group: outer, inner_ranks: 2, bytes: %u}}",
    "{all-reduce: {algorithm: multi-ring, group: inner, bytes: %u}}",
    "{together: [{all-reduce: {group: inner, bytes: %u}}, {reduce-scatter: {group: outer, bytes: "
    "640}}]}",
    "[{all-reduce: {group: inner, bytes: %u}}, {compute: 25}, {broadcast: {root: 0, group: outer, "
    "bytes: 96}}]"};

static const char *const algorithms[] = {"ring",
                                         "recursive-doubling",
                                         "halving-doubling",
                                         "two-trees",
                                         "recursive-halving",
                                         "binomial",
                                         "direct",
                                         "pairwise"};

typedef struct line {
    const char *path;
    char value[300];
} line;

typedef struct drawing {
    fc_random random;
    audit_kind kind;
    const fc_family *family;
    uint32_t topology;
    line lines[LINES_MOST];
    size_t count;
} drawing;

/* ---- numbers: at most one draw in an expression, whose order of evaluation C leaves open ---- */

static unsigned below(drawing *d, size_t bound) {
    return fc_random_below(&d->random, (uint32_t)bound);
}

static double between(drawing *d, double low, double high) {
    return low + (high - low) * fc_random_unit(&d->random);
}

/* As often small as large. */
static double spread(drawing *d, double low, double high) {
    return low * pow(high / low, fc_random_unit(&d->random));
}

/* ---- the scenario ---- */

static void append(char *text, size_t size, const char *added) {
    const size_t used = strlen(text);
    snprintf(text + used, size - used, "%s", added);
}

static void write_section(const drawing *d, const char *section, char *text) {
    const size_t length = strlen(section);
    const char *between_them = ": {";
    append(text, AUDIT_TEXT, section);
    for (size_t i = 0; i < d->count; ++i) {
        const char *path = d->lines[i].path;
        if (strncmp(path, section, length) != 0 || path[length] != '.')
            continue;
        append(text, AUDIT_TEXT, between_them);
        append(text, AUDIT_TEXT, path + length + 1);
        append(text, AUDIT_TEXT, ": ");
        append(text, AUDIT_TEXT, d->lines[i].value);
        between_them = ", ";
    }
    append(text, AUDIT_TEXT, "}\n");
}

static void write_text(const drawing *d, char text[AUDIT_TEXT]) {
    text[0] = '\0';
    write_section(d, "network", text);
    write_section(d, "traffic", text);
}

static fc_scenario *read_drawn(const drawing *d) {
    char text[AUDIT_TEXT];
    fc_scenario *scenario;
    write_text(d, text);
    return fc_scenario_read_text(text, strlen(text), "drawn", NULL, 0, NULL, &scenario) == FC_OK
               ? scenario
               : NULL;
}

static line *line_of(drawing *d, const char *path) {
    for (size_t i = 0; i < d->count; ++i)
        if (strcmp(d->lines[i].path, path) == 0)
            return &d->lines[i];
    return NULL;
}

static void set(drawing *d, const char *path, const char *value) {
    line *known = line_of(d, path);
    if (!known && d->count == LINES_MOST)
        return;
    known = known ? known : &d->lines[d->count++];
    known->path = path;
    snprintf(known->value, sizeof known->value, "%s", value);
}

static void remove_line(drawing *d, const char *path) {
    line *known = line_of(d, path);
    if (known)
        *known = d->lines[--d->count];
}

/* Whether the scenario is one of the kind, and not too large. */
static bool fits(const drawing *d) {
    fc_scenario *scenario = read_drawn(d);
    if (!scenario)
        return false;
    const bool routers = fc_method_covers("router", scenario, NULL) == FC_OK;
    const bool small = fc_scenario_nodes(scenario) <= NODES_MOST;
    fc_scenario_free(scenario);
    return small && routers == (d->kind != AUDIT_OTHERS);
}

/* The key with this value if the scenario is still valid, else as it was. */
static bool try_value(drawing *d, const char *path, const char *value) {
    const line *known = line_of(d, path);
    const line before = known ? *known : (line){0};
    set(d, path, value);
    if (fits(d))
        return true;
    if (before.path)
        set(d, path, before.value);
    else
        remove_line(d, path);
    return false;
}

/* ---- values ---- */

static void draw_whole(drawing *d, const fc_key *key, char value[300]) {
    static const double reaches[] = {3, 12, 50};
    const double low = fmax(key->minimum, 0), reach = reaches[below(d, 3)];
    const double number = low - 1 + spread(d, 1, fmin(reach, key->maximum - low) + 1.999);
    if (key->type == FC_KEY_COUNT && below(d, 8) == 0)
        snprintf(value, 300, "infinite");
    else
        snprintf(value, 300, "%.0f", floor(number));
}

static void draw_number(drawing *d, const fc_key *key, char value[300]) {
    const double low = fmax(key->minimum, 0.001), high = fmin(key->maximum, 300 * low);
    snprintf(value, 300, "%.4g", spread(d, low, high));
}

static void draw_list(drawing *d, const fc_key *key, char value[300]) {
    const unsigned count = 1 + below(d, 3);
    strcpy(value, "[");
    for (unsigned i = 0; i < count; ++i) {
        char one[40];
        const double number = fmax(key->minimum, 0) + below(d, 5);
        const double share = between(d, key->minimum, fmin(key->maximum, key->minimum + 1));
        snprintf(one, sizeof one, "%s%.3g", i ? ", " : "",
                 key->type == FC_KEY_INTEGERS || key->maximum > 1 ? number : share);
        append(value, 300, one);
    }
    append(value, 300, "]");
}

static const char *const *forms_of(const char *path) {
    for (size_t i = 0; i < sizeof forms / sizeof *forms; ++i)
        if (strcmp(forms[i][0], path) == 0)
            return &forms[i][1];
    return NULL;
}

/* A form with its numbers and words. */
static void fill_form(drawing *d, const char *form, char value[300]) {
    value[0] = '\0';
    for (; *form; ++form) {
        char piece[32] = {*form, '\0'};
        if (form[0] == '%' && form[1] == 's')
            snprintf(piece, sizeof piece, "%s",
                     algorithms[below(d, sizeof algorithms / sizeof *algorithms)]);
        else if (form[0] == '%' && strstr(form, "%u}}") == form && strstr(value, "bytes"))
            snprintf(piece, sizeof piece, "%.0f", spread(d, 16, 8192));
        else if (form[0] == '%')
            snprintf(piece, sizeof piece, "%u", 1 + below(d, 11));
        form += form[0] == '%';
        append(value, 300, piece);
    }
}

static bool draw_form(drawing *d, const fc_key *key, char value[300]) {
    const char *const *list = forms_of(key->path);
    size_t count = 0;
    while (list && list[count])
        ++count;
    if (count == 0 || !*list[0])
        return false;
    /* patterns that are words alone come with the table of patterns */
    const bool destinations = strcmp(key->path, "traffic.destinations") == 0;
    if (destinations && below(d, 2)) {
        const unsigned pattern = below(d, FC_PATTERNS);
        snprintf(value, 300, "%s", fc_pattern_names[pattern]);
        return true;
    }
    fill_form(d, list[below(d, count)], value);
    return true;
}

static void draw_key(drawing *d, const fc_key *key) {
    char value[300];
    size_t choices = 0;
    switch (key->type) {
    case FC_KEY_INTEGER:
    case FC_KEY_COUNT:
        draw_whole(d, key, value);
        break;
    case FC_KEY_NUMBER:
        draw_number(d, key, value);
        break;
    case FC_KEY_INTEGERS:
    case FC_KEY_NUMBERS:
        draw_list(d, key, value);
        break;
    case FC_KEY_CHOICE:
        while (key->choices[choices])
            ++choices;
        snprintf(value, sizeof value, "%s", key->choices[below(d, choices)]);
        break;
    default:
        if (!draw_form(d, key, value))
            return;
    }
    try_value(d, key->path, value);
}

/* ---- a drawing ---- */

static const char *const *start_of(const char *topology) {
    for (size_t i = 0; i < sizeof starts / sizeof *starts; ++i)
        if (strcmp(starts[i][0], topology) == 0)
            return &starts[i][1];
    return NULL;
}

/* "KEY=VALUE KEY=VALUE": values are lists or have no blanks. */
static void set_all(drawing *d, const char *text) {
    while (*text) {
        const char *equals = strchr(text, '='), *end = equals;
        while (*end && !(*end == ' ' && strncmp(end + 1, "network.", 8) == 0))
            ++end;
        for (const fc_key *key = d->family->keys; key->path; ++key) {
            if (strlen(key->path) != (size_t)(equals - text) ||
                strncmp(key->path, text, (size_t)(equals - text)) != 0)
                continue;
            char value[300];
            snprintf(value, sizeof value, "%.*s", (int)(end - equals - 1), equals + 1);
            set(d, key->path, value);
        }
        text = *end ? end + 1 : end;
    }
}

/* A topology and what it needs; false: not one of the kind. */
static bool begin(drawing *d) {
    size_t families = 0, topologies = 0, count = 0;
    while (fc_families[families])
        ++families;
    d->family = fc_families[below(d, families)];
    if (d->kind != AUDIT_OTHERS && !d->family->routers)
        return false;
    while (d->family->topologies[topologies])
        ++topologies;
    d->topology = below(d, topologies);
    const char *const *list = start_of(d->family->topologies[d->topology]);
    while (list && list[count])
        ++count;
    if (count == 0)
        return false;
    set(d, "network.topology", d->family->topologies[d->topology]);
    set_all(d, list[below(d, count)]);
    const bool closes = fc_key_find(d->family->keys, "traffic.think_time") != NULL;
    if (d->kind == AUDIT_OTHERS && closes && below(d, 3) == 0) {
        set(d, "traffic.kind", "closed");
    } else if (d->kind == AUDIT_WORKLOADS) {
        char value[300];
        draw_form(d, fc_key_find(d->family->keys, "traffic.workload"), value);
        set(d, "traffic.workload", value);
    } else {
        set(d, "traffic.rate", "1e-6");
    }
    if (d->kind != AUDIT_OTHERS && below(d, 4))
        set(d, "network.router_delay", "[1, 1, 1, 1]");
    else if (d->kind != AUDIT_OTHERS)
        set(d, "network.router_delay", "1");
    else if (d->family->routers && below(d, 3) == 0)
        set(d, "network.switching", "scouting");
    return fits(d);
}

static void draw_keys(drawing *d) {
    const fc_key *keys[KEYS_MOST];
    size_t count = 0;
    const double share = 0.6 * pow(fc_random_unit(&d->random), 2); /* many have few keys */
    for (const fc_key *key = d->family->keys; key->path && count < KEYS_MOST; ++key)
        if (strcmp(key->path, "traffic.rate") != 0 && strcmp(key->path, "traffic.workload") != 0 &&
            fc_key_taken_by(d->family, key) >> d->topology & 1)
            keys[count++] = key;
    for (size_t i = 0; i < count; ++i) { /* in any order: some keys need others */
        const size_t other = i + below(d, count - i);
        const fc_key *key = keys[other];
        keys[other] = keys[i];
        if (fc_random_unit(&d->random) < share)
            draw_key(d, key);
    }
}

/* Work of the groups, where there are any, in place of that of all ranks. */
static void draw_group_work(drawing *d) {
    char value[300];
    const char *form = group_forms[below(d, sizeof group_forms / sizeof *group_forms)];
    if (!line_of(d, "traffic.groups") || !line_of(d, "traffic.workload"))
        return;
    fill_form(d, form, value);
    try_value(d, "traffic.workload", value);
}

/* The load up to which something is known of the network: that of its busiest link, or of the
 * forecast. */
static double capacity_of(const fc_scenario *scenario) {
    fc_forecast *forecast;
    fc_load_range range = {.load = NAN};
    const bool bound = fc_method_covers("channel-load", scenario, NULL) == FC_OK;
    if (fc_forecast_create(scenario, bound ? "channel-load" : NULL, NULL, &forecast) == FC_OK) {
        if (fc_forecast_saturation(forecast, NULL, &range) != FC_OK)
            range.load = NAN;
        fc_forecast_free(forecast);
    }
    return range.load;
}

/* A load between nearly none and about saturation, which most networks have below what their
 * busiest link could carry. */
static void draw_load(drawing *d) {
    const double share = between(d, 0.03, 0.85);
    fc_scenario *scenario = line_of(d, "traffic.rate") ? read_drawn(d) : NULL;
    if (!scenario)
        return;
    const double capacity = capacity_of(scenario);
    char value[40];
    snprintf(value, sizeof value, "%.6g",
             isfinite(capacity) && capacity > 0 ? fmin(1, share * capacity) : 0.02 * share);
    set(d, "traffic.rate", value);
    fc_scenario_free(scenario);
}

audit_text audit_draw(audit_kind kind, uint64_t seed, unsigned number) {
    audit_text out = {""};
    for (uint32_t attempt = 0; attempt < 200; ++attempt) {
        drawing d = {.random = fc_random_stream(seed, (uint32_t)kind * 256 + attempt, number),
                     .kind = kind};
        if (!begin(&d))
            continue;
        draw_keys(&d);
        draw_group_work(&d);
        draw_load(&d);
        if (!fits(&d))
            continue;
        write_text(&d, out.text);
        break;
    }
    return out;
}

const char *audit_undrawn_key(void) {
    for (size_t f = 0; fc_families[f]; ++f) {
        for (size_t t = 0; fc_families[f]->topologies[t]; ++t)
            if (!start_of(fc_families[f]->topologies[t]))
                return fc_families[f]->topologies[t];
        for (const fc_key *key = fc_families[f]->keys; key->path; ++key)
            if (key->type == FC_KEY_CUSTOM && !forms_of(key->path) &&
                strcmp(fc_families[f]->name, "chip") != 0)
                return key->path;
    }
    return NULL;
}
