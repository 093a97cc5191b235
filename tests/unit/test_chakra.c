/* Chakra execution traces: what each kind of node does against hand computation, and what is
 * refused. The network is a crossbar: a message of m flits of 32 bytes takes m + 1 cycles. A
 * microsecond is 1000 cycles. */
#include "test_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "scenario_support.h"

enum { COMPUTE = 4, SEND, RECEIVE, COLLECTIVE };

/* ---- writing traces ---- */

typedef struct bytes {
    uint8_t at[4096];
    size_t length;
} bytes;

static void put(bytes *to, uint64_t value) {
    for (; value > 127; value >>= 7)
        to->at[to->length++] = (uint8_t)(value | 128);
    to->at[to->length++] = (uint8_t)value;
}

static void put_text(bytes *to, int field, const void *text, size_t length) {
    put(to, (uint64_t)field << 3 | 2);
    put(to, length);
    memcpy(to->at + to->length, text, length);
    to->length += length;
}

static void put_attribute(bytes *to, const char *name, uint64_t value, const char *text) {
    bytes attribute = {.length = 0};
    put_text(&attribute, 1, name, strlen(name));
    if (text) {
        put_text(&attribute, 29, text, strlen(text));
    } else {
        put(&attribute, 9 << 3);
        put(&attribute, value);
    }
    put_text(to, 10, attribute.at, attribute.length);
}

/* "ID KIND AFTER[,AFTER] NAME=VALUE ...": duration is a field, the others are attributes. */
static void add_node(bytes *to, const char *line) {
    bytes node = {.length = 0};
    char text[256], *rest;
    snprintf(text, sizeof text, "%s", line);
    const char *id = strtok_r(text, " ", &rest), *kind = strtok_r(NULL, " ", &rest);
    char *after = strtok_r(NULL, " ", &rest), *more;
    put(&node, 1 << 3);
    put(&node, strtoull(id, NULL, 10));
    put(&node, 3 << 3);
    put(&node, strtoull(kind, NULL, 10));
    for (char *one = strtok_r(after, ",", &more); one; one = strtok_r(NULL, ",", &more)) {
        if (strcmp(one, "-") != 0) {
            put(&node, 5 << 3);
            put(&node, strtoull(one, NULL, 10));
        }
    }
    for (char *pair; (pair = strtok_r(NULL, " ", &rest));) {
        char *value = strchr(pair, '=');
        *value++ = '\0';
        if (strcmp(pair, "duration") == 0) {
            put(&node, 7 << 3);
            put(&node, strtoull(value, NULL, 10));
        } else {
            put_attribute(&node, pair, strtoull(value, NULL, 10),
                          strcmp(pair, "pg_name") == 0 ? value : NULL);
        }
    }
    put(to, node.length);
    memcpy(to->at + to->length, node.at, node.length);
    to->length += node.length;
}

/* Nodes of a rank, line by line; "" between ranks, NULL at the end. Returns the ranks. */
static int write_traces(const char *const *lines) {
    int rank = 0;
    bytes file = {.length = 0};
    put(&file, 0); /* no metadata */
    for (;; ++lines) {
        if (*lines && **lines) {
            add_node(&file, *lines);
            continue;
        }
        char path[32];
        snprintf(path, sizeof path, "chakra_test.%d.et", rank++);
        FILE *stream = fopen(path, "wb");
        assert_non_null(stream);
        assert_int_equal(fwrite(file.at, 1, file.length, stream), file.length);
        fclose(stream);
        file.length = 0;
        put(&file, 0);
        if (!*lines)
            return rank;
    }
}

static void remove_traces(int ranks) {
    for (int rank = 0; rank < ranks; ++rank) {
        char path[32];
        snprintf(path, sizeof path, "chakra_test.%d.et", rank);
        unlink(path);
    }
}

/* ---- running them ---- */

static fc_status run(const char *traffic, bool simulated, fc_error *error, double *duration) {
    char text[1024];
    fc_scenario *scenario;
    fc_result *result;
    snprintf(text, sizeof text,
             "network: {topology: fly, arity: 8, levels: 1, virtual_channels: 4, buffer: 64}\n"
             "traffic: {%s}\n",
             traffic);
    fc_status status = fc_scenario_read_text(text, strlen(text), "t", NULL, 0, error, &scenario);
    if (status != FC_OK)
        return status;
    status = simulated ? fc_simulate(scenario, NULL, error, &result)
                       : fc_predict(scenario, NULL, error, &result);
    if (status == FC_OK) {
        *duration = fc_result_metric(result, "duration")->value;
        const fc_metric *bound = fc_result_metric(result, "duration_bound");
        assert_true(bound ? *duration >= bound->value : *duration == 0); /* nothing was sent */
        fc_result_free(result);
    }
    fc_scenario_free(scenario);
    return status;
}

