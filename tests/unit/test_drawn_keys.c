/* Every key of networks of routers is drawn for the fit, or listed in fit/never_drawn.txt with what
 * follows; and nothing is listed that is drawn. */
#include "scenario_support.h"

#include "../fit/seen.h"
#include "suite_points.h"
#include "table_text.h"

static char *listed;

static int read_list(void **state) {
    (void)state;
    size_t length = 0;
    FILE *stream = fopen(SOURCE_DIR "/fit/never_drawn.txt", "r");
    assert_non_null(stream);
    assert_true(getdelim(&listed, &length, '\0', stream) > 0);
    fclose(stream);
    return 0;
}

static int forget_list(void **state) {
    (void)state;
    free(listed);
    return 0;
}

static bool is_listed(const char *key) {
    char start[128];
    snprintf(start, sizeof start, "\n%s: ", key);
    return strstr(listed, start) != NULL;
}

static void add_table(fit_seen *seen, const char *name, drawn_case *list) {
    const size_t count = drawn_cases_read(fit_tables, name, list, DRAWN_CASES);
    assert_true(count > 0);
    for (size_t i = 0; i < count; ++i) {
        fc_scenario *scenario = drawn_case_scenario(&list[i], 1e-6);
        assert_non_null(scenario);
        assert_true(fit_seen_add(seen, scenario));
        fc_scenario_free(scenario);
    }
}

/* "1 to 8" and "dateline, wrapping" are varied, "1 to 1" and "ascending" are not; nor is what is
 * absent. */
static bool is_varied(const char *const *lines, const char *key) {
    const size_t length = strlen(key);
    double low, high;
    for (; *lines; ++lines)
        if (strncmp(*lines, key, length) == 0 && (*lines)[length] == ' ')
            return strchr(*lines, ',') ||
                   (sscanf(*lines + length, " %lf to %lf", &low, &high) == 2 && low < high);
    return false;
}

static void every_key_is_drawn_or_listed(void **state) {
    (void)state;
    drawn_case *list = calloc(DRAWN_CASES, sizeof *list);
    fit_seen *seen = fit_seen_create();
    assert_true(list && seen);
    add_table(seen, "router_training", list);
    add_table(seen, "router_points", list);
    add_table(seen, "router_wide", list);
    const char *const *lines = fit_seen_lines(seen);
    assert_non_null(lines);
    for (size_t f = 0; fc_families[f]; ++f)
        for (const fc_key *key = fc_families[f]->keys; fc_families[f]->routed && key->path; ++key) {
            if (strcmp(key->path, "traffic.rate") == 0)
                continue;
            const bool limit = strcmp(key->path, "traffic.outstanding") == 0; /* 0 or infinite */
            const bool drawn = is_varied(lines, key->path) && !limit;
            if (drawn == is_listed(key->path))
                fail_msg("%s is %s fit/never_drawn.txt", key->path,
                         drawn ? "drawn, but in" : "neither drawn nor in");
        }
    fit_seen_free(seen);
    free(list);
}

/* What is listed is a key. */
static void every_listed_key_exists(void **state) {
    (void)state;
    for (const char *line = strstr(listed, "\n\n"); line && *line;) {
        line += strspn(line, "\n");
        const size_t length = strcspn(line, ":");
        bool found = *line == '\0';
        for (size_t f = 0; fc_families[f] && !found; ++f)
            for (const fc_key *key = fc_families[f]->keys; key->path && !found; ++key)
                found = strlen(key->path) == length && strncmp(key->path, line, length) == 0;
        if (!found)
            fail_msg("fit/never_drawn.txt: %.*s is no key", (int)length, line);
        line += strcspn(line, "\n");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_key_is_drawn_or_listed),
        cmocka_unit_test(every_listed_key_exists),
    };
    return cmocka_run_group_tests(tests, read_list, forget_list);
}
