/* traffic.classes: what is read, what follows from other keys, and what is refused. */
#include "scenario_support.h"

#include "scenario/routed.h"

static const char text[] =
    "network: {topology: mesh, radix: [4, 4], buffer: 4}\n"
    "traffic:\n  message_flits: 3\n  destinations: transpose\n  classes:\n"
    "    - {name: request, rate: 0.01, flits: 1, channels: [0, 1], reply: forward, memory_reply: "
    "5, memory_busy: 2}\n"
    "    - {name: forward, destinations: uniform, channels: 2, reply: answer}\n"
    "    - {name: answer, channels: [3, 3], priority: 4, message_mix: [{flits: 1, share: 0.5}, "
    "{flits: 5, share: 0.5}]}\n"
    "    - {name: other, rate: 0.03, channels: [0, 1], priority: 2}\n";

static void classes_are_completed(void **state) {
    (void)state;
    fc_scenario *scenario = must_read(text, NULL, NULL);
    const fc_routed *routed = fc_scenario_routed(scenario);
    const fc_classes classes = fc_classes_of(routed);
    assert_int_equal(classes.count, 4);
    assert_int_equal(routed->virtual_channels, 4);
    assert_close(routed->rate, 0.04, 1e-12);
    assert_close(classes.list[0].share, 0.25, 1e-12);
    assert_close(classes.list[3].share, 0.75, 1e-12);
    assert_int_equal(classes.list[1].lengths.flits[0], 3);
    assert_int_equal(classes.list[2].lengths.count, 2);
    assert_int_equal(classes.list[0].destinations->pattern, FC_TRANSPOSE);
    assert_int_equal(classes.list[1].destinations->pattern, FC_UNIFORM);
    assert_null(classes.list[2].destinations);
    assert_int_equal(classes.list[0].reply, 1);
    assert_int_equal(classes.list[2].reply, FC_NONE);
    const uint32_t ranks[] = {2, 2, 0, 1};
    for (size_t i = 0; i < 4; ++i)
        assert_int_equal(classes.list[i].rank, ranks[i]);
    assert_true(classes.ranked && classes.answers);
    const fc_channel_sets sets = fc_channel_sets_of(routed);
    assert_int_equal(sets.count, 3);
    assert_int_equal(fc_channel_set(&sets, 8), 2);
    must_read_back(scenario);
    fc_scenario_free(scenario);
}

static void rates_follow_the_load(void **state) {
    (void)state;
    fc_scenario *scenario = must_read(text, "traffic.rate", "0.02"), *there;
    assert_close(fc_classes_of(fc_scenario_routed(scenario)).list[3].share, 0.75, 1e-12);
    fc_error error;
    assert_int_equal(fc_scenario_at_load(scenario, 0.01, &error, &there), FC_OK);
    assert_close(fc_scenario_routed(there)->rate, 0.01, 1e-12);
    fc_scenario_at_load_free(there);
    fc_scenario_free(scenario);
}

static void what_is_without_classes(void **state) {
    (void)state;
    fc_scenario *scenario =
        must_read("network: {topology: mesh, radix: [4, 4], buffer: 4}\n"
                  "traffic: {rate: 0.01, requests: [{share: 1, flits: 1, reply_flits: 5}]}\n",
                  NULL, NULL);
    const fc_classes two = fc_classes_of(fc_scenario_routed(scenario));
    assert_int_equal(two.count, 2);
    assert_int_equal(two.list[1].lengths.flits[0], 5);
    assert_int_equal(two.list[1].first, 1);
    fc_scenario_free(scenario);
    scenario = must_read("network: {topology: mesh, radix: [4, 4], buffer: 4, router_delay: 1}\n"
                         "traffic: {rate: 0.01, message_flits: 7}\n",
                         NULL, NULL);
    const fc_classes one = fc_classes_of(fc_scenario_routed(scenario));
    assert_int_equal(one.count, 1);
    assert_int_equal(one.list[0].lengths.flits[0], 7);
    fc_scenario_free(scenario);
}

