/* The scenario reader: what it accepts, and the exact sentence for everything it refuses. */
#include <stdlib.h>
#include <string.h>
#include "flitcast/flitcast.h"
#include "scenario/rings.h"
#include "scenario/scenario.h"
#include "scenario/scenario_keys.h"
#include "scenario_support.h"

static const char good[] = "name: rings\n"
                           "network:\n"
                           "  topology: ring-hierarchy\n"
                           "  rings: [16, 32]\n"
                           "traffic:\n"
                           "  rate: 0.004\n"
                           "  locality: [0.2]\n";

static fc_status read(const char *text, const fc_setting *settings, size_t count, fc_error *error,
                      fc_scenario **scenario) {
    return fc_scenario_read_text(text, strlen(text), "t.yaml", settings, count, error, scenario);
}

static void expect_error(const char *text, const char *expected) {
    fc_error error = {{0}};
    fc_scenario *scenario = NULL;
    assert_int_equal(read(text, NULL, 0, &error, &scenario), FC_ERROR_INPUT);
    assert_null(scenario);
    assert_string_equal(error.text, expected);
}

static void expect_start(const char *text, const char *expected) {
    fc_error error = {{0}};
    fc_scenario *scenario = NULL;
    assert_int_equal(read(text, NULL, 0, &error, &scenario), FC_ERROR_INPUT);
    error.text[strlen(expected)] = '\0';
    assert_string_equal(error.text, expected);
}

static void expect_setting_error(const char *key, const char *value, const char *expected) {
    fc_error error = {{0}};
    fc_scenario *scenario = NULL;
    const fc_setting setting = {key, value};
    assert_int_equal(read(good, &setting, 1, &error, &scenario), FC_ERROR_INPUT);
    assert_string_equal(error.text, expected);
}

static void test_reads_rings(void **state) {
    (void)state;
    fc_error error;
    fc_scenario *scenario;
    assert_int_equal(read(good, NULL, 0, &error, &scenario), FC_OK);
    const fc_rings *rings = scenario->parameters;
    assert_int_equal(rings->levels, 2);
    assert_close(rings->stations, 512, 0);
    assert_close(rings->shares[rings->levels - 1], 0.8, 1e-15);
    assert_string_equal(fc_scenario_name(scenario), "rings");
    assert_string_equal(fc_scenario_main_metric(scenario), "latency");
    assert_string_equal(fc_scenario_load_key(scenario), "traffic.rate");
    assert_int_equal(strlen(fc_scenario_hash(scenario)), 16);
    double value;
    assert_int_equal(fc_scenario_number(scenario, "network.rings.1", &error, &value), FC_OK);
    assert_close(value, 32, 0);
    assert_int_equal(fc_scenario_number(scenario, "traffic.kind", &error, &value), FC_ERROR_INPUT);
    static const char *const none[] = {"network.rings.2", "network.rings.1x", "traffic.rate.0"};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; ++i)
        assert_int_equal(fc_scenario_number(scenario, none[i], &error, &value), FC_ERROR_INPUT);
    fc_scenario_free(scenario);
}

static void test_uniform_shares(void **state) {
    (void)state;
    fc_error error;
    fc_scenario *scenario;
    const char *text = "network: {topology: ring-hierarchy, rings: [5, 4, 3]}\n"
                       "traffic: {rate: 0.01}\n";
    assert_int_equal(read(text, NULL, 0, &error, &scenario), FC_OK);
    const fc_rings *rings = scenario->parameters;
    assert_close(rings->shares[0], 4. / 59, 1e-15);
    assert_close(rings->shares[1], 15. / 59, 1e-15);
    assert_close(rings->shares[rings->levels - 1], 40. / 59, 1e-15);
    assert_string_equal(fc_scenario_name(scenario), "t.yaml");
    fc_scenario_free(scenario);
}

