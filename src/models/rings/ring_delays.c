#include "models/rings/ring_delays.h"

#include <math.h>
#include "network/ring_flows.h"

enum { NODES_MOST = 1 << 22 };

/* What is reported of the rings of a level. */
typedef struct level_sums {
    double use;  /* mean share of full slots */
    double busy; /* of the busiest link */
    double entering, entered_wait;
    double down, down_wait; /* of the packets that come from above: per packet of the network */
    double up, up_wait;     /* from below; of the lowest level from the stations */
} level_sums;

static double crossing_rate(const fc_rings *rings, size_t level, double rate) {
    return rings->below[level] * rate * fc_rings_reaching(rings, level + 1);
}

/* ---- rings of a level that are alike: equations (3), (4), (6), (8), (11) and the crossing rates
 * (5), (7), (9), (10) of Hamacher and Jiang, for any number of levels ---- */

/* queued: the share of a station's packets that join its queue */
static void find_alike(const fc_rings *rings, double rate, double queued,
                       fc_ring_wait_function wait, level_sums sums[FC_RING_LEVELS]) {
    for (size_t level = 0; level < rings->levels; ++level) {
        level_sums *sum = &sums[level];
        const double use = fc_rings_use(rings, level, rate);
        const double above = level + 1 < rings->levels ? fc_rings_reaching(rings, level + 1) : 0.0;
        *sum = (level_sums){
            .use = use, .busy = use, .up = fc_rings_reaching(rings, level), .down = above};
        if (!wait)
            continue;
        fc_ring_queue queue = {level == 0 ? FC_RING_SEND : FC_RING_UP, level, use, rate * queued};
        if (level > 0)
            queue.inserted = crossing_rate(rings, level - 1, rate);
        sum->up_wait = wait(rings, rate, &queue);
        if (level + 1 == rings->levels)
            continue;
        queue.way = FC_RING_DOWN;
        queue.inserted = crossing_rate(rings, level, rate);
        sum->down_wait = wait(rings, rate, &queue);
    }
}

/* Mean links a packet travels: equations (22), (23) without queues and destination step. */
static double travel_alike(const fc_rings *rings) {
    double travel = 0;
    for (size_t level = 0; level < rings->levels; ++level) {
        const bool top = level + 1 == rings->levels;
        const double above = top ? 0 : fc_rings_reaching(rings, level + 1);
        travel +=
            (rings->sizes.values[level] + (top ? 0 : 1)) * (0.5 * rings->shares[level] + above);
    }
    return travel;
}

/* ---- unequal rings, or a hot station: every queue on its own ---- */

static void add_queue(const fc_rings *rings, double rate, fc_ring_wait_function wait,
                      const fc_ring_queue *queue, level_sums *sum) {
    const double share = queue->inserted / (rings->stations * rate);
    const double delay = wait && queue->inserted > 0 ? wait(rings, rate, queue) * share : 0;
    if (queue->way == FC_RING_DOWN) {
        sum->down += share;
        sum->down_wait += delay;
    } else {
        sum->up += share;
        sum->up_wait += delay;
    }
}

/* waits per packet that enters the queue */
static fc_status find_uneven(const fc_rings *rings, double rate, fc_ring_wait_function wait,
                             fc_error *error, level_sums sums[FC_RING_LEVELS], double *travel) {
    fc_ring_flows flows;
    const fc_status status = fc_ring_flows_create(rings, rate, error, &flows);
    if (status != FC_OK)
        return status;
    const fc_ring_flow *node = flows.nodes;
    for (size_t level = 0; level < rings->levels; ++level) {
        level_sums *sum = &sums[level];
        const double slots = fc_ring_slots(rings, level);
        const size_t count = fc_ring_count(rings, level);
        size_t links = 0;
        *sum = (level_sums){.busy = flows.busiest[level]};
        for (size_t ring = 0; ring < count; ++ring) {
            const uint32_t first = fc_ring_first(rings, level);
            const uint32_t nodes = fc_ring_fan(rings, level, ring) + first;
            for (uint32_t i = 0; i < nodes; ++i, ++node) {
                const fc_ring_way way = i < first    ? FC_RING_DOWN
                                        : level == 0 ? FC_RING_SEND
                                                     : FC_RING_UP;
                const fc_ring_queue queue = {way, level, node->load / slots, node->inserted};
                add_queue(rings, rate, wait, &queue, sum);
                sum->use += node->load / slots;
            }
            links += nodes;
        }
        sum->use /= (double)links;
        sum->up_wait = sum->up > 0 ? sum->up_wait / sum->up : 0;
        sum->down_wait = sum->down > 0 ? sum->down_wait / sum->down : 0;
    }
    *travel = flows.travel;
    fc_ring_flows_free(&flows);
    return FC_OK;
}

