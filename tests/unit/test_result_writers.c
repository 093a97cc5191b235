#include "capture.h"
#include "comma_locale.h"

#include "output/text/numbers.h"
#include "registry/result.h"

#include <jansson.h>

static const fc_method_info model = {.name = "hamacher-jiang", .kind = FC_MODEL};
static const fc_method_info simulator = {.name = "rings", .kind = FC_SIMULATOR};

static char *written(const fc_result *result, fc_write_settings settings) {
    capture output;
    capture_begin(&output);
    assert_int_equal(fc_result_write(result, &settings, output.stream), FC_OK);
    return capture_end(&output);
}

static fc_result *simulated(void) {
    fc_result *result = fc_result_create(&simulator, NULL);
    strcpy(result->scenario_name, "two rings, \"local\"");
    strcpy(result->scenario_hash, "0123456789abcdef");
    fc_result_add(result, FC_METRIC_LATENCY, 36.7912, 0.1432);
    fc_result_add(result, FC_METRIC_LATENCY_P99, 112, 3.2);
    fc_result_add(result, FC_METRIC_THROUGHPUT, 0.00399871, 2.1e-6);
    fc_result_add_part(result, "waiting for a slot", "cycles", 6.7912);
    fc_result_add_part(result, "travelling", "cycles", 30);
    result->run = (fc_run_info){.seconds = 0.532,
                                .cpu_seconds = 1.02,
                                .cycles = 12.5e6,
                                .warmup_cycles = 20000,
                                .events = 3200000000,
                                .replications = 8,
                                .seed = 1};
    const char *const columns[] = {"utilisation", "wait"};
    fc_table *table = fc_result_add_table(result, "channels", 2, columns, 2);
    snprintf(table->row_labels[0], sizeof table->row_labels[0], "local ring");
    snprintf(table->row_labels[1], sizeof table->row_labels[1], "global ring");
    table->values[0] = 0.25;
    table->values[1] = 1.5;
    table->values[2] = 0.875;
    table->values[3] = NAN;
    return result;
}

static fc_result *saturated(void) {
    fc_result *result = fc_result_create(&model, NULL);
    result->outcome = FC_OUTCOME_SATURATED;
    fc_result_add(result, FC_METRIC_THROUGHPUT, 0.0047, NAN);
    fc_result_note(result, "The global ring cannot carry the load.");
    result->run = (fc_run_info){.iterations = 14, .residual = 2.2e-13, .seconds = 12.3e-6};
    return result;
}

static void test_text_of_a_simulation(void **state) {
    (void)state;
    fc_result *result = simulated();
    char *text = written(result, (fc_write_settings){.detail = true});
    assert_string_equal(
        text, "two rings, \"local\"\n"
              "simulator rings: ok\n"
              "\n"
              "  metric             value  95 % interval  unit\n"
              "  -----------  -----------  -------------  -------------------\n"
              "  latency       36.79        +- 0.14       cycles\n"
              "  latency_p99  112.0         +- 3.2        cycles\n"
              "  throughput     0.0039987   +- 0.0000021  messages/node/cycle\n"
              "\n"
              "latency is made of\n"
              "  part                  value  unit     share\n"
              "  ------------------  -------  ------  ------\n"
              "  waiting for a slot   6.7912  cycles  18.5 %  ####\n"
              "  travelling          30       cycles  81.5 %  ####################\n"
              "\n"
              "channels\n"
              "               utilisation  wait\n"
              "  -----------  -----------  ----\n"
              "  local ring         0.25    1.5\n"
              "  global ring        0.875\n"
              "\n"
              "Simulated 12.5 million cycles in 8 replications, of which 20000 each discarded\n"
              "as warm-up, 3.2 billion events, in 532 ms (1.02 s of processor time); seed 1.\n"
              "Flitcast " FLITCAST_VERSION ", scenario 0123456789abcdef.\n");
    free(text);
    fc_result_free(result);
}

static void test_text_of_a_saturated_model(void **state) {
    (void)state;
    fc_result *result = saturated();
    char *text = written(result, (fc_write_settings){.width = 80});
    assert_string_equal(text, "unnamed scenario\n"
                              "model hamacher-jiang: saturated\n"
                              "The global ring cannot carry the load.\n"
                              "\n"
                              "  metric       value  unit\n"
                              "  ----------  ------  -------------------\n"
                              "  throughput  0.0047  messages/node/cycle\n"
                              "\n"
                              "Computed in 12.3 us, 14 iterations, residual 2.2e-13.\n"
                              "Flitcast " FLITCAST_VERSION ".\n");
    free(text);
    fc_result_free(result);
}

