/* Reading scenarios of tori and meshes: defaults, the keys with readers of their own, and the
 * sentences for what does not fit together. */
#include "scenario_support.h"

#include <unistd.h>
#include "base/memory.h"
#include "scenario/formats/matrix_market.h"
#include "scenario/torus.h"

static const char open_text[] = "network: {topology: torus, radix: [4, 3]}\n"
                                "traffic: {rate: 0.01, message_flits: 8}\n";
static const char closed_text[] = "network: {topology: torus, radix: [4, 4]}\n"
                                  "traffic: {kind: closed, outstanding: 2, think_time: 50}\n";

static const fc_torus *torus_of(const fc_scenario *scenario) {
    return scenario->parameters;
}

static void defaults_depend_on_the_kind_of_traffic(void **state) {
    (void)state;
    fc_scenario *open = must_read(open_text, NULL, NULL);
    assert_string_equal(fc_scenario_family(open), "torus");
    assert_string_equal(fc_scenario_main_metric(open), "latency");
    assert_string_equal(fc_scenario_load_key(open), "traffic.rate");
    assert_int_equal(torus_of(open)->nodes, 12);
    assert_int_equal(torus_of(open)->virtual_channels, 2);
    assert_int_equal(torus_of(open)->channel_rule, FC_ESCAPE);
    assert_int_equal(torus_of(open)->injection_channels, 2);
    assert_int_equal(torus_of(open)->ejection_channels, 1);
    assert_int_equal(torus_of(open)->hot_node, -1);
    fc_scenario_free(open);

    fc_scenario *closed = must_read(closed_text, NULL, NULL);
    assert_string_equal(fc_scenario_main_metric(closed), "efficiency");
    assert_null(fc_scenario_load_key(closed));
    assert_int_equal(torus_of(closed)->channel_rule, FC_HIGH_LOW);
    assert_int_equal(torus_of(closed)->requests.count, 2);
    assert_int_equal(torus_of(closed)->requests.types[1].flits, 11);
    fc_scenario_free(closed);

    fc_scenario *mesh = must_read(open_text, "network.topology", "mesh");
    assert_int_equal(torus_of(mesh)->virtual_channels, 1);
    assert_int_equal(torus_of(mesh)->channel_rule, FC_FREE);
    fc_scenario_free(mesh);

    fc_scenario *scouting = must_read(open_text, "network.switching", "scouting");
    assert_int_equal(torus_of(scouting)->routing, FC_ADAPTIVE);
    assert_int_equal(torus_of(scouting)->ejection_channels, 2);
    fc_scenario_free(scouting);
}

static void destinations_are_read(void **state) {
    (void)state;
    fc_scenario *hot =
        must_read(open_text, "traffic.destinations", "{hot-spot: {share: 0.05, node: [2, 1]}}");
    assert_int_equal(torus_of(hot)->hot_node, 2 + 4 * 1);
    assert_close(torus_of(hot)->destinations.share, 0.05, 1e-15);
    fc_scenario_free(hot);
    fc_scenario *near = must_read(open_text, "traffic.destinations", "{near-neighbour: 0.6}");
    assert_int_equal(torus_of(near)->destinations.pattern, FC_NEAR_NEIGHBOUR);
    fc_scenario_free(near);
    fc_scenario *tornado = must_read(open_text, "traffic.destinations", "tornado");
    assert_int_equal(torus_of(tornado)->destinations.pattern, FC_TORNADO);
    fc_scenario_free(tornado);
    must_refuse(open_text, "traffic.destinations", "transpos", "did you mean 'transpose'");
    must_refuse(open_text, "traffic.destinations", "transpose", "needs equal radices");
    must_refuse(open_text, "traffic.destinations", "shuffle", "power of two");
    must_refuse(open_text, "traffic.destinations", "hot-spot", "needs a value");
    must_refuse(open_text, "traffic.destinations", "{hot-spot: {share: 0.05, node: [2, 3]}}",
                "digit 3 of dimension 1");
    must_refuse(open_text, "traffic.destinations", "{hot-spot: {share: 0.05, node: 12}}",
                "no node 12");
    must_refuse(open_text, "traffic.destinations", "{hot-spot: {node: 1}}", "needs share and node");
}