/* wait: NULL for the loads alone */
static fc_status find_levels(const fc_rings *rings, double rate, fc_ring_wait_function wait,
                             fc_error *error, level_sums sums[FC_RING_LEVELS], double *travel) {
    if (!fc_rings_are_alike(rings))
        return find_uneven(rings, rate, wait, error, sums, travel);
    find_alike(rings, rate, 1, wait, sums);
    *travel = travel_alike(rings);
    return FC_OK;
}

/* ---- the result ---- */

static size_t find_busiest(const fc_rings *rings, const level_sums *sums) {
    size_t busiest = 0;
    for (size_t level = 1; level < rings->levels; ++level)
        if (sums[level].busy > sums[busiest].busy)
            busiest = level;
    return busiest;
}

/* The rate at which the busiest link has no free slot left, and the level of its ring. */
static fc_status find_capacity(const fc_rings *rings, fc_error *error, double *capacity,
                               size_t *level) {
    level_sums unit[FC_RING_LEVELS];
    double travel;
    const fc_status status = find_levels(rings, 1.0, NULL, error, unit, &travel);
    if (status != FC_OK)
        return status;
    *level = find_busiest(rings, unit);
    *capacity = 1.0 / unit[*level].busy;
    return FC_OK;
}

/* Waits that a packet adds up on its ways up and down. */
static void sum_crossings(const fc_rings *rings, const level_sums *sums, double *up, double *down) {
    *up = *down = 0;
    for (size_t level = rings->levels; level-- > 0;) {
        if (level > 0 && sums[level].up > 0.0)
            *up += sums[level].up * sums[level].up_wait;
        if (sums[level].down > 0.0)
            *down += sums[level].down * sums[level].down_wait;
    }
}

fc_ring_delay fc_ring_delay_alike(const fc_rings *rings, double rate, double queued,
                                  fc_ring_wait_function wait) {
    level_sums sums[FC_RING_LEVELS];
    find_alike(rings, rate, queued, wait, sums);
    fc_ring_delay delay = {.busiest = sums[find_busiest(rings, sums)].busy,
                           .station = sums[0].up_wait,
                           .travel = travel_alike(rings)};
    sum_crossings(rings, sums, &delay.up, &delay.down);
    for (size_t level = 0; level < rings->levels; ++level)
        delay.use[level] = sums[level].use;
    return delay;
}

bool fc_ring_suits_open(const fc_scenario *scenario) {
    return ((const fc_rings *)scenario->parameters)->kind == FC_OPEN;
}

/* A ring of one and a half nodes has nobody to pass by: its waits would come out negative. */
fc_status fc_ring_covers(const fc_scenario *scenario, fc_error *error) {
    const fc_rings *rings = scenario->parameters;
    if (!fc_ring_suits_open(scenario))
        return fc_fail(error, FC_ERROR_UNSUPPORTED, "the model is of open traffic");
    return fc_ring_covers_network(rings, error);
}

fc_status fc_ring_covers_network(const fc_rings *rings, fc_error *error) {
    const double global = rings->sizes.count > 0 ? rings->sizes.values[rings->levels - 1] : 1;
    if (global > 1.0 && global < 2.0)
        return fc_fail(error, FC_ERROR_UNSUPPORTED,
                       "a global ring of %g rings has no meaning; expected 1, or 2 or more",
                       global);
    if (!fc_rings_are_alike(rings) && (rings->stations > NODES_MOST || global != floor(global)))
        return fc_fail(error, FC_ERROR_UNSUPPORTED,
                       "a hot station needs rings of whole sizes and at most %d stations",
                       NODES_MOST);
    if (rings->queue != FC_INFINITE)
        return fc_fail(error, FC_ERROR_UNSUPPORTED,
                       "the models know queues without limit only; network.queue is %lld",
                       (long long)rings->queue);
    return FC_OK;
}

const char *fc_ring_unlike(const fc_scenario *scenario) {
    const fc_rings *rings = scenario->parameters;
    if (!fc_rings_are_alike(rings))
        return "measured with rings that are alike and no hot station; see docs/theory/rings.md";
    for (size_t level = 0; level < rings->levels; ++level)
        if (fc_ring_slots(rings, level) > 1)
            return "measured with links of one slot; see docs/theory/rings.md";
    return rings->levels == 2 || rings->levels == 3
               ? NULL
               : "measured with two and three levels; see docs/theory/rings.md";
}

/* One row per level of rings. wait: the mean over all packets that enter such a ring. */
static void add_channels(const fc_rings *rings, const level_sums *sums, bool waits,
                         fc_result *result) {
    static const char *const columns[] = {"utilisation", "wait"};
    fc_table *table = fc_result_add_table(result, "channels", rings->levels, columns, 2);
    if (table == NULL)
        return;
    for (size_t level = 0; level < rings->levels; ++level) {
        const level_sums *sum = &sums[level];
        const double entries = sum->up + sum->down;
        const char *const name = fc_ring_level_name(rings->levels, level);
        snprintf(table->row_labels[level], FC_NAME_SIZE, "%s ring", name);
        table->values[2 * level] = sum->use;
        const double up = sum->up > 0.0 ? sum->up * sum->up_wait : 0.0;
        const double down = sum->down > 0.0 ? sum->down * sum->down_wait : 0.0;
        table->values[2 * level + 1] = !waits             ? (double)NAN
                                       : !(entries > 0.0) ? 0.0
                                       : sum->down > 0.0  ? (up + down) / entries
                                                          : sum->up_wait;
    }
}