static void test_colours_only_where_asked_for(void **state) {
    (void)state;
    fc_result *result = simulated();
    char *text = written(result, (fc_write_settings){.colour = true});
    assert_non_null(strstr(text, "\033[1m"));
    assert_non_null(strstr(text, "± 0.14"));
    assert_non_null(strstr(text, "█"));
    free(text);
    text = written(result, (fc_write_settings){0});
    for (const char *at = text; *at; at++)
        assert_in_range(*at, '\n', '~');
    free(text);
    fc_result_free(result);
}

static json_t *read_back(const char *text) {
    json_error_t error;
    json_t *tree = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    if (!tree)
        fail_msg("line %d: %s in:\n%s", error.line, error.text, text);
    return tree;
}

static void test_json_is_the_object_of_the_manual(void **state) {
    (void)state;
    fc_result *result = simulated();
    char *text = written(result, (fc_write_settings){.format = FC_FORMAT_JSON});
    json_t *tree = read_back(text);
    json_t *expected = read_back(
        "{\"tool\": \"flitcast\", \"version\": \"" FLITCAST_VERSION "\","
        " \"scenario\": {\"name\": \"two rings, \\\"local\\\"\", \"hash\": \"0123456789abcdef\"},"
        " \"method\": {\"kind\": \"simulator\", \"name\": \"rings\"}, \"outcome\": \"ok\","
        " \"metrics\": {"
        "  \"latency\": {\"value\": 36.7912, \"unit\": \"cycles\", \"half_width\": 0.1432},"
        "  \"latency_p99\": {\"value\": 112, \"unit\": \"cycles\", \"half_width\": 3.2},"
        "  \"throughput\": {\"value\": 0.00399871, \"unit\": \"messages/node/cycle\","
        "   \"half_width\": 2.1e-6}},"
        " \"parts_of\": \"latency\","
        " \"parts\": [{\"name\": \"waiting for a slot\", \"value\": 6.7912, \"unit\": \"cycles\"},"
        "  {\"name\": \"travelling\", \"value\": 30, \"unit\": \"cycles\"}],"
        " \"run\": {\"seconds\": 0.532, \"cpu_seconds\": 1.02, \"cycles\": 12500000,"
        "  \"warmup_cycles\": 20000, \"events\": 3200000000, \"replications\": 8, \"seed\": 1}}");
    assert_true(json_equal(tree, expected));
    json_decref(expected);
    json_decref(tree);
    free(text);
    fc_result_free(result);
}

static void test_json_detail_has_no_number_for_what_is_not_finite(void **state) {
    (void)state;
    fc_result *result = simulated();
    result->run.seconds = NAN;
    char *text = written(result, (fc_write_settings){.format = FC_FORMAT_JSON, .detail = true});
    json_t *tree = read_back(text);
    json_t *expected =
        read_back("[{\"label\": \"local ring\", \"utilisation\": 0.25, \"wait\": 1.5},"
                  " {\"label\": \"global ring\", \"utilisation\": 0.875, \"wait\": null}]");
    assert_true(json_equal(json_object_get(tree, "channels"), expected));
    assert_null(json_object_get(json_object_get(tree, "run"), "seconds"));
    assert_null(strstr(text, "nan"));
    json_decref(expected);
    json_decref(tree);
    free(text);
    fc_result_free(result);
}

static void test_json_of_a_model_has_no_half_width(void **state) {
    (void)state;
    fc_result *result = saturated();
    char *text = written(result, (fc_write_settings){.format = FC_FORMAT_JSON});
    assert_string_equal(
        text, "{\n"
              " \"tool\": \"flitcast\",\n"
              " \"version\": \"" FLITCAST_VERSION "\",\n"
              " \"scenario\": {\"name\": \"\", \"hash\": \"\"},\n"
              " \"method\": {\"kind\": \"model\", \"name\": \"hamacher-jiang\"},\n"
              " \"outcome\": \"saturated\",\n"
              " \"validated\": true,\n"
              " \"flags\": [],\n"
              " \"note\": \"The global ring cannot carry the load.\",\n"
              " \"metrics\": {\n"
              "  \"throughput\": {\"value\": 0.0047, \"unit\": \"messages/node/cycle\"}\n"
              " },\n"
              " \"parts\": [],\n"
              " \"run\": {\"iterations\": 14, \"residual\": 2.2e-13, \"seconds\": 1.23e-05}\n"
              "}\n");
    free(text);
    fc_result_free(result);
}

