/* Any bytes as a BookSim configuration: an error with a sentence, or a scenario file that reads as
 * YAML. The last line is taken as a setting of the command line if it has an equals sign. */
#include "fuzz_text.h"
#include "importers/booksim.h"
#include "scenario/document.h"

static void check_import(const fc_import *import) {
    fc_error error = {{0}};
    fc_document *document;
    if (fc_document_parse(import->scenario, strlen(import->scenario), "fuzz", &error, &document) !=
        FC_OK)
        abort();
    fc_document_free(document);
    if (strstr(import->scenario, "  file: ")) /* a graph's file would be opened */
        return;
    fc_scenario *scenario;
    if (fc_import_scenario(import, NULL, 0, &error, &scenario) == FC_OK)
        fc_scenario_free(scenario);
    else if (!error.text[0])
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = fuzz_text(data, size);
    if (!text)
        return 0;
    fc_input input = {.text = text, .length = size, .origin = "fuzz"};
    fc_setting setting = {NULL, NULL};
    char *last = strrchr(text, '\n'), *equals = last ? strchr(last, '=') : NULL;
    if (equals) {
        input.length = (size_t)(last - text);
        *equals = '\0';
        setting = (fc_setting){last + 1, equals + 1};
    }
    fc_error error = {{0}};
    fc_import *import;
    if (fc_import_booksim(&input, &setting, equals ? 1 : 0, &error, &import) == FC_OK) {
        check_import(import);
        fc_import_free(import);
    } else if (!error.text[0]) {
        abort();
    }
    free(text);
    return 0;
}
