/* The files beside a scenario: graphs of routers, traces, matrices in CSV. What they mean, and what
 * is said, with the line, of those that cannot be read. */
#include "scenario_support.h"

#include "base/memory.h"
#include "scenario/formats/graph_file.h"
#include "scenario/formats/matrix_csv.h"
#include "scenario/text_file.h"
#include "scenario/formats/trace_file.h"

typedef struct refused {
    const char *text, *reason;
} refused;

static char buffer[1024];
static char *copy_of(const char *text) {
    snprintf(buffer, sizeof buffer, "%s", text);
    return buffer;
}

/* ---- graphs ---- */

static uint32_t delay_of(const fc_graph *graph, uint32_t from, uint32_t to) {
    for (uint32_t i = 0; i < graph->links; ++i) {
        if (graph->link[i].from == from && graph->link[i].to == to)
            return graph->link[i].delay;
    }
    fail_msg("no link from %u to %u", from, to);
    return 0;
}

static void graphs_join_both_ways(void **state) {
    (void)state;
    fc_graph graph = {.links = 0};
    fc_error error;
    assert_int_equal(fc_graph_parse(copy_of("# a triangle\n"
                                            "router 0 node 0 node 1 router 1 3 router 2\r\n"
                                            "\n"
                                            "router 1 router 0 5 # the way back\n"
                                            "node 2 router 1\n"
                                            "router 2 node 3 router 1 7\n"),
                                    "g", &error, &graph),
                     FC_OK);
    assert_int_equal(graph.routers, 3);
    assert_int_equal(graph.nodes, 4);
    assert_int_equal(graph.links, 6);
    assert_int_equal(graph.router_of_port[1], 0);
    assert_int_equal(graph.router_of_port[2], 1);
    assert_int_equal(graph.router_of_port[3], 2);
    assert_int_equal(delay_of(&graph, 0, 1), 3);
    assert_int_equal(delay_of(&graph, 1, 0), 5);
    assert_int_equal(delay_of(&graph, 0, 2), 0);
    assert_int_equal(delay_of(&graph, 2, 1), 7);
    assert_int_equal(delay_of(&graph, 1, 2), 0);
    for (uint32_t i = 1; i < graph.links; ++i)
        assert_true(graph.link[i - 1].from <= graph.link[i].from);
    fc_graph_release(&graph);
}

/* Two links from 0 to 1, one with a delay; back, one of two has. */
static void a_link_named_twice_is_two(void **state) {
    (void)state;
    fc_graph graph = {.links = 0};
    fc_error error;
    assert_int_equal(fc_graph_parse(copy_of("router 0 node 0 router 1 2 router 1\n"
                                            "router 1 node 1 router 0 3\n"),
                                    "g", &error, &graph),
                     FC_OK);
    assert_int_equal(graph.links, 4);
    static const uint32_t ends[][3] = {{0, 1, 2}, {0, 1, 0}, {1, 0, 3}, {1, 0, 0}};
    for (uint32_t i = 0; i < 4; ++i) {
        assert_int_equal(graph.link[i].from, ends[i][0]);
        assert_int_equal(graph.link[i].to, ends[i][1]);
        assert_int_equal(graph.link[i].delay, ends[i][2]);
    }
    fc_graph_release(&graph);
}

/* Ports are those of node 0 first, each node's by its routers. A line of the router and one of the
 * node may name the same port. */
static void a_node_has_a_port_for_each_router(void **state) {
    (void)state;
    fc_graph graph = {.links = 0};
    fc_error error;
    assert_int_equal(fc_graph_parse(copy_of("router 0 node 1 node 0 node 0\n"
                                            "router 1 node 1\n"
                                            "node 1 router 1 router 2\n"),
                                    "g", &error, &graph),
                     FC_OK);
    assert_int_equal(graph.nodes, 2);
    assert_int_equal(graph.ports, 5);
    static const uint32_t routers[] = {0, 0, 0, 1, 2}, first[] = {0, 2, 5};
    assert_memory_equal(graph.router_of_port, routers, sizeof routers);
    assert_memory_equal(graph.first_port, first, sizeof first);
    fc_graph_release(&graph);
}

