/* What the calls cost that other languages and simulators make most: fc_predict, fc_sweep_run, and
 * a network that is driven (fc_live_*), beside fc_simulate. bench/bench_python.py makes the same
 * calls from Python and compares.
 *
 *     bench_live     CPU time on one core, the best of five; a name and a number on each line */
#include "bench_support.h"

static const char rings[] = "network: {topology: ring-hierarchy, rings: [16, 32]}\n"
                            "traffic: {rate: 0.004, locality: [0.2]}\n";
static const char mesh[] = "network: {topology: mesh, radix: [8, 8], virtual_channels: 4,\n"
                           "  buffer: 8, router_delay: [1, 1, 1, 1], input_speedup: 1}\n"
                           "traffic: {rate: 0.05, message_flits: 5}\n"
                           "simulation: {replications: 4, max_cycles: 20000, precision: 0.0001}\n";
enum { POINTS = 10000, CYCLES = 40000, STEP = 1000, MESSAGES = 1000000 };

static double sweep_seconds(const fc_scenario *scenario) {
    static char texts[POINTS][24];
    static char *values[POINTS];
    for (int i = 0; i < POINTS; ++i) {
        snprintf(texts[i], sizeof texts[i], "%.17g", 1e-7 * (i + 1));
        values[i] = texts[i];
    }
    fc_axis axis = {.key = "traffic.rate", .values = values, .count = POINTS};
    const fc_sweep_settings sweep = {.axes = &axis, .axis_count = 1};
    const fc_run_settings settings = {.threads = 1};
    fc_error error;
    fc_sweep *made;
    const double start = cpu_seconds();
    demand(fc_sweep_run(scenario, &sweep, &settings, &error, &made), &error);
    fc_sweep_free(made);
    return cpu_seconds() - start;
}

/* Millions of flit-hops a second. */
static double simulate_speed(const fc_scenario *scenario) {
    const fc_run_settings settings = {.threads = 1};
    fc_error error;
    fc_result *result;
    demand(fc_simulate(scenario, &settings, &error, &result), &error);
    const double speed = (double)result->run.events / result->run.cpu_seconds / 1e6;
    fc_result_free(result);
    return speed;
}

static double hops_of(fc_live *live) {
    fc_error error;
    fc_result *result;
    demand(fc_live_snapshot(live, true, &error, &result), &error);
    const double hops = (double)result->run.events;
    fc_result_free(result);
    return hops;
}

static double live_speed(const fc_scenario *scenario) {
    fc_error error;
    fc_live *live;
    demand(fc_live_create(scenario, true, &error, &live), &error);
    const double start = cpu_seconds();
    for (int at = 0; at < CYCLES; at += STEP)
        demand(fc_live_advance(live, STEP, &error), &error);
    const double seconds = cpu_seconds() - start;
    const double speed = hops_of(live) / seconds / 1e6;
    fc_live_free(live);
    return speed;
}

/* Seconds for the injections alone; *drained: to deliver them all. */
static double inject_seconds(const fc_scenario *scenario, double *drained) {
    fc_error error;
    fc_live *live;
    demand(fc_live_create(scenario, false, &error, &live), &error);
    const double start = cpu_seconds();
    for (uint32_t i = 0; i < MESSAGES; ++i) {
        const fc_live_message message = {
            .source = i % 64, .destination = i * 7 % 64, .flits = 1, .tag = i, .time = 1 + i / 16};
        demand(fc_live_inject(live, &message, 1, &error), &error);
    }
    const double injected = cpu_seconds();
    demand(fc_live_advance(live, MESSAGES / 16 + 1000, &error), &error);
    *drained = cpu_seconds() - injected;
    fc_live_free(live);
    return injected - start;
}

static double create_seconds(const fc_scenario *scenario) {
    enum { COUNT = 500 };
    static fc_live *live[COUNT];
    fc_error error;
    const double start = cpu_seconds();
    for (size_t i = 0; i < COUNT; ++i)
        demand(fc_live_create(scenario, false, &error, &live[i]), &error);
    const double seconds = cpu_seconds() - start;
    for (size_t i = 0; i < COUNT; ++i)
        fc_live_free(live[i]);
    return seconds / COUNT;
}

int main(void) {
    fc_scenario *ring = read_scenario(rings), *routers = read_scenario(mesh);
    double sweep = 1e9, simulated = 0, driven = 0, inject = 1e9, drain = 1e9;
    for (int repeat = 0; repeat < REPEATS; ++repeat) {
        double drained;
        const double seconds = sweep_seconds(ring), simulation = simulate_speed(routers);
        const double speed = live_speed(routers), injection = inject_seconds(routers, &drained);
        sweep = seconds < sweep ? seconds : sweep;
        simulated = simulation > simulated ? simulation : simulated;
        driven = speed > driven ? speed : driven;
        inject = injection < inject ? injection : inject;
        drain = drained < drain ? drained : drain;
    }
    printf("predict_us %.3f\n", 1e6 * time_predict(ring, NULL, NULL));
    printf("sweep_10000_s %.4f\n", sweep);
    printf("simulate_mhops %.2f\n", simulated);
    printf("live_mhops %.2f\n", driven);
    printf("inject_million_s %.3f\n", inject);
    printf("deliver_million_s %.3f\n", drain);
    printf("create_us %.1f\n", 1e6 * create_seconds(routers));
    fc_scenario_free(ring);
    fc_scenario_free(routers);
    return 0;
}
