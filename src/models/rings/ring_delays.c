#include "models/rings/ring_delays.h"

#include <math.h>

/* Equations (3), (4), (6), (8), (11) and the crossing rates (5), (7), (9), (10) of Hamacher and
 * Jiang; exact for any traffic that is symmetric over the stations. */
static fc_ring_loads loads_at(const fc_rings *rings, double rate) {
    const double below_middle = rings->local * rate;
    const double below_global = below_middle * rings->middle;
    return (fc_ring_loads){
        .local = 0.5 * below_middle * (2.0 - rings->share_local),
        .middle = rings->levels == 3
                      ? 0.5 * below_global * (2.0 * rings->share_global + rings->share_middle)
                      : 0.0,
        .global = 0.5 * rings->stations * rate * rings->share_global,
        .across_local = below_middle * (rings->share_middle + rings->share_global),
        .across_middle = below_global * rings->share_global,
    };
}

/* Mean links a packet travels: equations (22), (23) without queues and destination step. */
static double mean_travel(const fc_rings *rings) {
    const double local = rings->local + 1.0;
    const double leaving = rings->share_middle + rings->share_global;
    double travel = local * (0.5 * rings->share_local + leaving);
    if (rings->levels == 3)
        travel += (rings->middle + 1.0) * (0.5 * rings->share_middle + rings->share_global);
    return travel + 0.5 * rings->global * rings->share_global;
}

/* The rate at which the busiest ring has no free slot left, and the name of that ring. */
static double find_capacity(const fc_rings *rings, const char **bottleneck) {
    const fc_ring_loads unit = loads_at(rings, 1.0);
    double busiest = unit.local;
    *bottleneck = "local rings";
    if (unit.middle > busiest) {
        busiest = unit.middle;
        *bottleneck = "middle rings";
    }
    if (unit.global > busiest) {
        busiest = unit.global;
        *bottleneck = "global ring";
    }
    return 1.0 / busiest;
}

/* A ring of one and a half nodes has nobody to pass by: its waits would come out negative. */
fc_status fc_ring_covers(const fc_scenario *scenario, fc_error *error) {
    const fc_rings *rings = scenario->parameters;
    if (rings->global > 1.0 && rings->global < 2.0)
        return fc_fail(error, FC_ERROR_UNSUPPORTED,
                       "a global ring of %g rings has no meaning; expected 1, or 2 or more",
                       rings->global);
    return FC_OK;
}

/* One row per level of rings. wait: the mean over all packets that enter such a ring. */
static void add_channels(const fc_rings *rings, const fc_ring_loads *loads,
                         const fc_ring_waits *waits, fc_result *result) {
    static const char *const columns[] = {"utilisation", "wait"};
    fc_table *table = fc_result_add_table(result, "channels", rings->levels, columns, 2);
    if (table == NULL)
        return;
    const double leaving = rings->share_middle + rings->share_global;
    size_t row = 0;
    snprintf(table->row_labels[row], FC_NAME_SIZE, "local ring");
    table->values[0] = loads->local;
    table->values[1] =
        (waits->station + (leaving > 0.0 ? leaving * waits->down_local : 0.0)) / (1.0 + leaving);
    if (rings->levels == 3) {
        const double entries = leaving + rings->share_global;
        ++row;
        snprintf(table->row_labels[row], FC_NAME_SIZE, "middle ring");
        table->values[2] = loads->middle;
        table->values[3] =
            entries > 0.0
                ? (leaving * waits->up_middle + rings->share_global * waits->down_middle) / entries
                : 0.0;
    }
    ++row;
    snprintf(table->row_labels[row], FC_NAME_SIZE, "global ring");
    table->values[2 * row] = loads->global;
    table->values[2 * row + 1] = rings->share_global > 0.0 ? waits->up_global : 0.0;
}

/* One row per kind of queue, in the order of a packet's way; queues without traffic have no wait.
 */