static void expect(const char *const *lines, const char *traffic, double cycles) {
    const int ranks = write_traces(lines);
    for (int simulated = 0; simulated < 2; ++simulated) {
        fc_error error = {{0}};
        double duration = -1;
        if (run(traffic, simulated, &error, &duration) != FC_OK)
            fail_msg("%s: %s", traffic, error.text);
        if (duration != cycles)
            fail_msg("%s, %s: %g cycles, not %g", traffic, lines[0], duration, cycles);
    }
    remove_traces(ranks);
}

#define LINES(...) ((const char *const[]){__VA_ARGS__, NULL})
static const char plain[] = "workload: {chakra: chakra_test}";

static void nodes_take_their_time(void **state) {
    (void)state;
    /* computations of a rank follow each other, those of its processor beside them */
    expect(LINES("1 4 - duration=3", "2 4 - duration=5", "3 4 - duration=7 is_cpu_op=1"), plain,
           8000);
    expect(LINES("1 4 - duration=3", "2 4 1 duration=5", "3 4 2 duration=7 is_cpu_op=1"), plain,
           15000);
    /* a later node of the file may come first */
    expect(LINES("1 4 9 duration=3", "9 4 - duration=5 is_cpu_op=1"), plain, 8000);
    expect(LINES("1 4 - num_ops=1000 tensor_size=64", "2 2 1 tensor_size=4096"),
           "workload: {chakra: {prefix: chakra_test, operations_per_cycle: 10, "
           "memory_bytes_per_cycle: 4}}",
           100 + 1024);
    /* load and store with a duration; metadata takes no time */
    expect(LINES("1 2 - duration=1", "2 1 1 duration=50", "3 3 2 duration=2"), plain, 3000);
}

static void messages_go_where_they_should(void **state) {
    (void)state;
    /* there and back: 10 flits, then 20; the sender computes meanwhile */
    expect(LINES("1 5 - comm_dst=1 comm_size=320 comm_tag=4", "2 6 1 comm_src=1 comm_size=640",
                 "3 4 1 duration=0", "", "1 6 - comm_src=0 comm_size=320 comm_tag=4",
                 "2 5 1 comm_dst=0 comm_size=640"),
           plain, 11 + 21);
    /* the first with a tag gets the first with it */
    expect(LINES("1 4 - duration=1", "2 5 1 comm_dst=1 comm_size=32 comm_tag=1",
                 "3 5 - comm_dst=1 comm_size=32 comm_tag=2", "", "1 6 - comm_src=0 comm_tag=2",
                 "2 4 1 duration=1", "3 6 2 comm_src=0 comm_tag=1"),
           plain, 1002);
}

