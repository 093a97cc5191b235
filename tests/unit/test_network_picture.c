/* Pictures of networks, and scenarios that may not read every file. */
#include "capture.h"
#include "xml_check.h"

#include <sys/stat.h>
#include <unistd.h>
#include "flitcast/flitcast.h"
#include "output/report/report.h"

static fc_scenario *scenario_of(const char *text) {
    fc_error error = {{0}};
    fc_scenario *scenario = NULL;
    if (fc_scenario_read_text(text, strlen(text), "t.yaml", NULL, 0, &error, &scenario) != FC_OK)
        fail_msg("%s", error.text);
    return scenario;
}

/* Draws the network, coloured by the bound of its links if there is one; free the text. */
static char *drawn(const char *text) {
    fc_scenario *scenario = scenario_of(text);
    fc_result *links = NULL;
    fc_error error = {{0}};
    capture output;
    if (fc_predict(scenario, "channel-load", NULL, &links) != FC_OK)
        links = NULL;
    capture_begin(&output);
    if (fc_scenario_draw(scenario, links, &error, output.stream) != FC_OK)
        fail_msg("%s", error.text);
    fc_result_free(links);
    fc_scenario_free(scenario);
    char *svg = capture_end(&output);
    assert_well_formed(svg);
    assert_null(strstr(svg, "nan"));
    return svg;
}

static size_t count_of(const char *text, const char *part) {
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, part)) != NULL; at += strlen(part))
        count++;
    return count;
}

static void expect(const char *text, const char *shape, size_t switches, size_t links) {
    char *svg = drawn(text);
    assert_int_equal(count_of(svg, shape), switches);
    assert_int_equal(count_of(svg, "<path stroke-width"), links);
    free(svg);
}

static void test_every_kind_of_network_is_drawn(void **state) {
    (void)state;
    static const char box[] = "<rect class=\"fc-switch\"", circle[] = "<circle class=\"fc-switch\"";
    expect("network: {topology: mesh, radix: [3, 4]}\ntraffic: {rate: 0.01}\n", box, 12, 34);
    expect("network: {topology: torus, radix: [3, 3, 3]}\ntraffic: {rate: 0.01}\n", box, 27, 162);
    expect("network: {topology: ring, radix: [6], router_delay: 2}\ntraffic: {rate: 0.01}\n", box,
           6, 12);
    expect("network: {topology: fat-tree, arity: 2, levels: 3}\ntraffic: {rate: 0.01}\n", box, 12,
           32);
    expect("network: {topology: multistage, ports: 8}\ntraffic: {rate: 0.1}\n", box, 12, 16);
    expect("network: {topology: ring-hierarchy, rings: [3, 4]}\ntraffic: {rate: 0.01}\n", circle,
           12, 16);
    expect("network: {topology: ring-hierarchy, rings: [3, 2, 4]}\ntraffic: {rate: 0.01}\n", circle,
           24, 36);
}

static void test_links_are_coloured_by_their_use(void **state) {
    (void)state;
    char *svg = drawn("network: {topology: mesh, radix: [4, 4], router_delay: 2}\n"
                      "traffic: {rate: 0.02, message_flits: 5}\n");
    assert_non_null(strstr(svg, "1 to 2: in use"));
    assert_non_null(strstr(svg, "links in use: 0"));
    assert_int_equal(count_of(svg, "fc-axis"), count_of(svg, ".fc-axis")); /* no link is plain */
    free(svg);
}

/* 264 routers in a circle would be a disc: 33 boxes, and a line each way between any two. */
static void test_a_large_dragonfly_is_drawn_as_groups(void **state) {
    (void)state;
    expect("network: {topology: dragonfly, hosts: 4, routers: 8, global_links: 4}\n"
           "traffic: {rate: 0.01, message_flits: 1}\n",
           "<rect class=\"fc-switch\"", 33, 33 * 32);
}

