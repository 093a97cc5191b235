/* The multistage simulator as a method: a scenario in, samples for the driver and tables out. The
 * network itself, its rules and invariants are in packet_network.h and packet_network.c.
 *
 * Events are arrivals at sources and ends of service. Latencies are counted in units of d/256, so
 * that percentiles are exact to d/256 up to 2 d and to 0.4 % above. */
#include <math.h>
#include "base/statistics.h"
#include "registry/method.h"
#include "scenario/multistage.h"
#include "simulators/packet/packet_shadow.h"

static const double latency_units = 256.0; /* per service time */
static const double buffers_max = 0x1p27;

static const fc_metric_id observables[] = {
    FC_METRIC_LATENCY, FC_METRIC_LATENCY_HOT, FC_METRIC_LATENCY_COLD,  FC_METRIC_THROUGHPUT,
    FC_METRIC_OFFERED, FC_METRIC_LOSS,        FC_METRIC_RESPONSE_TIME, FC_METRIC_NONE,
};

static const char *const stations[] = {"the network and its sources", NULL};

static const char *const controls[] = {"packets offered", "waits in shadow queues", NULL};

static fc_status covers(const fc_scenario *scenario, fc_error *error) {
    const fc_multistage *network = scenario->parameters;
    const double networks = network->memory_busy > 0 ? 2 : 1;
    if (networks * (double)network->ports * (double)network->stages > buffers_max)
        return fc_fail(error, FC_ERROR_UNSUPPORTED,
                       "the simulator takes at most 2^27 buffers; %lld ports in %lld stages have "
                       "more",
                       (long long)network->ports, (long long)network->stages);
    return FC_OK;
}

static fc_packet_settings settings_of(const fc_multistage *from) {
    return (fc_packet_settings){
        .ports = (uint32_t)from->ports,
        .switch_size = (uint32_t)from->switch_size,
        .stages = (uint32_t)from->stages,
        .places = from->buffer == FC_INFINITE ? FC_PACKET_UNLIMITED : (uint32_t)from->buffer + 1,
        .outstanding =
            from->outstanding == FC_INFINITE ? FC_PACKET_UNLIMITED : (uint32_t)from->outstanding,
        .output_contention = from->contention == FC_CONTENTION_OUTPUT_PORT,
        .service = from->service,
        .memory_busy = from->memory_busy,
        .rate = from->rate,
        .hot_share = from->hot.share,
        .hot_memory = (uint32_t)from->hot.node,
        .latency_scale = latency_units / from->service,
    };
}

/* The plan of the shadow queues. */
static fc_status prepare(const fc_scenario *scenario, fc_error *error, void **common) {
    const fc_packet_settings settings = settings_of(scenario->parameters);
    fc_shadow_plan *plan = NULL;
    const fc_status status = scenario->simulation.controls == FC_CONTROLS_AUTO
                                 ? fc_packet_shadow_plan_create(&settings, error, &plan)
                                 : FC_OK;
    if (status == FC_OK)
        *common = plan;
    return status;
}

static void discard(void *common) {
    fc_packet_shadow_plan_free(common);
}

static fc_status create(const fc_scenario *scenario, const void *common, uint64_t seed,
                        uint32_t replication, fc_error *error, void **state) {
    fc_packet_settings settings = settings_of(scenario->parameters);
    settings.seed = seed;
    settings.replication = replication;
    settings.shadow = common;
    fc_packet_network *network;
    const fc_status status = fc_packet_network_create(&settings, error, &network);
    if (status == FC_OK)
        *state = network;
    return status;
}

static void release(void *state) {
    fc_packet_network_free(state);
}

static void start_measuring(void *state) {
    fc_packet_network_start_measuring(state);
}