/* 16 GB/s at 2 GHz with flits of 16 bytes: half a flit per cycle. */
static void links_have_units_and_routers_places(void **state) {
    (void)state;
    fc_graph graph = {.links = 0};
    fc_error error;
    fc_units units = {0};
    assert_int_equal(
        fc_graph_parse(copy_of("router 0 at 0 -1.5 node 0 router 1 delay: 2.1 ns bandwidth: 128 "
                               "Gb/s node 1\n"
                               "router 1 at 2 3e1 router 0 5ns width 0.25\n"),
                       "g", &error, &graph),
        FC_OK);
    static const double place[] = {0, -1.5, 2, 30};
    assert_memory_equal(graph.place, place, sizeof place);
    assert_int_equal(fc_graph_convert(&graph, &units, &error), FC_ERROR_INPUT);
    must_say(error.text, ":1: the link from router 0 to router 1 has a delay with a unit, which "
                         "needs network.clock_ghz");
    units.clock_ghz = 2;
    assert_int_equal(fc_graph_convert(&graph, &units, &error), FC_ERROR_INPUT);
    must_say(error.text, "has a bandwidth with a unit, which needs network.flit_bytes");
    units.flit_bytes = 16;
    assert_int_equal(fc_graph_convert(&graph, &units, &error), FC_OK);
    const uint64_t converted = graph.converted;
    assert_int_equal(delay_of(&graph, 0, 1), 5);
    assert_int_equal(delay_of(&graph, 1, 0), 10);
    assert_true(graph.link[0].width == 0.5 && graph.link[1].width == 0.25);
    units.clock_ghz = 4; /* converted again, and another network */
    assert_int_equal(fc_graph_convert(&graph, &units, &error), FC_OK);
    assert_int_equal(delay_of(&graph, 0, 1), 9);
    assert_true(graph.link[0].width == 0.25 && graph.converted != converted);
    fc_graph_release(&graph);
}

