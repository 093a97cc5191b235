#include "simulators/kept.h"

#include <stdlib.h>
#include <string.h>
#include "base/memory.h"

void fc_kept_histogram(const fc_run_settings *settings, const fc_histogram *latencies, double units,
                       fc_result *result) {
    if (!settings || !settings->keep || !settings->keep->histogram || latencies->total == 0)
        return;
    static const char *const columns[] = {"latency", "count", "share", "cumulative"};
    enum { COLUMNS = sizeof columns / sizeof *columns };
    size_t rows = 0;
    for (uint32_t bin = 0; bin < FC_HISTOGRAM_BINS; ++bin)
        rows += latencies->count[bin] > 0;
    fc_table *table = fc_result_add_table(result, "histogram", rows, columns, COLUMNS);
    uint64_t below = 0;
    for (uint32_t bin = 0, row = 0; table && bin < FC_HISTOGRAM_BINS; ++bin) {
        if (latencies->count[bin] == 0)
            continue;
        below += latencies->count[bin];
        const double latency = fc_histogram_value(bin) / units, all = (double)latencies->total;
        const double values[COLUMNS] = {latency, (double)latencies->count[bin],
                                        (double)latencies->count[bin] / all, (double)below / all};
        snprintf(table->row_labels[row], FC_NAME_SIZE, "%.10g", latency);
        for (size_t c = 0; c < COLUMNS; ++c)
            table->values[(size_t)row * COLUMNS + c] = values[c];
        ++row;
    }
}

/* ---- single messages ---- */

static bool sees_messages(const fc_simulator *simulator, const fc_scenario *scenario) {
    return simulator->observe && (!simulator->observes || simulator->observes(scenario));
}

fc_status fc_kept_check(const fc_simulator *simulator, const fc_scenario *scenario,
                        const fc_simulation_settings *simulation, const fc_run_settings *settings,
                        fc_error *error) {
    if (!settings || !settings->keep || !settings->keep->deliveries)
        return FC_OK;
    if (!sees_messages(simulator, scenario))
        return fc_fail(error, FC_ERROR_UNSUPPORTED,
                       "the simulator %s has no list of deliveries for this scenario: networks of "
                       "routers have one, and open traffic in wormhole tori and meshes",
                       simulator->info.name);
    if (simulation->engine == FC_ENGINE_GPU)
        return fc_fail(error, FC_ERROR_UNSUPPORTED,
                       "simulation.engine: gpu has no list of deliveries; auto has one, with the "
                       "same results");
    return FC_OK;
}

/* Whether the network is small enough for a table of all pairs. */
static bool pairs_fit(const fc_scenario *scenario) {
    const double nodes = fc_scenario_nodes(scenario);
    return nodes * nodes <= FC_PAIRS_MOST;
}

fc_status fc_kept_create(const fc_simulator *simulator, const fc_scenario *scenario, size_t count,
                         const fc_run_settings *settings, fc_error *error, fc_kept **kept) {
    const fc_keep *keep = settings ? settings->keep : NULL;
    *kept = NULL;
    if (!keep || !(keep->deliveries || keep->pairs) || !sees_messages(simulator, scenario))
        return FC_OK;
    const bool pairs = keep->pairs && pairs_fit(scenario);
    if (!keep->deliveries && !pairs)
        return FC_OK;
    fc_kept *made = fc_allocate(count, sizeof *made);
    bool complete = made != NULL;
    for (size_t i = 0; complete && i < count; ++i) {
        made[i].listed = keep->deliveries;
        made[i].most = FC_DELIVERIES_MOST / count;
        made[i].nodes = (uint32_t)fc_scenario_nodes(scenario);
        if (pairs)
            made[i].pairs =
                fc_allocate((size_t)made[i].nodes * made[i].nodes, sizeof *made[i].pairs);
        complete = !pairs || made[i].pairs;
    }
    if (!complete) {
        fc_kept_free(made, count);
        return fc_fail_memory(error);
    }
    *kept = made;
    return FC_OK;
}

void fc_kept_free(fc_kept *kept, size_t count) {
    for (size_t i = 0; kept && i < count; ++i) {
        fc_release(kept[i].list);
        fc_release(kept[i].pairs);
    }
    fc_release(kept);
}

void fc_kept_restart(fc_kept *kept) {
    kept->count = 0;
    if (kept->pairs)
        memset(kept->pairs, 0, (size_t)kept->nodes * kept->nodes * sizeof *kept->pairs);
}

