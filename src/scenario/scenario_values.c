#include "scenario/scenario_values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/c_locale.h"
#include "base/decimal.h"
#include "base/status.h"
#include "scenario/fabric.h"
#include "scenario/key_conditions.h"
#include "scenario/readers.h"

enum { PATH = 256 };

typedef struct walk {
    fc_value_visit visit;
    void *context;
    const char *load;
} walk;

/* A value that is not more or less of anything; a model is for one kind of router. */
static bool only_names(const char *path) {
    static const char *const names[] = {
        "node", "nodes", "seed", "file", "router", "random-permutation", "extra_links"};
    const char *dot = strrchr(path, '.');
    bool found = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
        found |= dot && strcmp(dot + 1, names[i]) == 0;
    return found;
}

static void visit_value(const walk *w, const char *path, const fc_value *value) {
    if (only_names(path) || (w->load && strcmp(path, w->load) == 0))
        return;
    if (value->kind == FC_VALUE_SCALAR) {
        w->visit(w->context, path, value->text);
        return;
    }
    char below[PATH];
    if (value->kind == FC_VALUE_SEQUENCE && value->count > 0 &&
        value->items[0]->kind == FC_VALUE_SCALAR) {
        char count[32];
        snprintf(below, sizeof below, "%.*s" FC_VALUE_ENTRIES, PATH / 2, path);
        snprintf(count, sizeof count, "%zu", value->count);
        w->visit(w->context, below, count);
    }
    for (size_t i = 0; i < value->count; ++i) {
        if (value->kind == FC_VALUE_SEQUENCE) {
            visit_value(w, path, value->items[i]);
            continue;
        }
        w->visit(w->context, path, value->keys[i]);
        snprintf(below, sizeof below, "%.*s.%.*s", PATH / 2, path, PATH / 2 - 2, value->keys[i]);
        visit_value(w, below, value->items[i]);
    }
}

/* Whether the key has a value here, given or not. What a family reads on its own is absent unless
 * it is given or has a default; and keys that came later are absent unless given. */
static bool has_value(const fc_scenario *scenario, const fc_key *key) {
    if (key->apart) /* what it says is in other keys */
        return false;
    if (fc_scenario_has(scenario, key->path))
        return true;
    const bool absent =
        key->hashed_if_given || (key->type == FC_KEY_CUSTOM && key->fallback && !key->fallback[0]);
    return !absent && fc_key_applies(scenario, key);
}

/* A mapping with a member for each key. */
static char *text_of(const fc_scenario *scenario) {
    const fc_family *family = scenario->family;
    const char *parameters = scenario->parameters;
    const int topology = *(const int *)(parameters + family->topology_offset);
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    if (!stream)
        return NULL;
    fprintf(stream, "network.topology: %s\n", family->topologies[topology]);
    for (const fc_key *key = family->keys; key->path; ++key) {
        if (!has_value(scenario, key))
            continue;
        fprintf(stream, "%s: ", key->path);
        fc_key_write(key, parameters + key->offset, stream);
        fputc('\n', stream);
    }
    if (fclose(stream) == 0)
        return text;
    free(text);
    return NULL;
}

/* The extremes say whether all are within what is known. */
static void visit_links(const walk *w, const fc_graph *graph) {
    static const char *const keys[] = {"network.link_delay", "network.file.width"};
    double least[] = {INFINITY, 1}, most[] = {0, 1};
    char text[FC_REAL_SIZE];
    for (uint32_t l = 0; l < graph->links; ++l) {
        const fc_graph_link *link = &graph->link[l];
        const double values[] = {(double)link->delay, link->width > 0 ? link->width : 1};
        for (int i = 0; i < 2; ++i) {
            least[i] = fmin(least[i], values[i]);
            most[i] = fmax(most[i], values[i]);
        }
    }
    for (int i = 0; i < 2; ++i) {
        if (least[i] > most[i] || (i == 1 && least[i] == 1 && most[i] == 1))
            continue;
        fc_real_text(least[i], text);
        w->visit(w->context, keys[i], text);
        fc_real_text(most[i], text);
        w->visit(w->context, keys[i], text);
    }
}

fc_status fc_scenario_values(const fc_scenario *scenario, fc_value_visit visit, void *context,
                             fc_error *error) {
    FC_IN_C_LOCALE;
    char *text = text_of(scenario);
    if (!text)
        return fc_fail_memory(error);
    fc_document *document;
    const fc_status status = fc_document_parse(text, strlen(text), "scenario", error, &document);
    if (status == FC_OK) {
        const walk w = {visit, context, fc_scenario_load_key(scenario)};
        for (size_t i = 0; i < document->root->count; ++i)
            visit_value(&w, document->root->keys[i], document->root->items[i]);
        if (scenario->family == &fc_fabric_family)
            visit_links(&w, &((const fc_fabric *)scenario->parameters)->graph);
        fc_document_free(document);
    }
    free(text);
    return status;
}