static void inconsistent_networks_are_refused_with_a_reason(void **state) {
    (void)state;
    must_refuse(open_text, "network.virtual_channels", "1", "can deadlock");
    must_refuse(open_text, "network.channel_rule", "free", "can deadlock");
    must_refuse(open_text, "network.direction", "decreasing", "links: unidirectional");
    must_refuse(open_text, "network.scouting_distance", "3", "switching: scouting");
    must_refuse(open_text, "traffic.outstanding", "3", "closed traffic");
    must_refuse(closed_text, "traffic.rate", "0.1", "applies only to traffic.kind: open");
    must_refuse(closed_text, "traffic.requests",
                "[{share: 0.5, flits: 3, reply_flits: 9, memory_reply: 4, memory_busy: 4}]",
                "add up to 0.5");
    must_refuse(closed_text, "traffic.requests", "[{share: 1, flits: 3}]",
                "'reply_flits' is missing");
    must_refuse("network: {topology: torus, radix: [4, 4]}\ntraffic: {kind: closed}\n", NULL, NULL,
                "'traffic.outstanding' is missing");
    must_refuse("network: {topology: torus, radix: [4, 4]}\n", NULL, NULL,
                "'traffic.rate' is missing");
    must_refuse("network: {topology: mesh, radix: [4], links: unidirectional}\n"
                "traffic: {rate: 0.1}\n",
                NULL, NULL, "cannot be reached");
    const char *dateline = "network: {topology: torus, radix: [4], channel_rule: dateline, "
                           "virtual_channels: 3}\ntraffic: {rate: 0.1}\n";
    must_refuse(dateline, NULL, NULL, "even number, not 3");
    fc_scenario *even = must_read(dateline, "network.virtual_channels", "4");
    fc_scenario_free(even);
    /* Rings of three cannot lock: no message holds one link while it waits for the next. */
    fc_scenario *small = must_read("network: {topology: torus, radix: [3, 3], channel_rule: free, "
                                   "virtual_channels: 1}\ntraffic: {rate: 0.1}\n",
                                   NULL, NULL);
    fc_scenario_free(small);
}

static void faults_are_read(void **state) {
    (void)state;
    const char *text = "network: {topology: torus, radix: [4, 3], switching: scouting, faults: "
                       "[[[1, 2], 0, -1], [3, 1, 1]]}\ntraffic: {rate: 0.01}\n";
    fc_scenario *scenario = must_read(text, NULL, NULL);
    const fc_faults *faults = &torus_of(scenario)->faults;
    assert_int_equal(faults->count, 2);
    assert_int_equal(faults->list[0].node, 9);
    assert_int_equal(faults->list[0].direction, -1);
    assert_int_equal(faults->list[1].node, 3);
    fc_scenario_free(scenario);
    must_refuse(text, "network.faults", "[[99, 0, 1]]", "no node 99");
    must_refuse(text, "network.faults", "[[1, 2, 1]]", "no dimension 2");
    must_refuse(text, "network.faults", "[[1, 0, 0]]", "1 (the digit grows)");
}

static void a_written_scenario_reads_back_the_same(void **state) {
    (void)state;
    const char *texts[] = {open_text, closed_text};
    for (size_t i = 0; i < 2; ++i) {
        fc_scenario *scenario =
            must_read(texts[i], "traffic.destinations", "{hot-spot: {share: 0.1, node: 3}}");
        must_read_back(scenario);
        fc_scenario_free(scenario);
    }
}

/* ---- traffic matrices ---- */

static fc_status parse(const char *text, fc_error *error, size_t *nodes, double **matrix) {
    char copy[512];
    snprintf(copy, sizeof copy, "%s", text);
    return fc_matrix_market_parse(copy, "m.mtx", error, nodes, matrix);
}

