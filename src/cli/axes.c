#include "cli/axes.h"

#include <string.h>

int axes_read(const arguments *given, varied_axes *varied) {
    *varied = (varied_axes){0};
    const char *text;
    while ((text = arguments_nth(given, "vary", varied->count))) {
        fc_error error;
        if (varied->count == AXES_MAX)
            return fail_usage("at most %d keys can be varied at once", AXES_MAX);
        fc_axis *axis = &varied->list[varied->count];
        if (fc_axis_parse(text, &error, axis) != FC_OK)
            return fail_usage("--vary %s", error.text);
        snprintf(axis->label, sizeof axis->label, "--vary %.*s", (int)strcspn(text, "="), text);
        ++varied->count;
    }
    return varied->count
               ? EXIT_DONE
               : fail_usage("%s needs at least one --vary KEY=VALUES", given->command->name);
}

void axes_clear(varied_axes *varied) {
    for (size_t i = 0; i < varied->count; ++i)
        fc_axis_clear(&varied->list[i]);
}