static fc_status advance(void *state, uint64_t cycles, fc_sample *sample, fc_error *error) {
    fc_packet_network *network = state;
    const fc_packet_settings *settings = fc_packet_network_settings(network);
    fc_packet_counts counts = {0};
    /* A server that is always busy sends its packets at the same instant of every cycle. So the
     * population is sampled at an instant that moves on by a golden section of a cycle from batch
     * to batch: always at the same one, its mean would be off, and Little's law would not hold. */
    const double golden = 0.6180339887498949, turns = golden * fc_packet_network_now(network);
    const double rest = turns - floor(turns);
    fc_status status = fc_packet_network_advance(network, (double)cycles - rest, &counts,
                                                 sample->latencies, error);
    const double population = (double)fc_packet_network_population(network);
    if (status == FC_OK)
        status = fc_packet_network_advance(network, rest, &counts, sample->latencies, error);
    if (status != FC_OK)
        return status;
    const bool returns = settings->memory_busy > 0;
    const double delivered = (double)counts.delivered, generated = (double)counts.generated;
    const double finished = returns ? (double)counts.returned : delivered;
    const double stay = returns ? counts.round : counts.latency;
    const double node_cycles = (double)settings->ports * (double)cycles;
    fc_observe(sample, FC_METRIC_LATENCY, counts.latency, delivered);
    if (settings->hot_share > 0.0) {
        /* Of the packets for the hot memory a known share is cold: uniform ones that drew it. */
        const double hot = (double)counts.delivered_hot, share = settings->hot_share;
        const double drawn = (1.0 - share) / (double)settings->ports;
        const double cold = drawn / (share + drawn);
        fc_observe(sample, FC_METRIC_LATENCY_HOT, counts.latency_hot, hot);
        fc_observe(sample, FC_METRIC_LATENCY_COLD,
                   counts.latency - (1.0 - cold) * counts.latency_hot,
                   delivered - (1.0 - cold) * hot);
    }
    if (returns)
        fc_observe(sample, FC_METRIC_RESPONSE_TIME, counts.round, finished);
    fc_observe(sample, FC_METRIC_THROUGHPUT, finished, node_cycles);
    fc_observe(sample, FC_METRIC_OFFERED, generated, node_cycles);
    fc_observe(sample, FC_METRIC_LOSS, (double)counts.discarded, generated);
    sample->events += counts.events;
    sample->stations[0] = (fc_station){population, finished, stay};
    if (settings->outstanding != FC_PACKET_UNLIMITED) /* sources wait for answers */
        return FC_OK;
    sample->controls[0] = generated - settings->rate * node_cycles;
    sample->controls[1] = fc_packet_network_shadow(network, (double)cycles);
    sample->arrivals = generated;
    if (settings->places == FC_PACKET_UNLIMITED || returns) /* else it cannot pile up without end */
        sample->backlog = population;
    return FC_OK;
}

/* ---- report ---- */

static double ratio(double sum, double weight) {
    return weight > 0.0 ? sum / weight : 0.0;
}

static fc_packet_stage total_stage(void *const *states, size_t replications, uint32_t stage,
                                   bool tree) {
    fc_packet_stage total = {0};
    for (size_t r = 0; r < replications; ++r) {
        const fc_packet_stage one = fc_packet_network_stage(states[r], stage, tree);
        total.buffers = one.buffers;
        total.entered += one.entered;
        total.left += one.left;
        total.blocked += one.blocked;
        total.waiting += one.waiting;
        total.service += one.service;
        total.held += one.held;
        total.time += one.time;
    }
    return total;
}

static void add_row(fc_table *table, size_t row, const char *label, const fc_packet_stage *total) {
    double *values = &table->values[row * table->columns];
    const double left = (double)total->left;
    snprintf(table->row_labels[row], FC_NAME_SIZE, "%s", label);
    values[0] = ratio(total->service + total->held, (double)total->buffers * total->time);
    values[1] = ratio(total->waiting, left);
    values[2] = ratio((double)total->blocked, left);
    values[3] = ratio(total->held, left);
}

/* One row per stage, or with a hot spot two: on the tree of the hot memory and off it. Then the
 * memories and the stages of the way back, if there is one. */
static double add_channels(void *const *states, size_t replications, fc_result *result) {
    static const char *const columns[] = {"utilisation", "wait", "blocking", "held"};
    const fc_packet_settings *settings = fc_packet_network_settings(states[0]);
    const bool hot = settings->hot_share > 0.0;
    const uint32_t back = settings->memory_busy > 0 ? settings->stages + 1 : 0;
    const size_t rows = back + (hot ? 2 * settings->stages - 1 : settings->stages);
    fc_table *table = fc_result_add_table(result, "channels", rows, columns, 4);
    double held = 0.0, delivered = 0.0;
    size_t row = 0;
    for (uint32_t stage = 0; stage < settings->stages; ++stage) {
        for (int tree = hot; tree >= (hot && stage == 0); --tree) {
            const fc_packet_stage total = total_stage(states, replications, stage, tree != 0);
            char label[FC_NAME_SIZE];
            snprintf(label, sizeof label, "stage %u%s", stage + 1,
                     !hot   ? ""
                     : tree ? ", hot tree"
                            : ", off the tree");
            if (table)
                add_row(table, row++, label, &total);
            held += total.held;
            if (stage + 1 == settings->stages)
                delivered += (double)total.left;
        }
    }
    for (uint32_t level = settings->stages; level < settings->stages + back; ++level) {
        const fc_packet_stage total = total_stage(states, replications, level, false);
        char label[FC_NAME_SIZE] = "memories";
        if (level > settings->stages)
            snprintf(label, sizeof label, "back, stage %u", level - settings->stages);
        else
            fc_result_add(result, FC_METRIC_MEMORY_WAIT, ratio(total.waiting, (double)total.left),
                          NAN);
        if (table)
            add_row(table, row++, label, &total);
    }
    return ratio(held, delivered);
}