static void add_queues(const fc_rings *rings, const fc_ring_waits *waits, fc_result *result) {
    static const char *const columns[] = {"wait"};
    const bool three = rings->levels == 3;
    const bool global = rings->share_global > 0.0;
    const bool leaving = global || rings->share_middle > 0.0;
    const struct {
        const char *label;
        double wait;
        bool exists, used;
    } queues[] = {
        {"station", waits->station, true, true},
        {"up into middle ring", waits->up_middle, three, leaving},
        {"up into global ring", waits->up_global, true, global},
        {"down into middle ring", waits->down_middle, three, global},
        {"down into local ring", waits->down_local, true, leaving},
    };
    fc_table *table = fc_result_add_table(result, "queues", three ? 5 : 3, columns, 1);
    if (table == NULL)
        return;
    for (size_t i = 0, row = 0; i < sizeof queues / sizeof *queues; ++i) {
        if (!queues[i].exists)
            continue;
        snprintf(table->row_labels[row], FC_NAME_SIZE, "%s", queues[i].label);
        table->values[row++] = queues[i].used ? queues[i].wait : 0.0;
    }
}

/* Every ring still carries what it does at the load where the bottleneck fills up: that is what the
 * accepted throughput and the utilisations are. The waits are not known. */
static void fill_saturated(const fc_rings *rings, fc_result *result) {
    const char *bottleneck;
    const double capacity = find_capacity(rings, &bottleneck);
    const fc_ring_loads loads = loads_at(rings, capacity);
    const fc_ring_waits waits = {NAN, NAN, NAN, NAN, NAN};
    result->outcome = FC_OUTCOME_SATURATED;
    fc_result_add(result, FC_METRIC_THROUGHPUT, fmin(capacity, rings->rate), NAN);
    fc_result_add(result, FC_METRIC_OFFERED, rings->rate, NAN);
    fc_result_note(result,
                   "the %s %s no free slots left from a rate of %.6g packets per station and cycle",
                   bottleneck, bottleneck[0] == 'g' ? "has" : "have", capacity);
    add_channels(rings, &loads, &waits, result);
}

fc_status fc_ring_solve(const fc_scenario *scenario, fc_ring_wait_function wait_function,
                        fc_result *result) {
    const fc_rings *rings = scenario->parameters;
    const fc_ring_loads loads = loads_at(rings, rings->rate);
    if (!(loads.local < 1.0 && loads.middle < 1.0 && loads.global < 1.0)) {
        fill_saturated(rings, result);
        return fc_result_status(result);
    }
    const fc_ring_waits waits = wait_function(rings, &loads);
    const double leaving = rings->share_middle + rings->share_global;
    double up = rings->share_global > 0.0 ? rings->share_global * waits.up_global : 0.0;
    double down = leaving > 0.0 ? leaving * waits.down_local : 0.0;
    if (rings->levels == 3) {
        up += leaving > 0.0 ? leaving * waits.up_middle : 0.0;
        down += rings->share_global > 0.0 ? rings->share_global * waits.down_middle : 0.0;
    }
    const double travel = mean_travel(rings);
    const double latency = waits.station + up + down + travel + 1.0;
    if (!isfinite(latency)) {
        fill_saturated(rings, result);
        return fc_result_status(result);
    }
    fc_result_add(result, FC_METRIC_LATENCY, latency, NAN);
    fc_result_add(result, FC_METRIC_SOURCE_WAIT, waits.station, NAN);
    fc_result_add(result, FC_METRIC_NETWORK_LATENCY, latency - waits.station, NAN);
    fc_result_add(result, FC_METRIC_THROUGHPUT, rings->rate, NAN);
    fc_result_add(result, FC_METRIC_OFFERED, rings->rate, NAN);
    fc_result_add_part(result, "station wait", "cycles", waits.station);
    fc_result_add_part(result, "up-queue waits", "cycles", up);
    fc_result_add_part(result, "down-queue waits", "cycles", down);
    fc_result_add_part(result, "travel", "cycles", travel);
    fc_result_add_part(result, "destination step", "cycles", 1.0);
    add_channels(rings, &loads, &waits, result);
    add_queues(rings, &waits, result);
    return fc_result_status(result);
}

fc_status fc_ring_saturation(const fc_scenario *scenario, void *prepared, fc_error *error,
                             double *load) {
    (void)prepared;
    (void)error;
    const char *bottleneck;
    *load = find_capacity(scenario->parameters, &bottleneck);
    return FC_OK;
}