static void list_message(fc_kept *kept, const fc_delivered_message *message) {
    enum { FIRST = 1024 };
    if (kept->count >= kept->most) { /* too many to be of use: their memory is given back */
        fc_release(kept->list);
        kept->list = NULL;
        kept->room = 0;
        ++kept->count;
        return;
    }
    if (kept->count == kept->room) {
        const size_t room = kept->room ? 2 * kept->room : FIRST;
        fc_delivered_message *grown = fc_reallocate(kept->list, room, sizeof *grown);
        if (!grown) {
            kept->status = FC_ERROR_MEMORY;
            return;
        }
        kept->list = grown;
        kept->room = room;
    }
    kept->list[kept->count++] = *message;
}

void fc_kept_message(fc_kept *kept, const fc_delivered_message *message) {
    fc_delivered_message named = *message;
    if (kept->node_of) {
        named.source = kept->node_of[message->source];
        named.destination = kept->node_of[message->destination];
    }
    if (kept->listed && kept->status == FC_OK)
        list_message(kept, &named);
    if (kept->pairs) {
        const uint64_t latency = named.delivered - named.generated;
        struct fc_kept_pair *pair =
            &kept->pairs[(size_t)named.source * kept->nodes + named.destination];
        ++pair->messages;
        pair->latency += latency;
        if (latency > pair->largest)
            pair->largest = latency;
    }
}

/* ---- report ---- */

static int order_of(uint64_t a, uint64_t b) {
    return (a > b) - (a < b);
}

/* By delivery. Engines tell of the messages of a cycle in different orders. */
static int compare(const void *left, const void *right) {
    const fc_delivered_message *a = left, *b = right;
    int order = order_of(a->delivered, b->delivered);
    order = order ? order : order_of(a->source, b->source);
    order = order ? order : order_of(a->destination, b->destination);
    order = order ? order : order_of(a->class_number, b->class_number);
    order = order ? order : order_of(a->generated, b->generated);
    order = order ? order : order_of(a->started, b->started);
    return order ? order : order_of(a->flits, b->flits);
}

static void move_list(fc_kept *kept, size_t count, fc_result *result) {
    size_t all = 0;
    bool complete = true;
    for (size_t i = 0; i < count; ++i) {
        all += kept[i].count;
        complete &= kept[i].count <= kept[i].most;
    }
    result->delivery_count = all;
    if (!complete || !all)
        return;
    fc_delivered_message *list = fc_reallocate(kept[0].list, all, sizeof *list);
    if (!list) {
        result->incomplete = true;
        return;
    }
    kept[0].list = NULL;
    for (size_t i = 0, to = 0; i < count; to += kept[i++].count) {
        if (kept[i].count && i)
            memcpy(list + to, kept[i].list, kept[i].count * sizeof *list);
        fc_release(kept[i].list);
        kept[i].list = NULL;
        if (kept[i].count)
            qsort(list + to, kept[i].count, sizeof *list, compare);
    }
    result->deliveries = list;
}

static void add_pairs(fc_kept *kept, size_t count, fc_result *result) {
    static const char *const columns[] = {"messages", "latency", "latency_max"};
    enum { COLUMNS = sizeof columns / sizeof *columns };
    const size_t nodes = kept[0].nodes;
    size_t rows = 0, row = 0;
    for (size_t p = 0; p < nodes * nodes; ++p) {
        struct fc_kept_pair *pair = &kept[0].pairs[p];
        for (size_t i = 1; i < count; ++i) {
            const struct fc_kept_pair *own = &kept[i].pairs[p];
            pair->messages += own->messages;
            pair->latency += own->latency;
            if (own->largest > pair->largest)
                pair->largest = own->largest;
        }
        rows += pair->messages > 0;
    }
    fc_table *table = rows ? fc_result_add_table(result, "pairs", rows, columns, COLUMNS) : NULL;
    for (size_t p = 0; table && p < nodes * nodes; ++p) {
        const struct fc_kept_pair *pair = &kept[0].pairs[p];
        if (!pair->messages)
            continue;
        const double messages = (double)pair->messages;
        const double values[COLUMNS] = {messages, (double)pair->latency / messages,
                                        (double)pair->largest};
        snprintf(table->row_labels[row], FC_NAME_SIZE, "%zu to %zu", p / nodes, p % nodes);
        memcpy(table->values + COLUMNS * row++, values, sizeof values);
    }
}

void fc_kept_report(fc_kept *kept, size_t count, const fc_scenario *scenario,
                    const fc_run_settings *settings, fc_result *result) {
    if (kept && kept[0].listed)
        move_list(kept, count, result);
    if (kept && kept[0].pairs)
        add_pairs(kept, count, result);
    const fc_keep *keep = settings ? settings->keep : NULL;
    if (keep && keep->pairs && !pairs_fit(scenario))
        fc_result_add_note(result, "No table of pairs: %.0f nodes have %.0f of them, more than %d.",
                           fc_scenario_nodes(scenario),
                           fc_scenario_nodes(scenario) * fc_scenario_nodes(scenario),
                           (int)FC_PAIRS_MOST);
}