/* A result says who made it, whoever writes it out again. */
static void test_a_result_keeps_its_version(void **state) {
    (void)state;
    fc_result *result = simulated(), *again;
    fc_error error;
    strcpy(result->version, "0.0.9");
    strcpy(result->main_metric, "throughput");
    strcpy(result->parts_of, "round_trip");
    result->revision = 3;
    char *text = written(result, (fc_write_settings){.format = FC_FORMAT_JSON});
    fc_result_free(result);
    assert_int_equal(fc_result_read(text, &error, &again), FC_OK);
    free(text);
    assert_string_equal(again->version, "0.0.9");
    assert_string_equal(again->main_metric, "throughput");
    assert_string_equal(again->parts_of, "round_trip");
    assert_int_equal(again->revision, 3);
    text = written(again, (fc_write_settings){.format = FC_FORMAT_JSON});
    assert_non_null(strstr(text, "\"version\": \"0.0.9\""));
    assert_non_null(strstr(text, "\"name\": \"rings\", \"revision\": 3"));
    free(text);
    text = written(again, (fc_write_settings){.format = FC_FORMAT_CSV});
    assert_non_null(strstr(text, "\n0.0.9,"));
    assert_null(strstr(text, FLITCAST_VERSION));
    free(text);
    text = written(again, (fc_write_settings){0});
    assert_non_null(strstr(text, "\nFlitcast 0.0.9, scenario"));
    free(text);
    fc_result_free(again);
}

static void test_a_result_is_read_with_its_tables(void **state) {
    (void)state;
    fc_result *result = simulated(), *again;
    fc_error error;
    fc_table *table =
        fc_result_add_table(result, "barriers", 2, (const char *[]){"cycles", "use"}, 2);
    fc_result_name_words(table, (const char *[FC_LABEL_WORDS]){"core", "network"});
    strcpy(table->row_labels[0], "3-1 0");
    strcpy(table->row_labels[1], "3-2 1");
    memcpy(table->values, (double[]){12, 0.5, NAN, 0.25}, 4 * sizeof(double));
    result->accuracy = (fc_accuracy){.reason = "no ring (like this) was simulated"};
    char *text = written(result, (fc_write_settings){.format = FC_FORMAT_JSON, .detail = true});
    assert_int_equal(fc_result_read(text, &error, &again), FC_OK);
    char *second = written(again, (fc_write_settings){.format = FC_FORMAT_JSON, .detail = true});
    assert_string_equal(second, text);
    assert_string_equal(again->accuracy.reason, result->accuracy.reason);
    assert_true(isnan(fc_result_table(again, "barriers")->values[2]));
    free(text);
    free(second);
    fc_result_free(again);
    fc_result_free(result);
}

static void test_accuracy_is_stated_where_it_was_asked_for(void **state) {
    (void)state;
    fc_result *result = saturated();
    char *text = written(result, (fc_write_settings){.format = FC_FORMAT_JSON});
    assert_null(strstr(text, "accuracy"));
    free(text);
    result->accuracy = (fc_accuracy){.known = true,
                                     .cases = 14,
                                     .networks = 7,
                                     .typical = 0.0018,
                                     .worst = -0.0037,
                                     .low = 0.8,
                                     .high = 0.9};
    text = written(result, (fc_write_settings){.format = FC_FORMAT_JSON});
    assert_non_null(strstr(
        text, "\"accuracy\": {\"typical\": 0.0018, \"worst\": -0.0037, "
              "\"cases\": 14, \"networks\": 7, \"unsolved\": 0, \"load_low\": 0.8, "
              "\"load_high\": 0.9, \"text\": \"typically 0.2 %, at most 0.4 %, in 14 simulated "
              "cases at 80 to 90 % of saturation\"}"));
    free(text);
    text = written(result, (fc_write_settings){.width = 200});
    assert_non_null(strstr(text,
                           "\nMeasured error against simulation: typically 0.2 %, at most 0.4 "
                           "%, in 14 simulated cases at 80 to 90 % of saturation.\n"));
    free(text);
    result->accuracy = (fc_accuracy){.reason = "think time 100: simulated 25 to 60"};
    text = written(result, (fc_write_settings){.format = FC_FORMAT_JSON});
    assert_non_null(strstr(text, "\"accuracy\": {\"text\": \"not validated here (think "
                                 "time 100: simulated 25 to 60)\"}"));
    free(text);
    fc_result_free(result);
}