static void what_is_refused(void **state) {
    (void)state;
    must_refuse(text, "traffic.classes.2.reply", "request", "answers never end: request");
    must_refuse(text, "traffic.classes.2.channels", "[2, 3]", "share some of their channels");
    must_refuse(text, "traffic.classes.2.channels", "[3, 70]", "0 to 63");
    must_refuse(text, "network.virtual_channels", "3", "network.virtual_channels: 4 or more");
    must_refuse(text, "traffic.classes.0.reply", "forwad", "did you mean 'forward'");
    must_refuse(text, "traffic.classes.0.name", "forward", "two classes are called 'forward'");
    must_refuse(text, "traffic.classes.0.name", "a.b", "a word of");
    must_refuse(text, "traffic.classes.3.share", "0.5", "a rate and a share");
    must_refuse(text, "traffic.classes.2.memory_reply", "4", "has no reply");
    must_refuse(text, "traffic.classes.0.multicast", "true", "neither answered nor answers");
    must_refuse(text, "traffic.classes.2.multicast", "true", "neither answered nor answers");
    must_refuse(text, "traffic.classes.3.multicast", "maybe", "expected one of: false, true");
    must_refuse("network: {topology: mesh, radix: [4, 4], buffer: 4}\n"
                "traffic: {classes: [{name: a, rate: 0.1, flits: 5, multicast: true}]}\n",
                NULL, NULL, "network.buffer is 4, and messages of class 'a' have up to 5 flits");
    must_refuse("network: {topology: mesh, radix: [4, 4], routing: adaptive, virtual_channels: 2}\n"
                "traffic: {classes: [{name: a, rate: 0.1, flits: 1, multicast: true}]}\n",
                NULL, NULL, "headers choose their ways here");
    must_refuse(text, "traffic.classes.0.lengths", "4", "unknown key 'lengths'");
    must_refuse(text, "traffic.classes.1.share", "0.5", "some classes have a rate");
    must_refuse(text, "traffic.requests", "[{share: 1, flits: 1, reply_flits: 5}]",
                "together with traffic.requests");
    must_refuse(text, "traffic.classes", "[]", "a list of 1 to 8");
    must_refuse("network: {topology: mesh, radix: [4, 4], buffer: 4}\n"
                "traffic: {rate: 0.1, classes: [{name: a, share: 0.5}, {name: b, share: 0.4}]}\n",
                NULL, NULL, "add up to 0.9");
    must_refuse("network: {topology: mesh, radix: [4, 4], buffer: 4}\n"
                "traffic: {rate: 0.1, classes: [{name: a, share: 1}, {name: b}]}\n",
                NULL, NULL, "class 'b' has neither a rate nor a share");
}

static void check_circle(const char *from, const char *key, const char *value, const char *wanted) {
    char circle[480];
    fc_scenario *scenario = must_read(from, key, value);
    const fc_classes classes = fc_classes_of(fc_scenario_routed(scenario));
    assert_int_equal(fc_classes_circle(&classes, sizeof circle, circle), wanted != NULL);
    if (wanted)
        assert_string_equal(circle, wanted);
    fc_scenario_free(scenario);
}

static void circles_of_answers_are_named(void **state) {
    (void)state;
    check_circle(text, NULL, NULL, NULL);
    check_circle(text, "traffic.classes.2.channels", "2",
                 "forward (channels 2 to 2) -> answer (channels 2 to 2)");
    check_circle(text, "traffic.classes.2.channels", "[0, 1]",
                 "request (channels 0 to 1) -> forward (channels 2 to 2) -> answer (channels 0 to "
                 "1)");
    /* a -> b in other channels, c -> d the other way round */
    check_circle("network: {topology: mesh, radix: [4, 4], buffer: 4}\n"
                 "traffic: {classes: [{name: a, rate: 0.1, channels: 0, reply: b}, {name: b, "
                 "channels: 1}, {name: c, rate: 0.1, channels: 1, reply: d}, {name: d, channels: "
                 "0}]}\n",
                 NULL, NULL,
                 "a (channels 0 to 0) -> b (channels 1 to 1), c (channels 1 to 1) -> d (channels 0 "
                 "to 0)");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes_are_completed),        cmocka_unit_test(rates_follow_the_load),
        cmocka_unit_test(what_is_without_classes),      cmocka_unit_test(what_is_refused),
        cmocka_unit_test(circles_of_answers_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
