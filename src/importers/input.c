/* The file of a scenario, read once: what a pipe gave cannot be read again. */
#include <string.h>
#include "base/memory.h"
#include "importers/booksim_file.h"
#include "scenario/scenario.h"
#include "scenario/text_file.h"

static bool is_configuration_name(const char *path) {
    const size_t length = strlen(path);
    return length > 4 && strcmp(path + length - 4, ".cfg") == 0;
}

fc_status fc_input_read(const char *path, fc_error *error, fc_input *input) {
    const bool standard = strcmp(path, "-") == 0;
    fc_input made = {.origin = standard ? "standard input" : path};
    const fc_status status = fc_file_read(standard ? "/dev/stdin" : path, FC_SCENARIO_BYTES_MAX,
                                          error, &made.text, &made.length);
    if (status != FC_OK)
        return status;
    made.booksim = is_configuration_name(path) || fc_booksim_begins(made.text, made.length);
    *input = made;
    return FC_OK;
}

void fc_input_clear(fc_input *input) {
    fc_release(input->text);
    *input = (fc_input){0};
}
