#include "test_support.h"

#include "models/torus/torus_sharing_parts.h"
#include "network/torus_combinatorics.h"
#include "torus_support.h"

static fc_sharing_case case_of(fc_integer_list radix, bool both, int channels, double flits) {
    return (fc_sharing_case){.radix = radix,
                             .kind = both ? FC_BIDIRECTIONAL_RING : FC_UNIDIRECTIONAL_RING,
                             .rule = FC_ESCAPE,
                             .channels = channels,
                             .injection_channels = channels,
                             .ejection_channels = channels,
                             .idle_cycle = true,
                             .flits = flits};
}

static fc_sharing_solution solve_at(const fc_sharing_case *input, double rate) {
    fc_sharing_solution solution;
    fc_sharing_solver *solver = fc_sharing_solver_create(input);
    fc_sharing_solve(solver, rate, &solution);
    fc_sharing_solver_free(solver);
    return solution;
}

/* Latencies simulated to half a per cent, at 40 to 75 % of saturation; the slowness by the slowest
 * channel alone is that of the prototype this was written from. */
static void simulated_at_medium_load(void **state) {
    (void)state;
    static const struct {
        fc_integer_list radix;
        int channels, flits, both;
        double rate, latency, slowness;
    } rows[] = {
        {{2, {16, 16}}, 3, 32, 0, 0.000602, 63.53, 1.4936},
        {{2, {16, 16}}, 3, 32, 0, 0.00105, 79.62, 1.7801},
        {{2, {16, 16}}, 5, 32, 0, 0.00134, 96.71, 2.3809},
        {{3, {8, 8, 8}}, 3, 32, 0, 0.0018, 72.26, 1.7990},
        {{2, {5, 7}}, 4, 20, 0, 0.0055, 46.78, 2.0286},
        {{4, {4, 4, 4, 4}}, 3, 32, 0, 0.005, 76.16, 1.9055},
        {{2, {8, 8}}, 3, 32, 1, 0.004, 53.46, 1.5495},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        const fc_sharing_case input =
            case_of(rows[i].radix, rows[i].both, rows[i].channels, rows[i].flits);
        fc_sharing_solver *solver = fc_sharing_solver_create(&input);
        fc_sharing_solution solution;
        fc_sharing_solve(solver, rows[i].rate, &solution);
        assert_true(solution.converged && !solution.saturated);
        assert_close(solution.latency, rows[i].latency, 0.06);
        assert_close(solver->slowness, rows[i].slowness, 0.01);
        assert_true(solution.slowness >= solver->slowness);
        fc_sharing_solver_free(solver);
    }
}

/* Simulated at 90 % of saturation: headers queue for the channels of the first dimension, and with
 * two channels there is a steady state at all. */
static void one_way_at_high_load(void **state) {
    (void)state;
    fc_sharing_case input = case_of((fc_integer_list){2, {6, 6}}, false, 3, 48);
    input.ejection_channels = 1;
    input.idle_cycle = false;
    assert_close(solve_at(&input, 0.003113).latency, 170.2, 0.08);
    input = case_of((fc_integer_list){2, {8, 8}}, false, 2, 32);
    input.ejection_channels = 1;
    input.idle_cycle = false;
    const fc_sharing_solution solution = solve_at(&input, 0.002832);
    assert_true(solution.converged && !solution.saturated);
    assert_close(solution.latency, 191.7, 0.08);
}

/* Little's law for the injection channels of a node: messages on them = rate x time held. */
static void injection_channels_are_held_as_long_as_they_are(void **state) {
    (void)state;
    for (int channels = 1; channels <= 4; ++channels) {
        fc_sharing_case input = case_of((fc_integer_list){2, {6, 6}}, true, 4, 16);
        input.injection_channels = channels;
        fc_sharing_solver *solver = fc_sharing_solver_create(&input);
        fc_sharing_solution solution;
        fc_sharing_solve(solver, 0.015, &solution);
        assert_true(solution.converged && !solution.saturated);
        double on_them = channels * solver->injection.blocked; /* with a queue or without */
        for (int n = 1; n < channels; ++n)
            on_them += n * solver->injection.busy[n];
        assert_close(on_them, 0.015 * (solver->injection_held + 1.0), 1e-5);
        fc_sharing_solver_free(solver);
    }
}

