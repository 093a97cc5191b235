/* Scenarios from a text, and what must be said of one that is refused. */
#ifndef SCENARIO_SUPPORT_H
#define SCENARIO_SUPPORT_H

#include "test_support.h"

#include <stdlib.h>
#include <string.h>
#include "scenario/scenario.h"

static inline fc_status read_with(const char *text, const char *key, const char *value,
                                  fc_error *error, fc_scenario **scenario) {
    const fc_setting setting = {key, value};
    return fc_scenario_read_text(text, strlen(text), "test.yaml", &setting, key ? 1 : 0, error,
                                 scenario);
}

static inline fc_scenario *must_read(const char *text, const char *key, const char *value) {
    fc_error error;
    fc_scenario *scenario = NULL;
    if (read_with(text, key, value, &error, &scenario) != FC_OK)
        fail_msg("%s", error.text);
    return scenario;
}

static inline void must_say(const char *said, const char *wanted) {
    if (!strstr(said, wanted))
        fail_msg("\"%s\" does not say \"%s\"", said, wanted);
}

static inline void must_refuse(const char *text, const char *key, const char *value,
                               const char *reason) {
    fc_error error;
    fc_scenario *scenario = NULL;
    if (read_with(text, key, value, &error, &scenario) == FC_OK)
        fail_msg("%s: %s was accepted", key ? key : "the text", value ? value : text);
    must_say(error.text, reason);
}

/* A scenario written and read again is the same one, and its numbers have no needless digits. */
static inline void must_read_back(const fc_scenario *scenario) {
    char *text = fc_scenario_text(scenario);
    assert_null(strstr(text, "00000000000"));
    assert_null(strstr(text, "99999999999"));
    fc_scenario *again = must_read(text, NULL, NULL);
    assert_string_equal(fc_scenario_hash(scenario), fc_scenario_hash(again));
    fc_scenario_free(again);
    free(text);
}

#endif
