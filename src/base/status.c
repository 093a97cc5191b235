#include "base/status.h"

#include <stdarg.h>

static const char *const status_texts[FC_STATUS_COUNT] = {
    [FC_OK] = "done",
    [FC_ERROR_MEMORY] = "out of memory",
    [FC_ERROR_ARGUMENT] = "a function was called with an argument it does not allow",
    [FC_ERROR_INPUT] = "the scenario is not valid",
    [FC_ERROR_FILE] = "a file could not be read or written",
    [FC_ERROR_UNSUPPORTED] = "the method does not cover this scenario",
    [FC_ERROR_CANCELLED] = "stopped before anything was finished",
};

const char *fc_status_text(fc_status status) {
    if ((int)status < 0 || status >= FC_STATUS_COUNT)
        return "unknown status";
    return status_texts[status];
}

const char *fc_version(void) {
    return FLITCAST_VERSION;
}

void fc_error_write(fc_error *error, const char *format, ...) {
    if (!error)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
}