/* Simulated, docs/validation/torus.md: with links both ways headers wait for ejection too, and with
 * two channels for those ahead of them. Both come out too low, the slowness of the first and the
 * wait at the source of the second. */
static void both_ways_at_high_load(void **state) {
    (void)state;
    const fc_sharing_case three = case_of((fc_integer_list){4, {4, 4, 4, 4}}, true, 3, 24);
    assert_close(solve_at(&three, 0.02098).latency, 87.94, 0.08);
    fc_sharing_case two = case_of((fc_integer_list){4, {3, 3, 3, 3}}, true, 2, 12);
    two.ejection_channels = 1;
    two.idle_cycle = false;
    assert_close(solve_at(&two, 0.036106).latency, 46.98, 0.10);
}

/* Simulated, at 80 and 90 % of saturation: one channel in a mesh, where messages wait at the source
 * about as long as they travel. */
static void one_channel_at_high_load(void **state) {
    (void)state;
    fc_sharing_case mesh = case_of((fc_integer_list){2, {6, 6}}, false, 1, 16);
    mesh.kind = FC_LINE;
    mesh.rule = FC_FREE;
    mesh.idle_cycle = false;
    assert_close(solve_at(&mesh, 0.01521).latency, 52.85, 0.08);
    assert_close(solve_at(&mesh, 0.01711).latency, 93.08, 0.12);
}

enum { PLACES = 8, CLASSES = 2 };

typedef struct counted {
    double on[PLACES][CLASSES];
    double both[PLACES][CLASSES][PLACES][CLASSES];
} counted;

/* Adds a message from digit `from` over `hops` channels in the direction in which digits grow. */
static void add_path(counted *c, const fc_sharing_case *input, int radix, int from, int hops,
                     double weight) {
    int place[PLACES], class[PLACES];
    for (int i = 0; i < hops; ++i) {
        place[i] = (from + i) % radix;
        const bool wrapped = from + i >= radix, wraps = from + hops >= radix && !wrapped;
        class[i] = input->rule == FC_DATELINE ? wrapped : input->rule == FC_HIGH_LOW && wraps;
        c->on[place[i]][class[i]] += weight;
        for (int j = i - 1; j >= 0 && i - j <= (int)input->flits; --j)
            c->both[place[j]][class[j]][place[i]][class[i]] += weight;
    }
}

static void count_paths(counted *c, const fc_sharing_case *input, int radix) {
    for (int from = 0; from < radix; ++from)
        for (int hops = 1; hops < radix; ++hops) {
            if (input->kind == FC_LINE && from + hops >= radix)
                continue;
            if (input->kind == FC_BIDIRECTIONAL_RING && 2 * hops > radix)
                continue;
            const bool half = input->kind == FC_BIDIRECTIONAL_RING && 2 * hops == radix;
            add_path(c, input, radix, from, hops, half ? 0.5 : 1.0);
        }
}

/* What lies ahead of a worm, place by place and class by class, against enumeration. */
static void places_ahead_as_enumerated(void **state) {
    (void)state;
    const fc_path_kind kinds[] = {FC_UNIDIRECTIONAL_RING, FC_BIDIRECTIONAL_RING, FC_LINE};
    const int rules[] = {FC_HIGH_LOW, FC_DATELINE, FC_FREE};
    for (int n = 0; n < 3 * 3 * 4; ++n) {
        const int radix = 5 + n / 9 % 2, rule = rules[n / 3 % 3];
        fc_sharing_case input = case_of((fc_integer_list){1, {radix}}, false, 2, n < 18 ? 40 : 2);
        input.kind = kinds[n % 3];
        input.rule = rule;
        if ((input.kind == FC_LINE) != (rule == FC_FREE))
            continue; /* with channels open to all, the places of a ring are put together */
        counted c = {0};
        count_paths(&c, &input, radix);
        fc_sharing_solver *solver = fc_sharing_solver_create(&input);
        const dimension *dim = &solver->dimension[0];
        assert_int_equal(dim->positions, input.kind == FC_LINE ? radix - 1 : radix);
        const double *ahead = dim->ahead;
        for (int a = 0; a < dim->positions; ++a)
            for (int i = 0; i < CLASSES; ++i)
                for (int b = 0; b < dim->positions; ++b)
                    for (int j = 0; j < CLASSES; ++j, ++ahead)
                        if (c.on[a][i] > 0.0)
                            assert_near(*ahead, c.both[a][i][b][j] / c.on[a][i], 1e-12);
        fc_sharing_solver_free(solver);
    }
}