static void test_json_escapes_what_it_must(void **state) {
    (void)state;
    fc_result *result = simulated();
    const char name[] = "\"\\/\b\f\n\r\t\001\037 \177 \xc3\xa9";
    snprintf(result->scenario_name, sizeof result->scenario_name, "%s", name);
    char *text = written(result, (fc_write_settings){.format = FC_FORMAT_JSON});
    assert_non_null(strstr(text, "\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\\u001F \177 \xc3\xa9\""));
    json_t *tree = read_back(text);
    const json_t *scenario = json_object_get(tree, "scenario");
    assert_string_equal(json_string_value(json_object_get(scenario, "name")), name);
    json_decref(tree);
    free(text);
    fc_result_free(result);
}

static void test_json_replaces_what_is_not_utf8(void **state) {
    (void)state;
    fc_result *result = saturated();
    strcpy(result->scenario_name, "a\xC3\x28 \xE2\x82\xAC \xFF");
    char *text = written(result, (fc_write_settings){.format = FC_FORMAT_JSON});
    json_t *tree = read_back(text);
    const json_t *name = json_object_get(json_object_get(tree, "scenario"), "name");
    assert_string_equal(json_string_value(name), "a?( \xE2\x82\xAC ?");
    json_decref(tree);
    free(text);
    fc_result_free(result);
}

static void test_csv_quotes_and_repeats_what_identifies(void **state) {
    (void)state;
    fc_result *result = simulated();
    char *text = written(result, (fc_write_settings){.format = FC_FORMAT_CSV, .detail = true});
#define LINE FLITCAST_VERSION ",\"two rings, \"\"local\"\"\",0123456789abcdef,simulator,rings,ok,1,"
    assert_string_equal(
        text,
        "version,scenario,hash,kind,method,outcome,seed,group,label,name,value,half_width,"
        "unit\n" LINE "metric,,latency,36.7912,0.1432,cycles\n" LINE
        "metric,,latency_p99,112,3.2,cycles\n" LINE
        "metric,,throughput,0.00399871,2.1e-06,messages/node/cycle\n" LINE
        "part,,waiting for a slot,6.7912,,cycles\n" LINE "part,,travelling,30,,cycles\n" LINE
        "channels,local ring,utilisation,0.25,,\n" LINE "channels,local ring,wait,1.5,,\n" LINE
        "channels,global ring,utilisation,0.875,,\n" LINE "channels,global ring,wait,,,\n");
    free(text);
    fc_result_free(result);
}

static void test_a_full_disk_is_reported(void **state) {
    (void)state;
    FILE *full = fopen("/dev/full", "w");
    if (!full)
        skip();
    fc_result *result = simulated();
    for (int format = FC_FORMAT_TEXT; format <= FC_FORMAT_CSV; format++) {
        const fc_write_settings settings = {.format = (fc_format)format};
        assert_int_equal(fc_result_write(result, &settings, full), FC_ERROR_FILE);
    }
    fc_result_free(result);
    fclose(full);
}

static void test_a_comma_locale_changes_nothing(void **state) {
    (void)state;
    const locale_t german = comma_locale();
    if (!german)
        skip();
    fc_result *result = simulated();
    char *before = written(result, (fc_write_settings){.format = FC_FORMAT_CSV});
    const locale_t previous = uselocale(german);
    char *after = written(result, (fc_write_settings){.format = FC_FORMAT_CSV});
    assert_ptr_equal(uselocale(previous), german);
    assert_string_equal(after, before);
    free(before);
    free(after);
    freelocale(german);
    fc_result_free(result);
}

