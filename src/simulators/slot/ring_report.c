/* What the slotted-ring simulator reports in addition to its metrics, and its descriptor. */
#include "simulators/slot/slotted_rings.h"

#include <math.h>

static void start_measuring(void *state) {
    fc_slotted_rings *rings = state;
    rings->start = rings->all;
}

/* Adds what was counted since measuring started. */
static void add_measured(const fc_slotted_rings *rings, fc_ring_counters *sum) {
    const fc_ring_counters *all = &rings->all, *start = &rings->start;
    sum->cycles += all->cycles - start->cycles;
    sum->delivered += all->delivered - start->delivered;
    sum->latency += all->latency - start->latency;
    sum->station_wait += all->station_wait - start->station_wait;
    sum->up_wait += all->up_wait - start->up_wait;
    sum->down_wait += all->down_wait - start->down_wait;
    for (int queue = 0; queue < FC_QUEUE_KINDS; ++queue) {
        sum->sent[queue] += all->sent[queue] - start->sent[queue];
        sum->waited[queue] += all->waited[queue] - start->waited[queue];
    }
    for (int level = 0; level < FC_RING_LEVELS; ++level)
        sum->occupied[level] += all->occupied[level] - start->occupied[level];
}

static double ratio(uint64_t sum, uint64_t weight) {
    return weight > 0 ? (double)sum / (double)weight : 0.0;
}

static void add_parts(const fc_ring_counters *sum, fc_result *result) {
    fc_result_add_part(result, "station wait", "cycles", ratio(sum->station_wait, sum->delivered));
    fc_result_add_part(result, "up-queue waits", "cycles", ratio(sum->up_wait, sum->delivered));
    fc_result_add_part(result, "down-queue waits", "cycles", ratio(sum->down_wait, sum->delivered));
    fc_result_add_part(result, "travel", "cycles", ratio(fc_ring_travel(sum), sum->delivered));
    fc_result_add_part(result, "destination step", "cycles", 1.0);
}

static void add_channels(const fc_slotted_rings *rings, const fc_ring_counters *sum,
                         fc_result *result) {
    static const char *const columns[] = {"utilisation", "wait"};
    static const char *const labels[] = {"local ring", "middle ring", "global ring"};
    static const fc_ring_queue entries[FC_RING_LEVELS][2] = {
        {FC_QUEUE_STATION, FC_QUEUE_DOWN_LOCAL},
        {FC_QUEUE_UP_MIDDLE, FC_QUEUE_DOWN_MIDDLE},
        {FC_QUEUE_UP_GLOBAL, FC_QUEUE_UP_GLOBAL},
    };
    fc_table *table = fc_result_add_table(result, "channels", rings->levels, columns, 2);
    if (table == NULL)
        return;
    size_t row = 0;
    for (int level = 0; level < FC_RING_LEVELS; ++level) {
        if (rings->links[level] == 0)
            continue;
        const fc_ring_queue first = entries[level][0], second = entries[level][1];
        snprintf(table->row_labels[row], FC_NAME_SIZE, "%s", labels[level]);
        table->values[2 * row] = ratio(sum->occupied[level], sum->cycles * rings->links[level]);
        table->values[2 * row + 1] =
            ratio(sum->waited[first] + sum->waited[second], sum->sent[first] + sum->sent[second]);
        ++row;
    }
}

static void add_queues(const fc_slotted_rings *rings, const fc_ring_counters *sum,
                       fc_result *result) {
    static const char *const columns[] = {"wait"};
    static const char *const labels[] = {"station", "up into middle ring", "up into global ring",
                                         "down into middle ring", "down into local ring"};
    const bool three = rings->levels == 3;
    fc_table *table = fc_result_add_table(result, "queues", three ? 5 : 3, columns, 1);
    if (table == NULL)
        return;
    size_t row = 0;
    for (int queue = 0; queue < FC_QUEUE_KINDS; ++queue) {
        if (!three && (queue == FC_QUEUE_UP_MIDDLE || queue == FC_QUEUE_DOWN_MIDDLE))
            continue;
        snprintf(table->row_labels[row], FC_NAME_SIZE, "%s", labels[queue]);
        table->values[row++] = ratio(sum->waited[queue], sum->sent[queue]);
    }
}

static void report(void *const *states, size_t replications, fc_result *result) {
    if (replications == 0)
        return;
    const fc_slotted_rings *first = states[0];
    fc_ring_counters sum = {0};
    for (size_t replication = 0; replication < replications; ++replication)
        add_measured(states[replication], &sum);
    add_parts(&sum, result);
    add_channels(first, &sum, result);
    add_queues(first, &sum, result);
}

static fc_status covers(const fc_scenario *scenario, fc_error *error) {
    const fc_rings *rings = scenario->parameters;
    for (size_t i = 0; i < rings->sizes.count; ++i)
        if (rings->sizes.values[i] != floor(rings->sizes.values[i]))
            return fc_fail(error, FC_ERROR_UNSUPPORTED,
                           "the simulator needs whole ring sizes; network.rings has %g",
                           rings->sizes.values[i]);
    if (rings->stations > 0x1p22)
        return fc_fail(error, FC_ERROR_UNSUPPORTED,
                       "the simulator takes at most 4194304 stations; network.rings has %.0f",
                       rings->stations);
    return FC_OK;
}

/* A round trip, longer where the correlation time is: with the square of what is left of the
 * busiest ring. Far above saturation the queues show at once that they grow, and must not be left
 * to fill the memory until the first look at them. */
static double time_scale(const fc_scenario *scenario) {
    const fc_rings *rings = scenario->parameters;
    const double local = 0.5 * rings->local * rings->rate * (2.0 - rings->share_local);
    const double middle = rings->levels == 3 ? 0.5 * rings->local * rings->middle * rings->rate *
                                                   (2.0 * rings->share_global + rings->share_middle)
                                             : 0.0;
    const double global = 0.5 * rings->stations * rings->rate * rings->share_global;
    const double distance = fabs(1.0 - fmax(local, fmax(middle, global)));
    const double forgetting = fmin(1.0, fmax(0.04, distance));
    return (rings->local + rings->middle + rings->global) / (forgetting * forgetting);
}

static const fc_metric_id observables[] = {
    FC_METRIC_LATENCY,    FC_METRIC_SOURCE_WAIT, FC_METRIC_NETWORK_LATENCY,
    FC_METRIC_THROUGHPUT, FC_METRIC_OFFERED,     FC_METRIC_NONE,
};

static const char *const stations[] = {"the network and its sources", NULL};

static const char *const controls[] = {"messages offered",
                                       "links on the paths of messages delivered", NULL};

const fc_simulator fc_simulator_slotted_rings = {
    .info =
        {
            .name = "slotted-rings",
            .revision = 3,
            .kind = FC_SIMULATOR,
            .family = "ring-hierarchy",
            .title = "hierarchical slotted rings, cycle by cycle",
            .source = "the system of Hamacher and Jiang",
            .validity = "whole ring sizes, up to 2^22 stations",
            .accuracy = "equal, packet for packet, to a plain simulator that moves every slot",
        },
    .event_name = "link-slots",
    .observables = observables,
    .stations = stations,
    .controls = controls,
    .covers = covers,
    .create = fc_slotted_rings_create,
    .advance = fc_slotted_rings_advance,
    .start_measuring = start_measuring,
    .report = report,
    .release = fc_slotted_rings_release,
    .time_scale = time_scale,
};