/* A worm as long as any path has its whole way ahead while it is injected; one flit, only the next
 * channel. */
static void way_ahead_of_a_worm(void **state) {
    (void)state;
    for (int kind = FC_UNIDIRECTIONAL_RING; kind <= FC_LINE; ++kind)
        for (int flits = 1; flits <= 40; flits += 39) {
            fc_sharing_case input = case_of((fc_integer_list){2, {6, 5}}, false, 3, flits);
            input.kind = (fc_path_kind)kind;
            fc_sharing_solver *solver = fc_sharing_solver_create(&input);
            double channels = solver->eject_ahead[0];
            for (size_t d = 0; d < 2; ++d) {
                const dimension *dim = &solver->dimension[d];
                channels += dim->enter_ahead[0] + dim->along_ahead[0];
            }
            const double hops = solver->mean_hops / solver->correction;
            assert_close(channels, flits == 1 ? 1.0 : 1.0 + hops, 1e-12);
            fc_sharing_solver_free(solver);
        }
}

static void zero_load_is_message_plus_hops(void **state) {
    (void)state;
    const fc_integer_list shapes[] = {{2, {16, 16}}, {3, {2, 5, 3}}, {1, {2}}, {4, {3, 3, 3, 3}}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; ++i)
        for (int channels = 2; channels <= 12; channels += 5) {
            const fc_sharing_case input = case_of(shapes[i], false, channels, 32);
            const double empty = 32.0 + fc_torus_mean_hops(&shapes[i], FC_UNIDIRECTIONAL_RING);
            assert_close(solve_at(&input, 0.0).latency, empty, 1e-14);
            assert_close(solve_at(&input, 1e-9).latency, empty, 1e-6);
        }
    const fc_sharing_case both = case_of(shapes[0], true, 2, 32);
    assert_close(solve_at(&both, 0.0).latency, 32.0 + 8.0 * 256.0 / 255.0, 1e-12);
}

/* However small the rate: probabilities without digits left, or none at all, must not make an empty
 * network a saturated one, or keep the search from ending. */
static void hardly_any_load(void **state) {
    (void)state;
    const int rules[] = {FC_ESCAPE, FC_HIGH_LOW, FC_DATELINE, FC_FREE};
    const double rates[] = {1e-12, 1e-20, 1e-80, 1e-160, 1e-299, 1e-310, 5e-324};
    for (int n = 0; n < 3 * 4 * 4 * 2; ++n) {
        const int kind = n % 3, rule = n / 3 % 4, channels = (const int[]){1, 2, 4, 16}[n / 12 % 4];
        if ((kind == FC_LINE) != (rules[rule] == FC_FREE) || (channels == 1 && kind != FC_LINE) ||
            (rules[rule] == FC_HIGH_LOW && channels != 2))
            continue;
        fc_sharing_case input = case_of((fc_integer_list){2, {4, 3}}, false, channels, 16);
        input.kind = (fc_path_kind)kind;
        input.rule = rules[rule];
        if (n >= 48)
            input.injection_channels = input.ejection_channels = 1;
        const double empty = solve_at(&input, 0.0).latency;
        for (size_t i = 0; i < sizeof rates / sizeof *rates; ++i) {
            const fc_sharing_solution solution = solve_at(&input, rates[i]);
            assert_true(solution.converged && !solution.saturated);
            assert_close(solution.latency, empty, 1e-9);
        }
    }
}

/* A channel passes one flit a cycle: short messages on a long ring once had 1.3. */
static void no_channel_is_overfull(void **state) {
    (void)state;
    fc_sharing_case input = case_of((fc_integer_list){1, {20}}, false, 4, 2);
    input.rule = FC_DATELINE;
    const double full = 1.0 / (10.0 * 2.0); /* a message goes over 10 of 20 channels */
    assert_true(solve_at(&input, 1.01 * full).saturated);
    fc_sharing_solver *solver = fc_sharing_solver_create(&input);
    assert_true(fc_sharing_saturation(solver) <= full);
    fc_sharing_solver_free(solver);
}

