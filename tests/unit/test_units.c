/* Cycles and flits in nanoseconds and bytes: what results say, and what scenarios may write. */
#include "scenario_support.h"

#include "base/units.h"
#include "scenario/fabric.h"
#include "scenario/scenario_keys.h"
#include "scenario/torus.h"

#define UNITS "clock_ghz: 2, flit_bytes: 16"
#define MESH(network, traffic)                                                                     \
    "network: {topology: mesh, radix: [4, 4], virtual_channels: 4, buffer: 8, " network "}\n"      \
    "traffic: {" traffic "}\n"

static const char plain[] = MESH("link_delay: 2", "rate: 0.02, message_flits: 5");

#define assert_same(value, wanted) assert_close(value, wanted, 1e-12)

/* ---- results ---- */

static void every_unit_has_its_factor(void **state) {
    (void)state;
    static const fc_units units = {.clock_ghz = 1.6, .flit_bytes = 32, .message_flits = 4.5};
    static const struct {
        const char *unit;
        double factor;
        const char *physical;
    } cases[] = {
        {"cycles", 1 / 1.6, "ns"},
        {"messages/node/cycle", 1.6 * 32 * 4.5, "GB/s"},
        {"packets/node/cycle", 1.6 * 32 * 4.5, "GB/s"},
        {"flits/cycle", 1.6 * 32, "GB/s"},
        {"flits", 32, "bytes"},
        {"packets", 32 * 4.5, "bytes"},
        {"energy/cycle", 1.6, "energy/ns"},
    };
    fc_physical found;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        assert_true(fc_physical_of(&units, cases[i].unit, &found));
        assert_same(found.factor, cases[i].factor);
        assert_string_equal(found.unit, cases[i].physical);
    }
    assert_false(fc_physical_of(&units, "per message", &found));
    assert_false(fc_physical_of(&units, "", &found));
    const fc_units clock_alone = {.clock_ghz = 1}, flits_alone = {.flit_bytes = 8};
    assert_true(fc_physical_of(&clock_alone, "cycles", &found));
    assert_false(fc_physical_of(&clock_alone, "flits/cycle", &found));
    assert_false(fc_physical_of(&flits_alone, "cycles", &found));
}

/* Every unit of a time or a load in the table of metrics is known. */
static void every_time_is_known_in_nanoseconds(void **state) {
    (void)state;
    static const fc_units units = {1, 1, 1};
    for (size_t m = 0; m < fc_metric_count(); ++m) {
        const fc_metric_info *info = fc_metric_at(m);
        fc_physical found;
        const bool rate = strstr(info->unit, "/node/cycle") != NULL;
        if ((info->time || rate) && !fc_physical_of(&units, info->unit, &found))
            fail_msg("%s: %s has no physical unit", info->name, info->unit);
    }
}

static fc_result *must_predict(const fc_scenario *scenario) {
    fc_error error;
    fc_result *result = NULL;
    if (fc_predict(scenario, NULL, &error, &result) != FC_OK)
        fail_msg("%s", error.text);
    return result;
}

/* ns = cycles / clock, GB/s = messages x flits x bytes x clock; cycles and hash stay. */
static void a_clock_converts_and_changes_nothing(void **state) {
    (void)state;
    static const double clocks[] = {0.5, 1, 2, 3.2};
    fc_scenario *without = must_read(plain, NULL, NULL);
    fc_result *base = must_predict(without);
    for (size_t c = 0; c < sizeof clocks / sizeof *clocks; ++c) {
        char clock[16];
        snprintf(clock, sizeof clock, "%g", clocks[c]);
        fc_scenario *with =
            must_read(MESH("link_delay: 2, flit_bytes: 16", "rate: 0.02, message_flits: 5"),
                      "network.clock_ghz", clock);
        assert_string_equal(fc_scenario_hash(with), fc_scenario_hash(without));
        fc_result *result = must_predict(with);
        assert_int_equal(result->metric_count, base->metric_count);
        for (size_t m = 0; m < result->metric_count; ++m) {
            const fc_metric *metric = &result->metrics[m];
            fc_physical physical;
            assert_true(metric->value == base->metrics[m].value);
            if (strcmp(metric->unit, "flits/cycle") == 0 ||
                !fc_physical_of(&result->units, metric->unit, &physical))
                continue;
            const bool time = strcmp(physical.unit, "ns") == 0;
            assert_same(metric->value * physical.factor,
                        time ? metric->value / clocks[c] : metric->value * 5 * 16 * clocks[c]);
        }
        must_read_back(with);
        fc_result_free(result);
        fc_scenario_free(with);
    }
    fc_result_free(base);
    fc_scenario_free(without);
}