static void test_a_page_shows_a_run(void **state) {
    (void)state;
    fc_scenario *scenario = scenario_of("name: two phases\n"
                                        "network: {topology: mesh, radix: [3, 3]}\n"
                                        "traffic: {workload: [{all-to-all: {bytes: 64}}, "
                                        "{all-reduce: {algorithm: ring, bytes: 640}}]}\n");
    fc_result *result;
    fc_error error = {{0}};
    capture output;
    assert_int_equal(fc_simulate(scenario, NULL, &error, &result), FC_OK);
    const fc_write_settings page_settings = {.format = FC_FORMAT_HTML};
    capture_begin(&output);
    assert_int_equal(
        fc_result_write_part(result, scenario, "report", &page_settings, output.stream), FC_OK);
    char *page = capture_end(&output);
    assert_well_formed(strchr(page, '\n') + 1);
    assert_int_equal(count_of(page, "<svg"),
                     3); /* the network, its links and its ranks over time */
    assert_int_equal(count_of(page, "<rect class=\"fc-switch\""), 9);
    assert_non_null(strstr(page, "2 all-reduce")); /* of the table of phases */
    free(page);
    fc_result_free(result);
    fc_scenario_free(scenario);
}

static void test_large_networks_are_refused(void **state) {
    (void)state;
    fc_scenario *scenario =
        scenario_of("network: {topology: torus, radix: [64, 64]}\ntraffic: {rate: 0.001}\n");
    fc_error error = {{0}};
    capture output;
    capture_begin(&output);
    assert_int_equal(fc_scenario_draw(scenario, NULL, &error, output.stream), FC_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.text, "too large to draw"));
    free(capture_end(&output));
    fc_scenario_free(scenario);
}

static void test_a_large_hyperx_is_drawn_by_planes(void **state) {
    (void)state;
    fc_scenario *scenario = scenario_of("network: {topology: hyperx, shape: [8, 8, 8], "
                                        "concentration: 8}\ntraffic: {rate: 0.001}\n");
    fc_error error = {{0}};
    capture output;
    capture_begin(&output);
    assert_int_equal(fc_scenario_draw(scenario, NULL, &error, output.stream), FC_OK);
    char *picture = capture_end(&output);
    assert_int_equal(count_of(picture, "<rect class=\"fc-switch\""), 8);
    assert_non_null(strstr(picture, "a group of 64 routers"));
    free(picture);
    fc_scenario_free(scenario);
}

static fc_status read_confined(const char *origin, const char *file, fc_error *error) {
    char text[300];
    fc_scenario *scenario = NULL;
    snprintf(text, sizeof text, "network: {topology: graph, file: %s}\ntraffic: {rate: 0.01}\n",
             file);
    const fc_status status =
        fc_scenario_read_confined(text, strlen(text), origin, NULL, 0, error, &scenario);
    fc_scenario_free(scenario);
    return status;
}

static void write_graph(const char *path) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("router 0 node 0 router 1\nrouter 1 node 1\n", file);
    assert_int_equal(fclose(file), 0);
}

static void test_a_confined_scenario_reads_only_below_its_folder(void **state) {
    (void)state;
    char folder[] = "/tmp/flitcast-confined-XXXXXX", origin[200], inner[200], outer[200], link[200];
    assert_non_null(mkdtemp(folder));
    snprintf(inner, sizeof inner, "%s/inner", folder);
    assert_int_equal(mkdir(inner, 0700), 0);
    snprintf(origin, sizeof origin, "%s/inner/scenario.yaml", folder);
    snprintf(outer, sizeof outer, "%s/outer.graph", folder);
    snprintf(inner, sizeof inner, "%s/inner/own.graph", folder);
    snprintf(link, sizeof link, "%s/inner/link.graph", folder);
    write_graph(outer);
    write_graph(inner);
    assert_int_equal(symlink("../outer.graph", link), 0);
    fc_error error = {{0}};
    assert_int_equal(read_confined(origin, "own.graph", &error), FC_OK);
    static const char *const forbidden[] = {"../outer.graph", "/etc/passwd", "link.graph", "none"};
    for (size_t i = 0; i < sizeof forbidden / sizeof *forbidden; ++i) {
        assert_int_equal(read_confined(origin, forbidden[i], &error), FC_ERROR_INPUT);
        assert_non_null(strstr(error.text, "folder that may be read"));
    }
    assert_int_equal(unlink(link) | unlink(inner) | unlink(outer), 0);
    snprintf(inner, sizeof inner, "%s/inner", folder);
    assert_int_equal(rmdir(inner) | rmdir(folder), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_kind_of_network_is_drawn),
        cmocka_unit_test(test_a_large_dragonfly_is_drawn_as_groups),
        cmocka_unit_test(test_links_are_coloured_by_their_use),
        cmocka_unit_test(test_a_page_shows_a_run),
        cmocka_unit_test(test_large_networks_are_refused),
        cmocka_unit_test(test_a_large_hyperx_is_drawn_by_planes),
        cmocka_unit_test(test_a_confined_scenario_reads_only_below_its_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
