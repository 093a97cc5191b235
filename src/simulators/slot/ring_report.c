/* What the slotted-ring simulator reports in addition to its metrics, and its descriptor. */
#include <math.h>
#include "network/ring_flows.h"
#include "simulators/slot/ring_closed.h"

static void start_measuring(void *state) {
    fc_slotted_rings *rings = state;
    rings->start = rings->all;
    if (rings->closed)
        rings->closed->start = rings->closed->all;
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

/* Mean over the queues of two kinds; the same kind twice counts once. */
static double mean_wait(const fc_ring_counters *sum, uint32_t one, uint32_t two) {
    const uint64_t waited = sum->waited[one] + (two != one ? sum->waited[two] : 0);
    return ratio(waited, sum->sent[one] + (two != one ? sum->sent[two] : 0));
}

static void add_channels(const fc_slotted_rings *rings, const fc_ring_counters *sum,
                         fc_result *result) {
    static const char *const columns[] = {"utilisation", "wait"};
    fc_table *table = fc_result_add_table(result, "channels", rings->levels, columns, 2);
    if (table == NULL)
        return;
    for (uint32_t level = 0; level < rings->levels; ++level) {
        const uint32_t up = fc_ring_queue_up(level);
        const uint32_t down = fc_ring_queue_down(rings->levels, level);
        const char *const name = fc_ring_level_name(rings->levels, level);
        snprintf(table->row_labels[level], FC_NAME_SIZE, "%s ring", name);
        table->values[2 * level] = ratio(sum->occupied[level], sum->cycles * rings->slots[level]);
        table->values[2 * level + 1] = mean_wait(sum, up, down);
    }
}

static void add_queues(const fc_slotted_rings *rings, const fc_ring_counters *sum,
                       fc_result *result) {
    static const char *const columns[] = {"wait"};
    const uint32_t kinds = 2 * rings->levels - 1;
    fc_table *table = fc_result_add_table(result, "queues", kinds, columns, 1);
    if (table == NULL)
        return;
    for (uint32_t queue = 0; queue < kinds; ++queue) {
        const bool up = queue < rings->levels;
        const char *const name = fc_ring_level_name(rings->levels, up ? queue : kinds - 1 - queue);
        if (queue == FC_QUEUE_STATION)
            snprintf(table->row_labels[queue], FC_NAME_SIZE, "station");
        else
            snprintf(table->row_labels[queue], FC_NAME_SIZE, "%s into %s ring", up ? "up" : "down",
                     name);
        table->values[queue] = ratio(sum->waited[queue], sum->sent[queue]);
    }
}

static void report(void *const *states, size_t replications, fc_result *result) {
    if (replications == 0)
        return;
    const fc_slotted_rings *first = states[0];
    fc_ring_counters sum = {0};
    for (size_t replication = 0; replication < replications; ++replication)
        add_measured(states[replication], &sum);
    if (first->closed)
        fc_ring_closed_report(states, replications, result);
    else
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
    if (rings->kind == FC_CLOSED && rings->stations * (double)rings->requests.outstanding > 0x1p22)
        return fc_fail(error, FC_ERROR_UNSUPPORTED,
                       "the simulator takes at most 4194304 requests under way; %.0f stations with "
                       "%lld each have more",
                       rings->stations, (long long)rings->requests.outstanding);
    return FC_OK;
}

static bool suits_open(const fc_scenario *scenario) {
    return ((const fc_rings *)scenario->parameters)->kind == FC_OPEN;
}

static bool suits_closed(const fc_scenario *scenario) {
    return !suits_open(scenario);
}

/* A round: processing, and the ways of a request's packets. */
static double closed_time_scale(const fc_rings *rings) {
    const fc_ring_requests *of = &rings->requests;
    double around = 0;
    for (size_t level = 0; level < rings->levels; ++level)
        around += 1 + rings->below[level] / (level > 0 ? rings->below[level - 1] : 1);
    return 2 * (of->think_time + 3 * around + (double)(of->memory_reply + of->memory_busy));
}

/* A round trip, longer where the correlation time is: with the square of what is left of the
 * busiest ring. Far above saturation the queues show at once that they grow, and must not be left
 * to fill the memory until the first look at them. */
static double time_scale(const fc_scenario *scenario) {
    const fc_rings *rings = scenario->parameters;
    if (rings->kind == FC_CLOSED)
        return closed_time_scale(rings);
    double busiest = 0, around = rings->levels < 3 ? 3.0 - (double)rings->levels : 0;
    for (size_t level = 0; level < rings->levels; ++level) {
        around += rings->below[level] / (level > 0 ? rings->below[level - 1] : 1);
        busiest = fmax(busiest, fc_rings_use(rings, level, rings->rate));
    }
    fc_ring_flows flows;
    if (!fc_rings_are_alike(rings) &&
        fc_ring_flows_create(rings, rings->rate, NULL, &flows) == FC_OK) {
        for (size_t level = 0; level < rings->levels; ++level)
            busiest = fmax(busiest, flows.busiest[level]);
        fc_ring_flows_free(&flows);
    }
    const double forgetting = fmin(1.0, fmax(0.04, fabs(1.0 - busiest)));
    return around / (forgetting * forgetting);
}

static const fc_metric_id observables[] = {
    FC_METRIC_LATENCY,      FC_METRIC_SOURCE_WAIT, FC_METRIC_NETWORK_LATENCY, FC_METRIC_LATENCY_HOT,
    FC_METRIC_LATENCY_COLD, FC_METRIC_THROUGHPUT,  FC_METRIC_OFFERED,         FC_METRIC_NONE,
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
    .suits = suits_open,
    .covers = covers,
    .create = fc_slotted_rings_create,
    .advance = fc_slotted_rings_advance,
    .start_measuring = start_measuring,
    .report = report,
    .release = fc_slotted_rings_release,
    .time_scale = time_scale,
};

const fc_simulator fc_simulator_ring_closed = {
    .info =
        {
            .name = "slotted-rings-closed",
            .revision = 1,
            .kind = FC_SIMULATOR,
            .family = "ring-hierarchy",
            .title = "hierarchical slotted rings with requests, acknowledgements and data",
            .source = "the protocol of Hamacher and Jiang",
            .validity = "closed traffic; whole ring sizes, up to 2^22 stations and requests",
            .accuracy = "equal, packet for packet, to a plain simulator that moves every slot",
        },
    .event_name = "link-slots",
    .observables = fc_ring_closed_observables,
    .stations = fc_ring_closed_stations,
    .controls = fc_ring_closed_controls,
    .suits = suits_closed,
    .covers = covers,
    .create = fc_slotted_rings_create,
    .advance = fc_slotted_rings_advance,
    .start_measuring = start_measuring,
    .report = report,
    .release = fc_slotted_rings_release,
    .time_scale = time_scale,
};