static void test_settings_and_hash(void **state) {
    (void)state;
    fc_error error;
    fc_scenario *base, *same, *seeded, *other;
    const fc_setting explicit_default = {"simulation.precision", "0.01"};
    const fc_setting seed = {"simulation.seed", "7"};
    const fc_setting ring = {"network.rings.1", "16"};
    assert_int_equal(read(good, NULL, 0, &error, &base), FC_OK);
    assert_int_equal(fc_scenario_with(base, &explicit_default, 1, &error, &same), FC_OK);
    assert_int_equal(fc_scenario_with(base, &seed, 1, &error, &seeded), FC_OK);
    assert_int_equal(fc_scenario_with(base, &ring, 1, &error, &other), FC_OK);
    assert_string_equal(fc_scenario_hash(base), fc_scenario_hash(same));
    assert_string_equal(fc_scenario_hash(base), fc_scenario_hash(seeded));
    assert_string_not_equal(fc_scenario_hash(base), fc_scenario_hash(other));
    assert_int_equal(seeded->simulation.seed, 7);
    assert_close(((const fc_rings *)other->parameters)->sizes.values[1], 16, 0);
    fc_scenario_free(base);
    fc_scenario_free(same);
    fc_scenario_free(seeded);
    fc_scenario_free(other);
}

static void test_write_reads_back(void **state) {
    (void)state;
    fc_error error;
    fc_scenario *scenario, *again;
    assert_int_equal(read(good, NULL, 0, &error, &scenario), FC_OK);
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    assert_int_equal(fc_scenario_write(scenario, stream), FC_OK);
    fclose(stream);
    assert_non_null(strstr(text, "  rate: 0.004\n"));
    assert_int_equal(read(text, NULL, 0, &error, &again), FC_OK);
    assert_string_equal(fc_scenario_hash(scenario), fc_scenario_hash(again));
    free(text);
    fc_scenario_free(scenario);
    fc_scenario_free(again);
}

static void test_names_are_one_line(void **state) {
    (void)state;
    static const char rest[] =
        "network: {topology: ring-hierarchy, rings: [4, 4]}\ntraffic: {rate: 0.001}\n";
    static const char *const names[][2] = {{"|\n  two\n  lines\n", "two lines"},
                                           {"\"bell \\x07, \\e[1mbold\"\n", "bell  ,  [1mbold"},
                                           {"'a \"quoted\" \\name'\n", "a \"quoted\" \\name"}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        char text[256];
        fc_error error;
        fc_scenario *scenario, *again;
        snprintf(text, sizeof text, "name: %s%s", names[i][0], rest);
        assert_int_equal(read(text, NULL, 0, &error, &scenario), FC_OK);
        assert_string_equal(fc_scenario_name(scenario), names[i][1]);
        char *written = fc_scenario_text(scenario);
        assert_int_equal(read(written, NULL, 0, &error, &again), FC_OK);
        assert_string_equal(fc_scenario_name(again), names[i][1]);
        free(written);
        fc_scenario_free(scenario);
        fc_scenario_free(again);
    }
}

#define RINGS "network:\n  topology: ring-hierarchy\n"

static void test_unequal_rings(void **state) {
    (void)state;
    const char *text = "network: {topology: ring-hierarchy, ring_tree: [[4, 6], [3, 3, 5]], "
                       "ring_slots: [1, 2, 2], queue: 3}\ntraffic: {rate: 0.001}\n";
    fc_scenario *scenario = must_read(text, NULL, NULL);
    const fc_rings *rings = scenario->parameters;
    assert_int_equal(rings->levels, 3);
    assert_close(rings->stations, 21, 0);
    assert_int_equal(fc_ring_count(rings, 1), 2);
    assert_int_equal(fc_ring_fan(rings, 0, 4), 5);
    /* pairs within local rings, within middle rings, and all */
    const double local = 12 + 30 + 6 + 6 + 20, middle = 90 + 110;
    assert_close(rings->shares[0], local / 420, 1e-14);
    assert_close(rings->shares[1], (middle - local) / 420, 1e-14);
    assert_close(rings->shares[2], (420 - middle) / 420, 1e-14);
    must_read_back(scenario);
    fc_scenario_free(scenario);
}