static void check_number(double value, int digits, const char *expected) {
    char text[FC_NUMBER_SIZE];
    fc_number_text(value, digits, text);
    assert_string_equal(text, expected);
}

static void test_numbers_to_significant_digits(void **state) {
    (void)state;
    check_number(34.4312345, 4, "34.43");
    check_number(34.4, 4, "34.4");
    check_number(16, 2, "16");
    check_number(-0.0, 4, "0");
    check_number(123456789, 3, "123456789");
    check_number(1.5e-7, 4, "1.5e-7");
    check_number(1.23456e12, 4, "1.235e12");
    check_number(123456.7, 4, "123457");
    check_number(NAN, 4, "");
    check_number(-INFINITY, 4, "");
}

static void test_exact_numbers_read_back(void **state) {
    (void)state;
    const double values[] = {0.1,    1.0 / 3, 36.79, 5e-324, 1.7976931348623157e308,
                             -1e-17, 2e7,     1e15,  0,      123456789.125};
    for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
        char text[FC_NUMBER_SIZE];
        fc_number_exact(values[v], text);
        assert_true(strtod(text, NULL) == values[v]);
    }
    char text[FC_NUMBER_SIZE];
    fc_number_exact(0.1, text);
    assert_string_equal(text, "0.1");
}

static void check_interval(double value, double half_width, const char *expected) {
    char value_text[FC_NUMBER_SIZE], half_text[FC_NUMBER_SIZE], both[2 * FC_NUMBER_SIZE + 4];
    fc_number_interval(value, half_width, value_text, half_text);
    snprintf(both, sizeof both, "%s ~ %s", value_text, half_text);
    assert_string_equal(both, expected);
}

static void test_intervals_round_to_the_half_width(void **state) {
    (void)state;
    check_interval(36.7912, 0.1432, "36.79 ~ 0.14");
    check_interval(36.7912, 0.0996, "36.79 ~ 0.10");
    check_interval(36.7912, 14.2, "37 ~ 14");
    check_interval(36.7912, 1234, "37 ~ 1234");
    check_interval(36.7912, NAN, "36.7912 ~ ");
    check_interval(36.7912, 0, "36.7912 ~ 0");
    check_interval(1.23456e-7, 2.34e-10, "1.2346e-7 ~ 2.3e-10");
    check_interval(0, 1e-9, "0 ~ 1.0e-9");
    check_interval(1.2e300, 1e290, "1.20000000000e300 ~ 1.0e290");
    check_interval(NAN, 0.1, " ~ ");
}

static void check_percent(double ratio, const char *expected) {
    char text[FC_NUMBER_SIZE];
    fc_number_percent(ratio, text);
    assert_string_equal(text, expected);
}

static void test_percents_have_a_sign(void **state) {
    (void)state;
    check_percent(0.0123, "+1.2 %");
    check_percent(-0.0642, "-6.4 %");
    check_percent(0.00042, "+0.04 %");
    check_percent(-1e-9, "0.0 %");
    check_percent(3.2, "+320 %");
    check_percent(1e9, "+1.0e+11 %");
    check_percent(NAN, "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text_of_a_simulation),
        cmocka_unit_test(test_text_of_a_saturated_model),
        cmocka_unit_test(test_colours_only_where_asked_for),
        cmocka_unit_test(test_json_is_the_object_of_the_manual),
        cmocka_unit_test(test_json_detail_has_no_number_for_what_is_not_finite),
        cmocka_unit_test(test_json_of_a_model_has_no_half_width),
        cmocka_unit_test(test_a_result_keeps_its_version),
        cmocka_unit_test(test_a_result_is_read_with_its_tables),
        cmocka_unit_test(test_accuracy_is_stated_where_it_was_asked_for),
        cmocka_unit_test(test_json_escapes_what_it_must),
        cmocka_unit_test(test_json_replaces_what_is_not_utf8),
        cmocka_unit_test(test_csv_quotes_and_repeats_what_identifies),
        cmocka_unit_test(test_a_full_disk_is_reported),
        cmocka_unit_test(test_a_comma_locale_changes_nothing),
        cmocka_unit_test(test_numbers_to_significant_digits),
        cmocka_unit_test(test_exact_numbers_read_back),
        cmocka_unit_test(test_intervals_round_to_the_half_width),
        cmocka_unit_test(test_percents_have_a_sign),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