static size_t column_of(const fc_table *table, const char *name) {
    size_t c = 0;
    while (c < table->columns && strcmp(table->column_names[c], name) != 0)
        ++c;
    return c;
}

static size_t check_tables(const fc_result *result, double clock) {
    size_t found = 0;
    for (size_t t = 0; t < result->table_count; ++t) {
        const fc_table *table = &result->tables[t];
        for (size_t c = 0; c < table->columns; ++c) {
            char name[2 * FC_NAME_SIZE];
            snprintf(name, sizeof name, "%s_ns", table->column_names[c]);
            const size_t ns = column_of(table, name);
            for (size_t r = 0; ns < table->columns && r < table->rows; ++r) {
                const double *row = &table->values[r * table->columns];
                if (!isnan(row[c]))
                    assert_same(row[ns], row[c] / clock);
                ++found;
            }
        }
    }
    return found;
}

/* Tables have a column in ns for each in cycles, whoever fills them; none without a clock. */
static void tables_have_nanoseconds(void **state) {
    (void)state;
    const fc_run_settings settings = {.keep = &(fc_keep){.histogram = true, .pairs = true}};
    fc_error error;
    for (int with = 0; with < 2; ++with) {
        fc_scenario *scenario =
            must_read(MESH("link_delay: 2", "rate: 0.02, message_flits: 5"),
                      with ? "network.clock_ghz" : "simulation.precision", with ? "2.5" : "0.05");
        fc_result *predicted = must_predict(scenario), *simulated;
        assert_int_equal(fc_result_add_pairs(predicted, scenario, &error), FC_OK);
        assert_int_equal(fc_simulate(scenario, &settings, &error, &simulated), FC_OK);
        const fc_table *pairs = fc_result_table(predicted, "pairs");
        assert_int_equal(column_of(pairs, "latency_ns") < pairs->columns, with);
        assert_int_equal(check_tables(predicted, 2.5) > 0, with);
        assert_int_equal(check_tables(simulated, 2.5) > 0, with);
        fc_result_free(predicted);
        fc_result_free(simulated);
        fc_scenario_free(scenario);
    }
}

/* ---- what a scenario may write ---- */

static void numbers_with_units_are_read(void **state) {
    (void)state;
    static const struct {
        const char *text;
        fc_quantity kind;
        double value;
    } cases[] = {
        {"5 ns", FC_TIME, 5},
        {"5ns", FC_TIME, 5},
        {"250 ps", FC_TIME, 0.25},
        {"1.5 us", FC_TIME, 1500},
        {"2 ms", FC_TIME, 2e6},
        {"1e-9 s", FC_TIME, 1},
        {"12 GB/s", FC_WIDTH, 12},
        {"400 Gb/s", FC_WIDTH, 50},
        {"400Gbps", FC_WIDTH, 50},
        {"1 TB/s", FC_WIDTH, 1000},
        {"1 GiB/s", FC_WIDTH, 1.073741824},
        {"64 B", FC_BYTES, 64},
        {"4 KiB", FC_BYTES, 4096},
        {"1 kB", FC_BYTES, 1000},
        {"1 MiB", FC_BYTES, 1048576},
    };
    static const char *const others[] = {"5",   "ns",    "5 n",   "5 nss",   "five ns",
                                         "",    "0x5s",  "-5 ns", "5 ns ",   "5 GB/",
                                         "5 b", "inf s", "nan",   "1e999 s", "5 Mns"};
    fc_measured measured;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        if (!fc_measured_parse(cases[i].text, &measured))
            fail_msg("'%s' is not read", cases[i].text);
        assert_int_equal(measured.kind, cases[i].kind);
        assert_same(measured.value, cases[i].value);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; ++i) {
        if (fc_measured_parse(others[i], &measured))
            fail_msg("'%s' is read", others[i]);
    }
}