static void test_sentences(void **state) {
    (void)state;
    expect_error("", "t.yaml: the text is empty; expected a scenario with 'network' and 'traffic'");
    expect_error("- 1\n",
                 "t.yaml:1:1: a scenario was expected: keys such as 'network:' and 'traffic:'");
    expect_error(RINGS "  ring: [4, 4]\ntraffic: {rate: 0.1}\n",
                 "t.yaml:3:3: unknown key 'network.ring'; did you mean 'network.rings'?");
    expect_start("network:\n  topology: ring-hierachy\n",
                 "t.yaml:2:13: network.topology is 'ring-hierachy'; did you mean 'ring-hierarchy'? "
                 "Expected one of: ");
    expect_error(RINGS "  rings: [4, 4]\ntraffic:\n  rate: -0.1\n",
                 "t.yaml:5:9: traffic.rate is '-0.1'; expected a number above 0 and at most 1");
    expect_error(RINGS "  rings: [4, 4]\ntraffic:\n  rate: fast\n",
                 "t.yaml:5:9: traffic.rate is 'fast'; expected a number above 0 and at most 1");
    expect_error(RINGS "  rings: [4, 4]\ntraffic:\n  rate: nan\n",
                 "t.yaml:5:9: traffic.rate is 'nan'; expected a number above 0 and at most 1");
    expect_error(RINGS "  rings: [4, 4]\n",
                 "t.yaml: 'traffic.rate' is missing; open traffic needs it");
    expect_error(RINGS "  rings: 4\ntraffic: {rate: 0.1}\n",
                 "t.yaml:3:10: network.rings is '4'; expected a list in brackets, such as [8, 8]");
    expect_error(RINGS "traffic: {rate: 0.1}\n",
                 "t.yaml: 'network.rings' is missing; expected a list, each a number from 1 to "
                 "1000000");
    expect_error(RINGS "  rings: [2, 2, 2, 2, 2, 2, 2, 2, 2]\ntraffic: {rate: 0.1}\n",
                 "t.yaml:3:10: network.rings has 9 entries; expected at most 8 levels");
    expect_error(RINGS "  rings: [4]\ntraffic: {rate: 0.1, locality: [0.5]}\n",
                 "t.yaml:4:32: traffic.locality has 1 entries; a network of 1 level takes none");
    expect_error(RINGS "  rings: [4, 4]\n  ring_slots: [2]\ntraffic: {rate: 0.1}\n",
                 "t.yaml:4:15: network.ring_slots has 1 entries; a network of 2 levels takes one "
                 "for each");
    expect_error(RINGS "  rings: [4, 4]\n"
                       "traffic: {rate: 0.1, destinations: {hot-spot: {share: 0.1, node: 16}}}\n",
                 "t.yaml:4:36: the hot station 16 lies outside the network; expected 0 to 15");
    expect_error(RINGS "  ring_tree: [4, 4]\ntraffic: {rate: 0.1, locality: [0.1, 0.2]}\n",
                 "t.yaml:4:32: traffic.locality has 2 entries; a network of 2 levels takes one: "
                 "[P]");
    expect_error(RINGS "  ring_tree: [4, 1]\ntraffic: {rate: 0.1, locality: [0.1]}\n",
                 "t.yaml:4:32: traffic.locality sends 0.1 of the packets to its own local ring, "
                 "where network.ring_tree leaves no other station");
    static const char *const trees[] = {"4", "[4, [4]]", "[[4], 4]", "[]", "[[]]", "{a: 1}"};
    for (size_t i = 0; i < sizeof trees / sizeof *trees; ++i) {
        char text[128];
        snprintf(text, sizeof text, RINGS "  ring_tree: %s\ntraffic: {rate: 0.1}\n", trees[i]);
        expect_start(text, "t.yaml:3:");
    }
    expect_error(RINGS "  rings: [4.5, 4]\ntraffic: {rate: 0.1}\n",
                 "t.yaml:3:10: network.rings: 4.5 is not a whole number; only the last ring (G) "
                 "may be fractional, for models");
    expect_error(RINGS "  rings: [4, 4]\n  rings: [5, 5]\ntraffic: {rate: 0.1}\n",
                 "t.yaml:4:3: duplicate key 'rings' (first at line 3)");
    expect_error(RINGS "  rings: [4, 4]\ntraffic: {rate: 0.1, locality: [0.3, 0.8]}\n",
                 "t.yaml:4:32: traffic.locality has 2 entries; a network of 2 levels takes one: "
                 "[P]");
    expect_error(RINGS "  rings: [4, 4, 4]\ntraffic: {rate: 0.1, locality: [0.3, 0.8]}\n",
                 "t.yaml:4:32: traffic.locality adds up to 1.1; at most 1 is possible");
    expect_error(RINGS "  rings: [1, 4]\ntraffic: {rate: 0.1, locality: [0.3]}\n",
                 "t.yaml:4:32: traffic.locality sends 0.3 of the packets to its own local ring, "
                 "where network.rings leaves no other station");
    expect_error(RINGS "  rings: [4, 4]\ntraffic: {rate: 0.1, locality: [0.3], "
                       "destinations: uniform}\n",
                 "t.yaml:4:53: traffic.destinations and traffic.locality exclude each other");
    expect_error("netwrk:\n  topology: torus\n",
                 "t.yaml:1:1: unknown key 'netwrk'; did you mean 'network'?");
    expect_start("network: ring-hierarchy\ntraffic: {rate: 0.1}\n",
                 "t.yaml:1:10: 'network.topology' is missing; expected one of: ");
    expect_error("a: [1, 2\nb: 3\n",
                 "t.yaml:2:2: this is not YAML: while parsing a flow sequence, did not find "
                 "expected ',' or ']'");
    expect_error("a: &x 1\nb: *x\n", "t.yaml:2:4: aliases (*name) are not supported");
    expect_error("a: \x01\n",
                 "t.yaml:1:1: this is not text in UTF-8 (control characters are not allowed)");
}