/* One row per kind of queue, in the order of a packet's way; queues without traffic have no wait.
 */
static void add_queues(const fc_rings *rings, const level_sums *sums, fc_result *result) {
    static const char *const columns[] = {"wait"};
    fc_table *table = fc_result_add_table(result, "queues", 2 * rings->levels - 1, columns, 1);
    if (table == NULL)
        return;
    snprintf(table->row_labels[0], FC_NAME_SIZE, "station");
    table->values[0] = sums[0].up_wait;
    for (size_t level = 1; level < rings->levels; ++level) {
        const char *name = fc_ring_level_name(rings->levels, level);
        snprintf(table->row_labels[level], FC_NAME_SIZE, "up into %s ring", name);
        table->values[level] = sums[level].up > 0.0 ? sums[level].up_wait : 0.0;
        const size_t lower = level - 1, row = 2 * rings->levels - 2 - lower;
        name = fc_ring_level_name(rings->levels, lower);
        snprintf(table->row_labels[row], FC_NAME_SIZE, "down into %s ring", name);
        table->values[row] = sums[lower].down > 0.0 ? sums[lower].down_wait : 0.0;
    }
}

/* Every ring still carries what it does at the load where the bottleneck fills up: that is what the
 * accepted throughput and the utilisations are. The waits are not known. */
static fc_status fill_saturated(const fc_rings *rings, fc_error *error, fc_result *result) {
    double capacity, travel;
    size_t bottleneck;
    level_sums sums[FC_RING_LEVELS];
    fc_status status = find_capacity(rings, error, &capacity, &bottleneck);
    if (status == FC_OK)
        status = find_levels(rings, capacity, NULL, error, sums, &travel);
    if (status != FC_OK)
        return status;
    const char *const name = fc_ring_level_name(rings->levels, bottleneck);
    const bool one = bottleneck + 1 == rings->levels;
    result->outcome = FC_OUTCOME_SATURATED;
    fc_result_add(result, FC_METRIC_THROUGHPUT, fmin(capacity, rings->rate), NAN);
    fc_result_add(result, FC_METRIC_OFFERED, rings->rate, NAN);
    fc_result_note(result,
                   "the %s ring%s %s no free slots left from a rate of %.6g packets per station "
                   "and cycle",
                   name, one ? "" : "s", one ? "has" : "have", capacity);
    add_channels(rings, sums, false, result);
    return fc_result_status(result);
}

fc_status fc_ring_solve(const fc_scenario *scenario, fc_ring_wait_function wait, fc_error *error,
                        fc_result *result) {
    const fc_rings *rings = scenario->parameters;
    level_sums sums[FC_RING_LEVELS];
    double travel;
    const fc_status status = find_levels(rings, rings->rate, wait, error, sums, &travel);
    if (status != FC_OK)
        return status;
    if (!(sums[find_busiest(rings, sums)].busy < 1.0))
        return fill_saturated(rings, error, result);
    double up, down;
    sum_crossings(rings, sums, &up, &down);
    const double station = sums[0].up_wait;
    const double latency = station + up + down + travel + 1.0;
    if (!isfinite(latency))
        return fill_saturated(rings, error, result);
    fc_result_add(result, FC_METRIC_LATENCY, latency, NAN);
    fc_result_add(result, FC_METRIC_SOURCE_WAIT, station, NAN);
    fc_result_add(result, FC_METRIC_NETWORK_LATENCY, latency - station, NAN);
    fc_result_add(result, FC_METRIC_THROUGHPUT, rings->rate, NAN);
    fc_result_add(result, FC_METRIC_OFFERED, rings->rate, NAN);
    fc_result_add_part(result, "station wait", "cycles", station);
    fc_result_add_part(result, "up-queue waits", "cycles", up);
    fc_result_add_part(result, "down-queue waits", "cycles", down);
    fc_result_add_part(result, "travel", "cycles", travel);
    fc_result_add_part(result, "destination step", "cycles", 1.0);
    add_channels(rings, sums, true, result);
    add_queues(rings, sums, result);
    return fc_result_status(result);
}

fc_status fc_ring_saturation(const fc_scenario *scenario, void *prepared, fc_error *error,
                             double *load) {
    (void)prepared;
    size_t bottleneck;
    return find_capacity(scenario->parameters, error, load, &bottleneck);
}