/* The hot memory, and the groups of cold ones by the length of the hot tree on their way. */
static void add_groups(void *const *states, size_t replications, fc_result *result) {
    static const char *const columns[] = {"memories", "latency", "half_width"};
    const fc_packet_settings *settings = fc_packet_network_settings(states[0]);
    fc_table *table = fc_result_add_table(result, "groups", settings->stages + 1, columns, 3);
    if (!table)
        return;
    double memories = 1.0;
    for (uint32_t group = 0; group <= settings->stages; ++group) {
        double sum = 0.0, weight = 0.0;
        fc_moments means = {0};
        for (size_t r = 0; r < replications; ++r) {
            uint64_t delivered;
            double latency;
            fc_packet_network_group(states[r], group, &delivered, &latency);
            if (delivered)
                fc_moments_add(&means, latency / (double)delivered);
            sum += latency;
            weight += (double)delivered;
        }
        if (group == 0)
            snprintf(table->row_labels[0], FC_NAME_SIZE, "hot memory");
        else
            snprintf(table->row_labels[group], FC_NAME_SIZE, "cold group %u", group);
        double *values = &table->values[3 * group];
        values[0] = memories;
        values[1] = weight > 0.0 ? sum / weight : NAN;
        values[2] = fc_moments_half_width(&means);
        memories = group == 0 ? settings->switch_size - 1.0 : memories * settings->switch_size;
    }
}

/* System power: what the network delivers over the delay it takes, N X / D. */
static void add_power(double ports, fc_result *result) {
    const fc_metric *latency = fc_result_find(result, FC_METRIC_LATENCY);
    const fc_metric *throughput = fc_result_find(result, FC_METRIC_THROUGHPUT);
    if (!latency || !throughput || !(latency->value > 0.0))
        return;
    const double power = ports * throughput->value / latency->value;
    const double relative = latency->half_width / latency->value +
                            throughput->half_width / fmax(throughput->value, 1e-300);
    fc_result_add(result, FC_METRIC_POWER, power, power * relative);
}

static void report(void *const *states, size_t replications, fc_result *result) {
    if (replications == 0)
        return;
    const fc_packet_settings *settings = fc_packet_network_settings(states[0]);
    add_power((double)settings->ports, result);
    if (settings->places != FC_PACKET_UNLIMITED)
        fc_result_add(result, FC_METRIC_BUFFER_SPACE,
                      (double)settings->ports * (double)settings->stages *
                          (settings->memory_busy > 0 ? 2 : 1) * (double)(settings->places - 1),
                      NAN);
    const double held = fmax(add_channels(states, replications, result), 0); /* or rounding */
    if (settings->hot_share > 0.0)
        add_groups(states, replications, result);
    const fc_metric *latency = fc_result_find(result, FC_METRIC_LATENCY);
    if (!latency)
        return;
    const double service = (double)settings->stages * settings->service;
    fc_result_add_part(result, "service", "cycles", service);
    fc_result_add_part(result, "held after service", "cycles", held);
    fc_result_add_part(result, "waiting in buffers", "cycles", latency->value - service - held);
}

/* ---- settings of a run ---- */

/* Near saturation the correlation time is long, but no longer than it takes to empty full buffers.
 */
static double time_scale(const fc_scenario *scenario) {
    const fc_multistage *network = scenario->parameters;
    const double ports = (double)network->ports, a = (double)network->switch_size;
    const double share = network->hot.share;
    const double busiest = network->stages == 1 ? 1.0 : 1.0 - share + share * ports / a;
    const double load = network->rate * network->service * busiest;
    const double idle = fmax(0.03, fabs(1.0 - load));
    double memory = 1.0 / (idle * idle);
    if (network->buffer != FC_INFINITE)
        memory = fmin(memory, 4.0 * (double)network->buffer);
    double scale = (double)network->stages * (4.0 + memory);
    if (network->buffer != FC_INFINITE && load > 0.9) /* a hot tree that fills up: L d f_n */
        scale += fmin(1e5, 2.0 * (double)network->buffer * busiest);
    if (network->memory_busy > 0) {
        const double at_hot = share * ports + 1 - share;
        const double rest = fmax(0.03, fabs(1.0 - network->rate * network->memory_busy * at_hot));
        scale = 2 * scale + network->memory_busy / network->service * (1 + 1 / (rest * rest));
    }
    return network->service * scale;
}

static double latency_scale(const fc_scenario *scenario) {
    const fc_multistage *network = scenario->parameters;
    return latency_units / network->service;
}

const fc_simulator fc_simulator_multistage = {
    .info =
        {
            .name = "multistage-packets",
            .revision = 5,
            .kind = FC_SIMULATOR,
            .family = "multistage",
            .title = "buffered multistage network, packet by packet in continuous time",
            .source = "the system of Mohapatra and Das",
            .validity = "any switch size, buffers, hot spot and limit on outstanding packets; with "
                        "and without output-port contention; up to 2^27 buffers",
            .accuracy = "equal, packet for packet, to a plain simulator with a heap of events",
        },
    .event_name = "events",
    .observables = observables,
    .stations = stations,
    .controls = controls,
    .covers = covers,
    .prepare = prepare,
    .discard = discard,
    .create = create,
    .advance = advance,
    .start_measuring = start_measuring,
    .report = report,
    .release = release,
    .time_scale = time_scale,
    .latency_scale = latency_scale,
};
