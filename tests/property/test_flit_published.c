/* The flit simulator against published simulations and the values of the resolved notes: Adve and
 * Vernon's tables 4.2 and 4.3 in a few cells (the whole tables belong to `flitcast paper
 * adve-vernon`), and the open 16x16 torus of Najaf-abadi and Sarbazi-azad at one load. The runs are
 * short, the tolerances those of the runs; deterministic. */
#include "test_support.h"

#include "closed_support.h"
#include "flit_support.h"
#include "simulators/flit/flit_closed.h"
#include "torus_support.h"

static fc_torus closed_system(int64_t radix, int node_links, int64_t outstanding, double think_time,
                              bool slow) {
    fc_torus torus = make_closed(CLOSED_TORUS, radix, node_links, outstanding, think_time);
    torus.requests = (fc_requests){
        .count = 2,
        .types = {{0.8, 3, 9, slow ? 12 : 4, slow ? 12 : 4}, {0.2, 11, 3, 8, slow ? 8 : 4}}};
    return torus;
}

static fc_flit *run(const fc_torus *torus, uint64_t warm_up, uint64_t cycles) {
    fc_error error;
    fc_flit *engine = flit_start(torus, 1);
    if (fc_flit_run(engine, warm_up, &error) != FC_OK)
        fail_msg("%s", error.text);
    engine->sums = (fc_flit_sums){0};
    fc_flit_clear_detail(engine);
    if (fc_flit_run(engine, warm_up + cycles, &error) != FC_OK)
        fail_msg("%s", error.text);
    return engine;
}

/* Table 4.2: one link per outgoing virtual channel in both parts, whatever the caption of (a). */
static void mean_efficiency_and_network_time(void **state) {
    (void)state;
    static const struct {
        int64_t radix, outstanding;
        double think_time, efficiency, network_time;
    } cells[] = {
        {4, 1, 25, 0.4301, 21.07}, {4, 4, 5, 0.2411, 60.81},  {4, 8, 5, 0.2507, 136.79},
        {8, 1, 50, 0.604, 27.94},  {8, 4, 20, 0.448, 144.06},
    };
    for (size_t i = 0; i < sizeof cells / sizeof *cells; ++i) {
        const bool small = cells[i].radix == 4;
        const fc_torus torus = closed_system(cells[i].radix, FC_LINK_PER_CHANNEL,
                                             cells[i].outstanding, cells[i].think_time, small);
        const uint64_t cycles = small ? 60000 : 25000;
        fc_flit *engine = run(&torus, 4000, cycles);
        const double node_cycles = (double)cycles * (double)torus.nodes;
        assert_close(engine->sums.busy / node_cycles, cells[i].efficiency, 0.02);
        assert_close(engine->sums.network / engine->sums.served, cells[i].network_time, 0.03);
        flit_stop(engine);
    }
}

/* Table 4.3 has a single link: the corner nodes are served worst. */
static void best_and_worst_processor(void **state) {
    (void)state;
    const fc_torus torus = closed_system(8, FC_SINGLE_LINK, 4, 40, true);
    const uint64_t cycles = 40000;
    fc_flit *engine = run(&torus, 4000, cycles);
    double largest = 0, smallest = 1;
    for (uint32_t node = 0; node < 64; ++node) {
        const double efficiency = fc_closed_busy_cycles(engine, node) / (double)cycles;
        largest = fmax(largest, efficiency);
        smallest = fmin(smallest, efficiency);
    }
    assert_close(largest, 0.8836, 0.035);
    assert_close(smallest, 0.7677, 0.035);
    flit_stop(engine);
}

static void open_torus_latency(void **state) {
    (void)state;
    const fc_torus torus = make_torus((fc_integer_list){2, {16, 16}}, 3, 32, 0.000602);
    fc_flit *engine = run(&torus, 4000, 60000);
    assert_close(engine->sums.latency / engine->sums.messages, 63.6, 0.015);
    flit_stop(engine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mean_efficiency_and_network_time),
        cmocka_unit_test(best_and_worst_processor),
        cmocka_unit_test(open_torus_latency),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