/* Up to saturation there is a solution and it grows; above there is none. */
static void grows_to_saturation(void **state) {
    (void)state;
    const fc_integer_list square = {2, {4, 4}};
    for (int both = 0; both <= 1; ++both)
        for (int channels = 2; channels <= 3; ++channels)
            for (int ejection = 1; ejection <= channels; ejection += channels - 1) {
                fc_sharing_case input = case_of(square, both, channels, 16);
                input.ejection_channels = ejection;
                fc_sharing_solver *solver = fc_sharing_solver_create(&input);
                fc_sharing_solution solution;
                const double limit = fc_sharing_saturation(solver);
                double before = 0.0;
                for (int i = 1; i <= 4; ++i) {
                    fc_sharing_solve(solver, 0.245 * i * limit, &solution);
                    assert_true(solution.converged && !solution.saturated);
                    assert_true(solution.latency > before);
                    before = solution.latency;
                }
                for (double above = 1.02; above < 3.0; above *= 1.6) {
                    fc_sharing_solve(solver, above * limit, &solution);
                    assert_true(solution.saturated);
                }
                fc_sharing_solver_free(solver);
            }
}

/* The search for the saturation load ends where the model has an answer, also where the iteration
 * hardly changes any more without converging (in the first network above 0.0551: a channel with
 * messages of two flits is never free there). */
static void answers_just_below_saturation(void **state) {
    (void)state;
    const struct {
        fc_integer_list radix;
        fc_path_kind kind;
        int rule, channels, injection, ejection;
        double flits;
    } networks[] = {
        {{2, {15, 4}}, FC_UNIDIRECTIONAL_RING, FC_DATELINE, 2, 1, 1, 2},
        {{1, {12}}, FC_BIDIRECTIONAL_RING, FC_HIGH_LOW, 2, 1, 1, 3},
        {{2, {8, 8}}, FC_LINE, FC_FREE, 1, 1, 1, 8},
        {{2, {3, 5}}, FC_UNIDIRECTIONAL_RING, FC_DATELINE, 4, 2, 1, 1},
        {{3, {3, 3, 3}}, FC_BIDIRECTIONAL_RING, FC_ESCAPE, 3, 3, 3, 5},
        {{2, {6, 2}}, FC_LINE, FC_FREE, 4, 1, 4, 40},
    };
    for (size_t i = 0; i < sizeof networks / sizeof *networks; ++i) {
        const fc_sharing_case input = {.radix = networks[i].radix,
                                       .kind = networks[i].kind,
                                       .rule = networks[i].rule,
                                       .channels = networks[i].channels,
                                       .injection_channels = networks[i].injection,
                                       .ejection_channels = networks[i].ejection,
                                       .flits = networks[i].flits};
        fc_sharing_solver *solver = fc_sharing_solver_create(&input);
        const double limit = fc_sharing_saturation(solver);
        fc_sharing_solver_free(solver);
        assert_true(limit > 0.0);
        assert_false(solve_at(&input, 0.995 * limit).saturated);
        assert_false(solve_at(&input, 0.95 * limit).saturated);
        assert_true(solve_at(&input, 1.1 * limit).saturated);
    }
}

/* Limits between networks the model must not tell apart. */
static void rules_that_mean_the_same(void **state) {
    (void)state;
    const fc_integer_list square = {2, {6, 6}};
    fc_sharing_case escape = case_of(square, false, 2, 16), other = escape;
    other.rule = FC_HIGH_LOW;
    assert_close(solve_at(&escape, 0.004).latency, solve_at(&other, 0.004).latency, 1e-12);
    /* before the wrap-around link there are as many as have it ahead: the classes mirror */
    other.rule = FC_DATELINE;
    assert_close(solve_at(&escape, 0.004).latency, solve_at(&other, 0.004).latency, 0.05);
    /* a line of two nodes has the channels of a bidirectional ring of two but each only once */
    const fc_integer_list pair = {1, {2}};
    fc_sharing_case line = case_of(pair, false, 3, 16);
    line.kind = FC_LINE;
    line.rule = FC_FREE;
    assert_close(solve_at(&line, 0.0).latency, 17.0, 1e-14);
    assert_true(solve_at(&line, 0.01).latency > 17.0);
}