static void test_setting_sentences(void **state) {
    (void)state;
    expect_setting_error("traffic.rate", "-1",
                         "traffic.rate: traffic.rate is '-1'; expected a number above 0 and "
                         "at most 1");
    expect_setting_error("traffic.rat", "0.1",
                         "traffic.rat: unknown key 'traffic.rat'; did you mean "
                         "'traffic.rate'?");
    expect_setting_error("network.rings.7", "4",
                         "network.rings.7: there is no '7' in 'network.rings'");
    expect_setting_error("traffic..rate", "1",
                         "traffic..rate: a key was expected, such as traffic.rate");
    expect_setting_error("traffic.rate", "", "traffic.rate: a value was expected");
    expect_setting_error("traffic.rate", "[1",
                         "traffic.rate: this is not YAML: while parsing a flow sequence, did "
                         "not find expected ',' or ']'");
    /* one that says where it came from is called so */
    fc_error error = {{0}};
    fc_scenario *scenario = NULL;
    const fc_setting seed = {"simulation.seed", "-1", "--seed"};
    assert_int_equal(read(good, &seed, 1, &error, &scenario), FC_ERROR_INPUT);
    assert_memory_equal(error.text, "--seed: simulation.seed is '-1'; expected ", 42);
}

static void test_nearest(void **state) {
    (void)state;
    static const char *const names[] = {"torus", "mesh", NULL};
    char longer[200];
    memset(longer, 'x', sizeof longer);
    longer[sizeof longer - 1] = '\0';
    assert_string_equal(fc_nearest("tours", names), "torus");
    assert_string_equal(fc_nearest("MESH", names), "mesh");
    assert_null(fc_nearest("ring", names));
    assert_null(fc_nearest(longer, names));
}

static void test_files(void **state) {
    (void)state;
    fc_error error;
    fc_scenario *scenario;
    assert_int_equal(fc_scenario_read_file("/nonexistent.yaml", NULL, 0, &error, &scenario),
                     FC_ERROR_FILE);
    assert_string_equal(error.text, "/nonexistent.yaml: cannot be read: No such file or directory");
    assert_int_equal(fc_scenario_read_file("/tmp", NULL, 0, &error, &scenario), FC_ERROR_FILE);
    assert_string_equal(error.text, "/tmp: cannot be read: it is a folder, not a file");
}