static void operations_are_as_computed_by_hand(void **state) {
    (void)state;
    const struct {
        int type, bytes;
        const char *forms;
        double cycles;
    } cases[] = {
        {0, 1024, "", 6 * 9}, /* 6 steps of 8 + 1 */
        {0, 1024, ", all-reduce: {algorithm: halving-doubling}", 2 * (17 + 9)}, /* halves */
        {0, 1024,
         ", all-reduce: {algorithm: hierarchical, inner_ranks: 2, outer: recursive-doubling}",
         17 + 17 + 17},
        {2, 256, "", 3 * 9},  /* each gives 8 flits */
        {7, 1024, "", 3 * 9}, /* of 32 flits */
        {8, 1024, "", 3 * 9},
        {6, 1024, ", all-to-all: {algorithm: pairwise}", 3 * 9}, /* 8 flits to each */
        {5, 1024, ", broadcast: {algorithm: ring}", 3 * 33},
        {9, 0, "", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        char line[128], traffic[256];
        snprintf(line, sizeof line, "1 7 - comm_type=%d comm_size=%d", cases[i].type,
                 cases[i].bytes);
        snprintf(traffic, sizeof traffic, "ranks: 4, workload: {chakra: {prefix: chakra_test%s}}",
                 cases[i].forms);
        expect(LINES(line, "", line, "", line, "", line), traffic, cases[i].cycles);
        /* one file for all ranks is the same */
        snprintf(traffic, sizeof traffic,
                 "workload: {chakra: {prefix: chakra_test, replicas: 4%s}}", cases[i].forms);
        expect(LINES(line), traffic, cases[i].cycles);
    }
}

static void process_groups_are_kept_apart(void **state) {
    (void)state;
    /* Two groups of two, each 2 x (16 + 1), then all four: 6 x (8 + 1). */
    const char *begin = "5 4 - duration=1";
    const char *a = "1 7 5 comm_type=0 comm_size=1024 pg_name=a";
    const char *b = "1 7 5 comm_type=0 comm_size=1024 pg_name=b";
    const char *all = "2 7 1 comm_type=0 comm_size=1024";
    expect(LINES(begin, a, all, "", begin, a, all, "", begin, b, all, "", begin, b, all), plain,
           1000 + 34 + 54);
    /* Groups by traffic.groups: one file, four ranks, pairs along either digit. */
    expect(LINES("1 7 - comm_type=0 comm_size=1024 pg_name=tensor",
                 "2 7 1 comm_type=0 comm_size=1024 pg_name=data"),
           "ranks: 4, groups: {tensor: 2, data: 2}, workload: {chakra: {prefix: chakra_test, "
           "replicas: 4}}",
           34 + 34);
    /* A barrier waits for the last. */
    const char *barrier = "1 7 - comm_type=9", *slow = "1 7 5 comm_type=9";
    expect(LINES(barrier, "2 5 1 comm_dst=1 comm_size=32", "", "5 4 - duration=2", slow,
                 "2 6 1 comm_src=0"),
           plain, 2002);
}

static void expect_refusal(const char *const *lines, const char *traffic, const char *sentence) {
    const int ranks = write_traces(lines);
    fc_error error = {{0}};
    double duration;
    if (run(traffic, true, &error, &duration) == FC_OK)
        fail_msg("not refused: %s", sentence);
    if (!strstr(error.text, sentence))
        fail_msg("expected '%s', got '%s'", sentence, error.text);
    remove_traces(ranks);
}

static void what_cannot_be_is_refused(void **state) {
    (void)state;
    const char *all = "1 7 - comm_type=0 comm_size=1024", *more = "1 7 - comm_type=0 comm_size=512";
    expect_refusal(LINES("1 4 2 duration=1", "2 4 1 duration=1"), plain,
                   "node 2 of rank 0 waits for node 1 of rank 0 waits for node 2 of rank 0");
    expect_refusal(LINES("1 4 7 duration=1"), plain, "depends on node 7, which is not in the file");
    expect_refusal(LINES("1 4 - duration=1", "1 4 - duration=1"), plain, "two nodes have the id 1");
    expect_refusal(LINES("1 5 - comm_dst=1 comm_size=4", "", "1 4 - duration=1"), plain,
                   "node 1 of rank 0 sends what no rank receives");
    expect_refusal(LINES("1 6 - comm_src=1", "", "1 4 - duration=1"), plain,
                   "node 1 of rank 0 receives what no rank sends");
    expect_refusal(LINES("1 5 - comm_dst=3 comm_size=4"), plain,
                   "sends to a rank that has no file");
    expect_refusal(LINES("1 5 - comm_size=4"), plain, "message 1: a send without comm_dst");
    expect_refusal(LINES("1 7 - comm_size=4"), plain, "without comm_type");
    expect_refusal(LINES("1 9 - duration=4"), plain, "its type is not one of 1 to 7");
    expect_refusal(LINES(all, "", more), plain, "differ in kind, bytes or root");
    expect_refusal(LINES(all, "2 7 - comm_type=0 comm_size=1024", "", all), plain,
                   "rank 1 has 1 collective operations of process group '' and others have more");
    expect_refusal(LINES("1 7 - comm_type=4 comm_size=8", "", "1 7 - comm_type=4 comm_size=8"),
                   plain, "is a collective operation other than");
    expect_refusal(LINES("1 4 - num_ops=5"), plain, "operations_per_cycle: N");
    expect_refusal(LINES("1 2 - tensor_size=5"), plain, "memory_bytes_per_cycle: N");
    expect_refusal(LINES(all), "workload: {chakra: {prefix: chakra_test, replicas: 9}}",
                   "the trace has 9 ranks (1 files, 9 times); there are 8");
    expect_refusal(LINES(all), "workload: {chakra: chakra_nowhere}", "chakra_nowhere.0.et");
    expect_refusal(LINES(all), "workload: {chakra: {replicas: 2}}", "'prefix' is missing");
    expect_refusal(LINES(all),
                   "workload: {chakra: {prefix: chakra_test, all-reduce: {algorithm: ring, bytes: "
                   "4}}}",
                   "unknown key 'bytes'");
}

static void a_file_that_is_cut_off_is_refused(void **state) {
    (void)state;
    write_traces(LINES("1 4 - duration=1000000"));
    for (long length = 0; length < 9; ++length) {
        fc_error error = {{0}};
        double duration;
        assert_int_equal(truncate("chakra_test.0.et", length), 0);
        if (length == 1) /* metadata alone: nothing to do */
            assert_int_equal(run(plain, true, &error, &duration), FC_OK);
        else
            assert_int_not_equal(run(plain, true, &error, &duration), FC_OK);
        assert_true(length == 1 || strstr(error.text, "chakra_test.0.et"));
        remove_traces(1);
        write_traces(LINES("1 4 - duration=1000000"));
    }
    remove_traces(1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_take_their_time),
        cmocka_unit_test(messages_go_where_they_should),
        cmocka_unit_test(operations_are_as_computed_by_hand),
        cmocka_unit_test(process_groups_are_kept_apart),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(a_file_that_is_cut_off_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