/* The scenario with units is the one in cycles and flits. */
static void must_equal(const char *with_units, const char *in_cycles) {
    fc_scenario *one = must_read(with_units, NULL, NULL), *other = must_read(in_cycles, NULL, NULL);
    if (strcmp(fc_scenario_hash(one), fc_scenario_hash(other)) != 0) {
        char *text = fc_scenario_text(one);
        fail_msg("not the same:\n%s\nas:\n%s", text, in_cycles);
    }
    must_read_back(one);
    fc_scenario_free(one);
    fc_scenario_free(other);
}

static void units_become_cycles_and_flits(void **state) {
    (void)state;
    must_equal(MESH(UNITS ", link_delay: 5 ns", "rate: 0.01, message_flits: 5"),
               MESH("link_delay: 10", "rate: 0.01, message_flits: 5"));
    must_equal(MESH(UNITS ", router_delay: [0.5 ns, 1, 1, 1.5 ns]", "rate: 0.01"),
               MESH("router_delay: [1, 1, 1, 3]", "rate: 0.01"));
    must_equal(MESH(UNITS ", link_delay: 2.1 ns", "rate: 0.01"), /* a part takes a whole cycle */
               MESH("link_delay: 5", "rate: 0.01"));
    must_equal(MESH(UNITS, "rate: 12.8 GB/s, message_flits: 80 B"),
               MESH("link_delay: 1", "rate: 0.08, message_flits: 5"));
    must_equal(MESH(UNITS, "rate: 12.8 GB/s, message_flits: 65 B"),
               MESH("link_delay: 1", "rate: 0.08, message_flits: 5"));
    must_equal(MESH(UNITS, "rate: 51.2 Gb/s, message_mix: [{flits: 16 B, share: 0.5}, {flits: 4, "
                           "share: 0.5}]"),
               MESH("link_delay: 1", "rate: 0.08, message_mix: [{flits: 1, share: 0.5}, {flits: 4, "
                                     "share: 0.5}]"));
    /* a request brings 2 flits and its reply 6 */
    must_equal(
        MESH(UNITS, "rate: 12.8 GB/s, requests: [{share: 1, flits: 2, reply_flits: 6}]"),
        MESH("link_delay: 1", "rate: 0.05, requests: [{share: 1, flits: 2, reply_flits: 6}]"));
    must_equal(MESH(UNITS, "workload: [{all-to-all: {bytes: 4 KiB}}, {compute: 10 ns}]"),
               MESH("link_delay: 1", "workload: [{all-to-all: {bytes: 4096}}, {compute: 20}], "
                                     "flit_bytes: 16"));
    must_equal("network: {topology: ring-hierarchy, rings: [8, 4], " UNITS "}\n"
               "traffic: {rate: 0.32 GB/s}\n",
               "network: {topology: ring-hierarchy, rings: [8, 4]}\ntraffic: {rate: 0.01}\n");
    must_equal("network: {topology: multistage, ports: 64, service: 1 ns, " UNITS "}\n"
               "traffic: {rate: 3.2 GB/s}\n",
               "network: {topology: multistage, ports: 64, service: 2}\ntraffic: {rate: 0.1}\n");
    must_equal("network: {topology: fat-tree, arity: 2, levels: 3, buffer: 128 B, " UNITS "}\n"
               "traffic: {rate: 0.1, message_flits: 1}\n",
               "network: {topology: fat-tree, arity: 2, levels: 3, buffer: 8}\n"
               "traffic: {rate: 0.1, message_flits: 1}\n");
}