static void test_key_list(void **state) {
    (void)state;
    bool found = false;
    for (size_t i = 0; i < fc_key_count(); ++i) {
        const fc_key_info info = fc_key_at(i);
        assert_non_null(info.path);
        assert_non_null(info.help);
        assert_true(info.expected[0] != '\0');
        found |= strcmp(info.path, "network.rings") == 0;
    }
    assert_true(found);
}

/* Conditions name keys of the same family and values that these have; a key that may not apply is
 * not written unless it is given. */
static void test_conditions_of_keys(void **state) {
    (void)state;
    size_t conditions = 0;
    for (size_t f = 0; fc_families[f]; ++f) {
        const fc_family *family = fc_families[f];
        for (const fc_key *key = family->keys; key->path; ++key) {
            for (size_t i = 0; i < FC_CONDITIONS_MOST && key->only_if[i].key; ++i, ++conditions) {
                const fc_key *other = fc_key_find(family->keys, key->only_if[i].key);
                assert_non_null(other);
                assert_string_equal(key->fallback, "");
                for (const char *const *value = key->only_if[i].values; *value; ++value) {
                    const char *const *choice = other->choices;
                    while (*choice && strcmp(*choice, *value) != 0)
                        ++choice;
                    if (!*choice)
                        fail_msg("%s: %s is never %s", key->path, other->path, *value);
                }
            }
            for (size_t i = 0; i < FC_EXCLUDED_MOST && key->not_with[i]; ++i)
                assert_non_null(fc_key_find(family->keys, key->not_with[i]));
        }
    }
    assert_true(conditions > 10);
}

static bool applies(const char *text, const char *path) {
    fc_error error;
    fc_scenario *scenario;
    if (fc_scenario_read_text(text, strlen(text), "t", NULL, 0, &error, &scenario) != FC_OK)
        fail_msg("%s", error.text);
    const bool does = fc_scenario_key_applies(scenario, path);
    must_read_back(scenario); /* keys that do not apply are not written */
    fc_scenario_free(scenario);
    return does;
}

static void test_which_keys_apply(void **state) {
    (void)state;
    static const char torus[] = "network: {topology: torus, radix: [4, 4]}\ntraffic: {rate: 0.01}";
    static const char cube[] =
        "network: {topology: hypercube, dimensions: 4, switching: scouting}\ntraffic: {rate: 0.01}";
    static const char tree[] = "network: {topology: fat-tree, arity: 2, levels: 2}\n"
                               "traffic: {workload: {all-to-all: {bytes: 64}}}";
    assert_true(applies(torus, "network.radix"));
    assert_false(applies(torus, "network.dimensions"));
    assert_false(applies(torus, "traffic.think_time"));
    assert_false(applies(torus, "traffic.ranks"));
    assert_true(applies(torus, "simulation.seed"));
    assert_false(applies(torus, "network.q"));
    assert_true(applies(cube, "network.faults"));
    assert_false(applies(cube, "network.radix"));
    assert_true(applies(tree, "traffic.ranks"));
    assert_false(applies(tree, "traffic.rate"));
    assert_false(applies(tree, "network.hosts"));
    assert_true(applies(tree, "network.buffer"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reads_rings),      cmocka_unit_test(test_uniform_shares),
        cmocka_unit_test(test_unequal_rings),    cmocka_unit_test(test_settings_and_hash),
        cmocka_unit_test(test_write_reads_back), cmocka_unit_test(test_names_are_one_line),
        cmocka_unit_test(test_sentences),        cmocka_unit_test(test_setting_sentences),
        cmocka_unit_test(test_nearest),          cmocka_unit_test(test_files),
        cmocka_unit_test(test_key_list),         cmocka_unit_test(test_conditions_of_keys),
        cmocka_unit_test(test_which_keys_apply),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