static void matrix_market_files_are_read(void **state) {
    (void)state;
    fc_error error;
    size_t nodes;
    double *matrix;
    assert_int_equal(parse("%%MatrixMarket matrix coordinate real general\n% a comment\n3 3 4\n"
                           "1 2 0.25\n1 3 0.75\n2 1 1\n3 2 1\n",
                           &error, &nodes, &matrix),
                     FC_OK);
    assert_int_equal(nodes, 3);
    assert_close(matrix[2], 0.75, 1e-15);
    fc_release(matrix);
    assert_int_equal(parse("%%MatrixMarket matrix array real general\n2 2\n0\n1\n1\n0\n", &error,
                           &nodes, &matrix),
                     FC_OK);
    assert_close(matrix[1], 1, 1e-15);
    fc_release(matrix);
}

static void bad_matrices_are_refused_with_their_line(void **state) {
    (void)state;
    static const struct {
        const char *text, *reason;
    } cases[] = {
        {"hello\n", "m.mtx:1: not a Matrix Market file"},
        {"%%MatrixMarket matrix coordinate complex general\n2 2 0\n", "real or integer"},
        {"%%MatrixMarket matrix coordinate real general\n2 3 0\n", "m.mtx:2: expected as many"},
        {"%%MatrixMarket matrix coordinate real general\n2 2 2\n1 2 1\n", "ends before"},
        {"%%MatrixMarket matrix coordinate real general\n2 2 2\n1 2 1\n2 1 0.9\n",
         "row 2 (node 1) adds up to 0.9"},
        {"%%MatrixMarket matrix coordinate real general\n2 2 2\n1 2 1\n3 1 1\n",
         "m.mtx:4: the row or column is outside"},
        {"%%MatrixMarket matrix coordinate real general\n2 2 2\n1 2 -1\n2 1 1\n", "negative"},
        {"%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n2 1 1\n", "diagonal"},
        {"%%MatrixMarket matrix coordinate real general\n2 2 2\n1 2 nan\n2 1 1\n",
         "m.mtx:3: expected row, column and value"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        fc_error error;
        size_t nodes;
        double *matrix;
        assert_int_equal(parse(cases[i].text, &error, &nodes, &matrix), FC_ERROR_INPUT);
        if (!strstr(error.text, cases[i].reason))
            fail_msg("\"%s\" does not say \"%s\"", error.text, cases[i].reason);
    }
}

static void a_matrix_lies_beside_its_scenario(void **state) {
    (void)state;
    char folder[] = "/tmp/flitcast-matrix-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/m.mtx", folder);
    FILE *stream = fopen(path, "w");
    fputs("%%MatrixMarket matrix coordinate real general\n3 3 3\n1 2 1\n2 3 1\n3 1 1\n", stream);
    fclose(stream);
    snprintf(path, sizeof path, "%s/s.yaml", folder);
    stream = fopen(path, "w");
    fputs("network: {topology: torus, radix: [3]}\n"
          "traffic: {rate: 0.01, destinations: {matrix: m.mtx}}\n",
          stream);
    fclose(stream);
    fc_error error;
    fc_scenario *scenario = NULL;
    if (fc_scenario_read_file(path, NULL, 0, &error, &scenario) != FC_OK)
        fail_msg("%s", error.text);
    assert_close(torus_of(scenario)->destinations.matrix[1], 1, 1e-15);
    fc_scenario_free(scenario);
    const fc_setting setting = {"network.radix", "[4]"};
    assert_int_equal(fc_scenario_read_file(path, &setting, 1, &error, &scenario), FC_ERROR_INPUT);
    assert_non_null(strstr(error.text, "is for 3 nodes; the network has 4"));
    unlink(path);
    snprintf(path, sizeof path, "%s/m.mtx", folder);
    unlink(path);
    rmdir(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_depend_on_the_kind_of_traffic),
        cmocka_unit_test(destinations_are_read),
        cmocka_unit_test(inconsistent_networks_are_refused_with_a_reason),
        cmocka_unit_test(faults_are_read),
        cmocka_unit_test(a_written_scenario_reads_back_the_same),
        cmocka_unit_test(matrix_market_files_are_read),
        cmocka_unit_test(bad_matrices_are_refused_with_their_line),
        cmocka_unit_test(a_matrix_lies_beside_its_scenario),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