static void bad_graphs_are_refused_with_their_line(void **state) {
    (void)state;
    static const refused cases[] = {
        {"", "no nodes"},
        {"router 0 node 0\n", "one node"},
        {"switch 0 node 0\n", "g:1: 'switch' is neither"},
        {"router 0 node 0 node 1 ruter 1\n", "did you mean 'router'"},
        {"router 0 node\n", "expected after 'node'"},
        {"router x node 0\n",
         "g:1: a number from 0 to 1048575 was expected after 'router', not 'x'"},
        {"router 1048576 node 0\n", "from 0 to 1048575"},
        {"node 0 node 1\n", "not to a node"},
        {"router 0 node 0 4 node 1\n", "network.node_delay"},
        {"router 0 node 0 router 1 0\nrouter 1 node 1\n", "g:1: '0' is no delay"},
        {"router 0 node 0 router 1 2.5\n", "'2.5' is no delay"},
        {"router 0 node 0 node 1 router 0\n", "joined to itself"},
        {"router 0 node 0 node 2 router 1\n", "node 1 is missing"},
        {"router 0 node 0 node 1 router 2\n", "router 1 is missing"},
        {"router 0 node 0\n\nrouter 1 node 1\n", "g:3: router 1 cannot be reached"},
        {"router 0 node 0 router 1 bandwith 4\nrouter 1 node 1\n", "did you mean 'bandwidth'"},
        {"router 0 node 0 router 1 bandwidth 4\nrouter 1 node 1\n", "g:1: '4' is no bandwidth"},
        {"router 0 node 0 router 1 4 GB/s\nrouter 1 node 1\n", "not a rate or a size"},
        {"router 0 node 0 router 1 4 delay 3\nrouter 1 node 1\n", "has a delay already"},
        {"router 0 node 0 router 1 x2 width 1\nrouter 1 node 1\n", "has a width already"},
        {"router 0 at 1 node 0\n", "two numbers were expected after 'at', not '1 node'"},
        {"node 0 at 1 1 router 0\n", "a router has a place, a node has none"},
        {"router 0 at 1 1\nrouter 0 at 1 2\n", "g:2: router 0 has a place already (line 1)"},
        {"router 0 at 1 1 node 0 node 1\nrouter 1 router 0\n", "g:2: router 1 has no place"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        fc_graph graph = {.links = 0};
        fc_error error;
        assert_int_equal(fc_graph_parse(copy_of(cases[i].text), "g", &error, &graph),
                         FC_ERROR_INPUT);
        must_say(error.text, cases[i].reason);
        assert_null(graph.link);
    }
}

/* ---- traces ---- */

static void traces_are_brought_in_order(void **state) {
    (void)state;
    fc_trace trace = {.count = 0};
    fc_error error;
    assert_int_equal(fc_trace_parse(copy_of("time,source,destination,flits,after\n"
                                            "# requests late first\n"
                                            "100,1,2,5\n"
                                            "7,2,1,9,0\n"
                                            "3, 0, 3, 1,\n"
                                            "100,4,5,6\n"
                                            "0,1,0,2,1\n"),
                                    "t", &error, &trace),
                     FC_OK);
    assert_int_equal(trace.count, 5);
    assert_int_equal(trace.independent, 3);
    static const fc_trace_message expected[] = {{3, 0, 3, 1, UINT32_MAX},
                                                {100, 1, 2, 5, UINT32_MAX},
                                                {100, 4, 5, 6, UINT32_MAX},
                                                {7, 2, 1, 9, 1},
                                                {0, 1, 0, 2, 3}};
    for (size_t i = 0; i < 5; ++i)
        assert_memory_equal(&trace.messages[i], &expected[i], sizeof expected[i]);
    assert_int_equal(trace.largest_node, 5);
    assert_int_equal(trace.largest_line, 6);
    assert_int_equal(trace.self_line, 0);
    fc_release(trace.messages);
}

static void bad_traces_are_refused_with_their_line(void **state) {
    (void)state;
    static const refused cases[] = {
        {"", "no message"},
        {"time,source,destination,flits\n", "no message"},
        {"1,2,3\n", "t:1: fewer than"},
        {"1,2,3,4,0,6\n", "more than"},
        {"0,1,2,3\n-1,1,2,3\n", "t:2: time is '-1'"},
        {"0,1,2,x\n", "flits is 'x'; expected a whole number from 0"},
        {"0,1048576,2,3\n", "source is '1048576'"},
        {"0,1,2,3\n0,1,2,3,1\n", "t:2: message 1 waits for itself"},
        {"0,1,2,3\n0,1,2,3,0;2\n", "t:2: this is message 1 and waits for message 2, which does"},
        {"0,1,2,3,1\n0,2,1,3,2\n0,2,1,3,0\n", "3 messages wait for each other in a circle: "},
        {"0,1,2,3\n0,1,2,3,0;;0\n", "after is ''"},
        {"{\"source\": 1, \"destination\": 2}\n", "t:1: \"flits\" is missing"},
        {"{\"source\": 1, \"destination\": 2, \"flits\": 1, \"size\": 3}\n", "unknown member"},
        {"{\"source\": 1, \"desti", "t:1: expected an object in one line"},
        {"0,1,2,3,x\n", "after is 'x'"},
        {"time,from,to,flits\n", "t:1: time is 'time'"},
        {"99999999999999999999,1,2,3\n", "time is"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        fc_trace trace = {.count = 0};
        fc_error error;
        assert_int_equal(fc_trace_parse(copy_of(cases[i].text), "t", &error, &trace),
                         FC_ERROR_INPUT);
        must_say(error.text, cases[i].reason);
        assert_null(trace.messages);
    }
}

/* ---- matrices ---- */

static void rates_become_shares_and_weights(void **state) {
    (void)state;
    fc_destinations d = {.pattern = FC_MATRIX, .file = "m"};
    fc_error error;
    assert_int_equal(fc_matrix_csv_parse(copy_of("src,dst,rate\n0,1,3\n0,2,1\n1,0,2\n0,1,2\n"), "m",
                                         &error, &d.flow_count, &d.flows),
                     FC_OK);
    assert_int_equal(d.flow_count, 4);
    assert_int_equal(fc_matrix_from_flows(&d, 4, &error), FC_OK);
    assert_null(d.flows);
    assert_close(d.matrix[1], 5.0 / 6, 1e-15);
    assert_close(d.matrix[2], 1.0 / 6, 1e-15);
    assert_close(d.matrix[4], 1, 1e-15);
    const double weights[] = {1.5, 0.5, 0, 0};
    for (size_t i = 0; i < 4; ++i)
        assert_close(d.weights[i], weights[i], 1e-15);
    fc_release(d.matrix);
    fc_release(d.weights);
}

static void nodes_that_send_alike_have_no_weights(void **state) {
    (void)state;
    fc_destinations d = {.pattern = FC_MATRIX, .file = "m"};
    fc_error error;
    assert_int_equal(
        fc_matrix_csv_parse(copy_of("0 1 0.1\n1 0 0.1\n"), "m", &error, &d.flow_count, &d.flows),
        FC_OK);
    assert_int_equal(fc_matrix_from_flows(&d, 2, &error), FC_OK);
    assert_null(d.weights);
    fc_release(d.matrix);
}

static void bad_matrices_are_refused_with_their_line(void **state) {
    (void)state;
    static const refused cases[] = {
        {"", "no traffic"},
        {"0,1\n", "m:1: expected the three columns"},
        {"0,1,1,1\n", "three columns"},
        {"a,b,c\n", "m:1: the source is 'a'"},
        {"src,dst,rate\n0,1,-1\n", "m:2: the rate is '-1'"},
        {"0,1,nan\n", "the rate is 'nan'"},
        {"0,4096,1\n", "the destination is '4096'"},
    };
    fc_error error;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        size_t count;
        fc_flow *flows;
        assert_int_equal(fc_matrix_csv_parse(copy_of(cases[i].text), "m", &error, &count, &flows),
                         FC_ERROR_INPUT);
        must_say(error.text, cases[i].reason);
    }
    static const refused later[] = {
        {"0,1,1\n3,1,1\n", "m:2: there is no node 3; the last one is 2"},
        {"0,1,1\n1,1,1\n", "m:2: node 1 would send to itself"},
        {"0,1,0\n", "all rates are 0"},
    };
    for (size_t i = 0; i < sizeof later / sizeof later[0]; ++i) {
        fc_destinations d = {.file = "m"};
        assert_int_equal(
            fc_matrix_csv_parse(copy_of(later[i].text), "m", &error, &d.flow_count, &d.flows),
            FC_OK);
        assert_int_equal(fc_matrix_from_flows(&d, 3, &error), FC_ERROR_INPUT);
        must_say(error.text, later[i].reason);
        fc_release(d.matrix);
        fc_release(d.weights);
    }
}

/* ---- whole files ---- */

static void files_are_text_of_a_limited_size(void **state) {
    (void)state;
    char path[] = "/tmp/flitcast-text-XXXXXX";
    const int handle = mkstemp(path);
    assert_true(handle >= 0);
    FILE *stream = fdopen(handle, "w");
    for (int i = 0; i < 70000; ++i)
        fputc('x', stream);
    fclose(stream);
    char *text;
    uint64_t first, second;
    fc_error error;
    assert_int_equal(fc_text_read(path, 70000, &error, &text, &first), FC_OK);
    assert_int_equal(strlen(text), 70000);
    fc_release(text);
    assert_int_equal(fc_text_read(path, 69999, &error, &text, NULL), FC_ERROR_FILE);
    must_say(error.text, "larger than");
    stream = fopen(path, "w");
    fwrite("a\0b", 1, 3, stream);
    fclose(stream);
    assert_int_equal(fc_text_read(path, 100, &error, &text, &second), FC_ERROR_INPUT);
    must_say(error.text, "not a text file");
    remove(path);
    assert_int_equal(fc_text_read(path, 100, &error, &text, NULL), FC_ERROR_FILE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(graphs_join_both_ways),
        cmocka_unit_test(a_link_named_twice_is_two),
        cmocka_unit_test(a_node_has_a_port_for_each_router),
        cmocka_unit_test(links_have_units_and_routers_places),
        cmocka_unit_test(bad_graphs_are_refused_with_their_line),
        cmocka_unit_test(traces_are_brought_in_order),
        cmocka_unit_test(bad_traces_are_refused_with_their_line),
        cmocka_unit_test(rates_become_shares_and_weights),
        cmocka_unit_test(nodes_that_send_alike_have_no_weights),
        cmocka_unit_test(bad_matrices_are_refused_with_their_line),
        cmocka_unit_test(files_are_text_of_a_limited_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