/* One channel in a mesh: nothing is shared, so only waits are added to M + h. */
static void single_channel_mesh(void **state) {
    (void)state;
    fc_sharing_case mesh = case_of((fc_integer_list){2, {8, 8}}, false, 1, 16);
    mesh.kind = FC_LINE;
    mesh.rule = FC_FREE;
    const fc_sharing_solution solution = solve_at(&mesh, 0.0056);
    assert_true(solution.converged && !solution.saturated);
    assert_close(solution.hops, 2.0 * 63.0 / 24.0 * 64.0 / 63.0, 1e-12);
    assert_close(solution.slowness, 1.0, 1e-9);
    assert_close(solution.latency, 27.5, 0.03); /* simulated: 27.54 +- 0.22 */
}

/* The solver keeps no memory of the rate before. */
static void order_of_rates_does_not_matter(void **state) {
    (void)state;
    const fc_sharing_case input = case_of((fc_integer_list){2, {4, 6}}, true, 3, 16);
    fc_sharing_solver *solver = fc_sharing_solver_create(&input);
    fc_sharing_solution first, again;
    fc_sharing_solve(solver, 0.01, &first);
    fc_sharing_solve(solver, 0.05, &again);
    fc_sharing_solve(solver, 0.01, &again);
    assert_true(first.latency == again.latency);
    fc_sharing_solver_free(solver);
}

/* Alone on the ring a rate survives; beside one greedy worm on every channel half of it does. */
static void ring_survival_limits(void **state) {
    (void)state;
    enum { OTHERS = 1 };
    const fc_ring_paths paths = fc_ring_paths_of(8, FC_UNIDIRECTIONAL_RING);
    fc_rate_row shares[OTHERS + 1], elsewhere[OTHERS + 1];
    double crossing[FC_RATE_POINTS], scratch[4096];
    assert_true(fc_ring_survival_scratch(paths.longest, OTHERS) <= 4096);
    for (int x = 0; x < FC_RATE_POINTS; ++x) {
        shares[0][x] = 1.0;
        shares[1][x] = 2 * x <= FC_RATE_STEPS;
    }
    const double alone[] = {1.0, 0.0}, paired[] = {0.0, 1.0};
    fc_ring_survival_input input = {
        .paths = &paths, .others = OTHERS, .met = alone, .shares = shares, .leaving = 0.25};
    fc_ring_survival(&input, scratch, crossing, elsewhere);
    assert_close(crossing[FC_RATE_STEPS], 1.0, 1e-14);
    input.met = paired;
    fc_ring_survival(&input, scratch, crossing, elsewhere);
    assert_close(crossing[30], 1.0, 1e-14);
    assert_near(crossing[31], 0.0, 1e-14);
    assert_close(elsewhere[1][30], 1.0, 1e-14);
    /* found on a channel with it: the rest of the path is free only if nobody changes there */
    double kept = 0.0, total = 0.0;
    for (int s = 1; s <= 7; ++s) {
        kept += s * pow(0.75, s - 1); /* the one other stays: probability 1 - q a hop */
        total += s;
    }
    assert_close(elsewhere[1][31], kept / total, 1e-12);
}

/* Messages of one flit wait for their turn at every link, as at a multiplexer: simulated to 1 %.
 * The ejection channel has no idle cycle, whatever the handover, so how many there are does not
 * matter.
 */
static void messages_of_one_flit(void **state) {
    (void)state;
    fc_sharing_case input = case_of((fc_integer_list){2, {4, 4}}, true, 8, 1);
    input.injection_channels = input.ejection_channels = 8;
    input.idle_cycle = false;
    assert_close(solve_at(&input, 0.6).latency, 4.793, 0.05);
    assert_close(solve_at(&input, 0.3).latency, 3.634, 0.02);
    input = case_of((fc_integer_list){2, {7, 2}}, true, 3, 1);
    input.injection_channels = 1;
    for (int channels = 1; channels <= 3; ++channels) {
        input.ejection_channels = channels;
        const fc_sharing_solution solution = solve_at(&input, 0.25);
        assert_close(solution.latency - solution.source_wait, 3.643, 0.06);
    }
}

/* In a nearly empty network each message that another one meets delays it by M - |d| cycles, d
 * apart in time: M^2 - 1/2 summed over d. Of the messages of a node, whose rate is 1, a message
 * meets all at the injection; on its first channel in a dimension those that pass (rate f (1 - q))
 * and, after a turn, those that entered over another channel; on each further channel the new ones
 * (f q); and at the ejection those that came over another channel. */
