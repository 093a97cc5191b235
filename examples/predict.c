/* The shortest use of the library: read a scenario, ask the best model, print what it says.
 *
 *   cc predict.c $(pkg-config --cflags --libs flitcast) -o predict
 *   ./predict rings_two_levels.yaml [KEY=VALUE ...] */
#include <flitcast/flitcast.h>
#include <stdio.h>
#include <string.h>

enum { SETTINGS_MOST = 16 };

/* "traffic.rate=0.002" becomes {"traffic.rate", "0.002"}; the text is cut at the sign. */
static size_t read_settings(char **words, int count, fc_setting *settings) {
    size_t used = 0;
    for (int i = 0; i < count && used < SETTINGS_MOST; ++i) {
        char *equals = strchr(words[i], '=');
        if (!equals)
            continue;
        *equals = '\0';
        settings[used++] = (fc_setting){words[i], equals + 1};
    }
    return used;
}

int main(int count, char **words) {
    if (count < 2) {
        fprintf(stderr, "usage: predict FILE [KEY=VALUE ...]\n");
        return 2;
    }
    fc_setting settings[SETTINGS_MOST];
    const size_t setting_count = read_settings(words + 2, count - 2, settings);
    fc_error error; /* a sentence for the user, whatever goes wrong */
    fc_scenario *scenario;
    if (fc_scenario_read_file(words[1], settings, setting_count, &error, &scenario) != FC_OK) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    fc_result *result;
    const fc_status status = fc_predict(scenario, NULL, &error, &result);
    if (status != FC_OK) {
        fprintf(stderr, "%s\n", error.text);
    } else {
        /* A saturated network is an answer, not an error: what is still known is there. */
        printf("%s by %s: %s\n", fc_scenario_name(scenario), result->method,
               fc_outcome_name(result->outcome));
        for (size_t i = 0; i < result->metric_count; ++i)
            printf("%-16s %12.6g %s\n", result->metrics[i].name, result->metrics[i].value,
                   result->metrics[i].unit);
        fc_result_free(result);
    }
    fc_scenario_free(scenario);
    return status == FC_OK ? 0 : 1;
}
