/* What a simulation of scouting reports in addition to its metrics: parts of the latency, use of
 * channels. */
#include "simulators/flit/scouting.h"

static const fc_scouting *network_of(void *const *states, size_t index) {
    return states[index];
}

static void add_parts(void *const *states, size_t replications, fc_result *result) {
    fc_scouting_totals all = {0};
    for (size_t i = 0; i < replications; ++i) {
        const fc_scouting_totals *total = &network_of(states, i)->total;
        all.messages += total->messages;
        all.latency += total->latency;
        all.source_wait += total->source_wait;
        all.empty += total->empty;
    }
    if (all.messages == 0)
        return;
    fc_result_add_part(result, "empty network", "cycles", all.empty / all.messages);
    fc_result_add_part(result, "shared links and searching", "cycles",
                       (all.latency - all.source_wait - all.empty) / all.messages);
    fc_result_add_part(result, "wait at the source", "cycles", all.source_wait / all.messages);
}

/* Share of the measured time in which a channel sent. */
static double utilisation(void *const *states, size_t replications, uint32_t channel) {
    double flits = 0, cycles = 0;
    for (size_t i = 0; i < replications; ++i) {
        const fc_scouting *network = network_of(states, i);
        flits += (double)network->channel[channel].flits;
        cycles += (double)(network->cycle - network->measured_from);
    }
    return cycles > 0 ? flits / cycles : 0;
}

static void add_channels(void *const *states, size_t replications, fc_result *result) {
    static const char *const columns[] = {"utilisation"};
    const fc_scouting *first = network_of(states, 0);
    const fc_geometry *geometry = first->geometry;
    size_t count = 0, row = 0;
    for (uint32_t c = 0; c < geometry->channels; ++c)
        count += fc_channel_end(geometry, c, NULL, NULL) != FC_NO_NODE;
    fc_table *table = fc_result_add_table(result, "channels", count, columns, 1);
    for (uint32_t c = 0; table && c < geometry->channels; ++c) {
        uint32_t dimension;
        bool rising;
        if (fc_channel_end(geometry, c, &dimension, &rising) == FC_NO_NODE)
            continue;
        char label[FC_NAME_SIZE - 16];
        fc_node_label(geometry, c / geometry->slots, label, sizeof label);
        snprintf(table->row_labels[row], FC_NAME_SIZE, "%s %c%u", label, rising ? '+' : '-',
                 (unsigned)dimension);
        table->values[row++] = utilisation(states, replications, first->network_first + c);
    }
}

static void add_nodes(void *const *states, size_t replications, fc_result *result) {
    static const char *const columns[] = {"injection", "ejection"};
    const fc_scouting *first = network_of(states, 0);
    fc_table *table = fc_result_add_table(result, "nodes", first->nodes, columns, 2);
    for (uint32_t node = 0; table && node < first->nodes; ++node) {
        fc_node_label(first->geometry, node, table->row_labels[node], FC_NAME_SIZE);
        table->values[2 * node] = utilisation(states, replications, first->injection_first + node);
        table->values[2 * node + 1] = utilisation(states, replications, node);
    }
}

void fc_scouting_report(void *const *states, size_t replications, fc_result *result) {
    const fc_scouting *first = network_of(states, 0);
    add_parts(states, replications, result);
    add_channels(states, replications, result);
    add_nodes(states, replications, result);
    if (first->common->unreachable_pairs > 0)
        fc_result_note(result,
                       "%.4g %% of the pairs have no minimal path past the faults; their messages "
                       "are not sent",
                       100 * first->common->unreachable_pairs);
}