static void nearly_empty_networks_are_exact(void **state) {
    (void)state;
    const double q = 7.0 / 16, f = 64.0 / 63, hops = 16.0 / 7; /* of rings of 8, both ways */
    const double same = 2 * q * q + 1.0 / 64;                  /* came over the same channel */
    const double along = f * (1 - q) + (hops - 1) * f * q;
    const double meetings = 1 + f * 7 / 8 * (2 * along + f * q * (1 - same)) + 1 - same;
    for (int flits = 4; flits <= 64; flits *= 2) {
        fc_sharing_case input = case_of((fc_integer_list){2, {8, 8}}, true, 8, flits);
        input.injection_channels = input.ejection_channels = 8;
        input.idle_cycle = false;
        const double rate = 1e-7;
        const double expected = rate * meetings * (flits * flits - 0.5);
        assert_close(solve_at(&input, rate).sharing / expected, 1, 0.03);
    }
}

/* Simulated to 1 %, at 30 and 60 % of the model's saturation load: slowdowns that a worm of 2 flits
 * meets on a path of 4 hops add up. */
static void messages_shorter_than_their_paths(void **state) {
    (void)state;
    fc_sharing_case input = case_of((fc_integer_list){2, {8, 8}}, true, 9, 2);
    input.injection_channels = input.ejection_channels = 9;
    input.idle_cycle = false;
    assert_close(solve_at(&input, 0.131719).latency, 8.159, 0.04);
    assert_close(solve_at(&input, 0.263438).latency, 12.081, 0.07);
}

static void result_of_the_method(void **state) {
    (void)state;
    fc_torus torus = make_torus((fc_integer_list){2, {16, 16}}, 3, 32, 0.000602);
    const fc_scenario scenario = torus_scenario(&torus);
    const fc_model *model = &fc_model_torus_sharing;
    fc_error error;
    assert_int_equal(model->covers(&scenario, &error), FC_OK);
    fc_result *result = fc_result_create(&model->info, &scenario);
    assert_int_equal(model->solve(&scenario, NULL, &error, result), FC_OK);
    double parts = 0.0;
    for (size_t i = 0; i < result->part_count; ++i)
        parts += result->parts[i].value;
    assert_close(parts, fc_result_metric(result, "latency")->value, 1e-13);
    assert_close(parts, 64.9531, 0.0005);
    assert_close(fc_result_table(result, "channels")->values[0],
                 0.000602 * 32 * 7.5 * 256.0 / 255.0, 1e-12);
    fc_result_free(result);

    torus.rate = 0.01;
    result = fc_result_create(&model->info, &scenario);
    assert_int_equal(model->solve(&scenario, NULL, &error, result), FC_OK);
    assert_int_equal(result->outcome, FC_OUTCOME_SATURATED);
    assert_null(fc_result_metric(result, "latency"));
    double load = 0.0;
    assert_int_equal(model->saturation(&scenario, NULL, &error, &load), FC_OK);
    assert_close(fc_result_metric(result, "throughput")->value, load, 0.01);
    assert_near(load, 0.00151, 0.0002);
    fc_result_free(result);

    torus.buffer = 4;
    assert_int_equal(model->covers(&scenario, &error), FC_ERROR_UNSUPPORTED);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(simulated_at_medium_load),
        cmocka_unit_test(one_way_at_high_load),
        cmocka_unit_test(injection_channels_are_held_as_long_as_they_are),
        cmocka_unit_test(both_ways_at_high_load),
        cmocka_unit_test(one_channel_at_high_load),
        cmocka_unit_test(places_ahead_as_enumerated),
        cmocka_unit_test(way_ahead_of_a_worm),
        cmocka_unit_test(zero_load_is_message_plus_hops),
        cmocka_unit_test(hardly_any_load),
        cmocka_unit_test(no_channel_is_overfull),
        cmocka_unit_test(grows_to_saturation),
        cmocka_unit_test(answers_just_below_saturation),
        cmocka_unit_test(rules_that_mean_the_same),
        cmocka_unit_test(single_channel_mesh),
        cmocka_unit_test(order_of_rates_does_not_matter),
        cmocka_unit_test(ring_survival_limits),
        cmocka_unit_test(messages_of_one_flit),
        cmocka_unit_test(nearly_empty_networks_are_exact),
        cmocka_unit_test(messages_shorter_than_their_paths),
        cmocka_unit_test(result_of_the_method),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
