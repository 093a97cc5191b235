/* Any text as a stored result: an error with a sentence, or a result that every writer can write
 * and whose own JSON reads back as the same metrics. */
#include "flitcast/flitcast.h"
#include "fuzz_text.h"

static char *written(const fc_result *result, fc_format format) {
    fc_write_settings settings = fc_write_settings_default();
    settings.format = format;
    settings.detail = true;
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    if (!stream || fc_result_write(result, &settings, stream) != FC_OK || fclose(stream) != 0)
        abort();
    return text;
}

static void check_again(const fc_result *first, const char *text) {
    fc_error error = {{0}};
    fc_result *again;
    if (fc_result_read(text, &error, &again) != FC_OK ||
        again->metric_count != first->metric_count || again->part_count != first->part_count ||
        again->outcome != first->outcome)
        abort();
    for (size_t m = 0; m < first->metric_count; ++m) {
        if (again->metrics[m].value != first->metrics[m].value)
            abort();
    }
    fc_result_free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = fuzz_text(data, size);
    if (!text)
        return 0;
    fc_error error = {{0}};
    fc_result *result;
    if (fc_result_read(text, &error, &result) == FC_OK) {
        free(written(result, FC_FORMAT_TEXT));
        free(written(result, FC_FORMAT_CSV));
        char *json = written(result, FC_FORMAT_JSON);
        check_again(result, json);
        free(json);
        fc_result_free(result);
    } else if (!error.text[0]) {
        abort();
    }
    free(text);
    return 0;
}