/* Another clock makes other cycles of the same nanoseconds, also after the file was read. */
static void a_changed_clock_converts_again(void **state) {
    (void)state;
    fc_scenario *base = must_read(MESH(UNITS ", link_delay: 5 ns", "rate: 12.8 GB/s"), NULL, NULL);
    static const fc_setting slower[] = {{"network.clock_ghz", "1"}};
    fc_scenario *other;
    fc_error error;
    double value;
    assert_int_equal(fc_scenario_with(base, slower, 1, &error, &other), FC_OK);
    assert_int_equal(fc_scenario_number(other, "network.link_delay", &error, &value), FC_OK);
    assert_same(value, 5);
    assert_int_equal(fc_scenario_number(base, "network.link_delay", &error, &value), FC_OK);
    assert_same(value, 10);
    assert_int_equal(fc_scenario_number(other, "traffic.rate", &error, &value), FC_OK);
    assert_same(value, 0.05);
    assert_int_equal(fc_scenario_number(base, "network.clock_ghz", &error, &value), FC_OK);
    assert_same(value, 2);
    fc_scenario_free(other);
    fc_scenario_free(base);
}

static void what_is_missing_or_wrong_is_named(void **state) {
    (void)state;
    must_refuse(plain, "network.link_delay", "5 ns", "needs network.clock_ghz");
    must_refuse(plain, "traffic.rate", "12 GB/s", "needs network.clock_ghz");
    must_refuse(MESH("clock_ghz: 2", "rate: 0.01"), "traffic.rate", "12 GB/s",
                "needs network.flit_bytes");
    must_refuse(plain, "traffic.message_flits", "64 B", "needs network.flit_bytes");
    must_refuse(MESH(UNITS, "rate: 0.01"), "network.link_delay", "5 GB/s", "a value such as 5 ns");
    must_refuse(MESH(UNITS, "rate: 0.01"), "traffic.rate", "5 ns", "a value such as 12 GB/s");
    must_refuse(MESH(UNITS, "rate: 0.01"), "network.link_delay", "5 parsec", "'5 parsec'");
    must_refuse(MESH(UNITS, "rate: 0.01"), "network.link_delay", "900 us", "expected a whole");
    must_refuse(MESH(UNITS, "rate: 0.01"), "network.virtual_channels", "4 ns", "'4 ns'");
    must_refuse(plain, "network.clock_ghz", "0", "a number above 0");
    must_refuse(plain, "network.flit_bytes", "x", "a number above 0");
    must_refuse(MESH(UNITS, "workload: {all-to-all: {bytes: 64}}"), "traffic.flit_bytes", "32",
                "one of them is enough");
    must_refuse(MESH("flit_bytes: 1.5", "workload: {all-to-all: {bytes: 64}}"), NULL, NULL,
                "whole bytes");
}

/* Whatever a key says its numbers measure is a quantity. */
static void measures_are_known(void **state) {
    (void)state;
    for (size_t f = 0; fc_families[f]; ++f) {
        for (const fc_key *key = fc_families[f]->keys; key->path; ++key) {
            for (const char *word = key->measures; word && *word; word += strspn(word, " ")) {
                const size_t end = strcspn(word, " ");
                const char *equals = memchr(word, '=', end);
                const char *name = equals ? equals + 1 : word;
                if (!fc_quantity_named(name, (size_t)(word + end - name)))
                    fail_msg("%s measures '%s'", key->path, word);
                word += end;
            }
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_unit_has_its_factor),
        cmocka_unit_test(every_time_is_known_in_nanoseconds),
        cmocka_unit_test(a_clock_converts_and_changes_nothing),
        cmocka_unit_test(tables_have_nanoseconds),
        cmocka_unit_test(numbers_with_units_are_read),
        cmocka_unit_test(units_become_cycles_and_flits),
        cmocka_unit_test(a_changed_clock_converts_again),
        cmocka_unit_test(what_is_missing_or_wrong_is_named),
        cmocka_unit_test(measures_are_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
