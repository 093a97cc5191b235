#include "output/text/writing.h"

#include <string.h>

fc_writing fc_writing_begin(void) {
    return (fc_writing){fc_c_locale_begin()};
}

fc_status fc_writing_end(fc_writing *writing, FILE *stream, fc_status status) {
    fc_c_locale_end(&writing->locale);
    if (fflush(stream) != 0 || ferror(stream))
        return FC_ERROR_FILE;
    return status;
}

fc_write_settings fc_write_settings_default(void) {
    return (fc_write_settings){.format = FC_FORMAT_TEXT, .width = 80};
}

fc_write_settings fc_writing_settings(const fc_write_settings *settings) {
    fc_write_settings used = settings ? *settings : fc_write_settings_default();
    if (used.width == 0)
        used.width = 80;
    if (used.width < 40)
        used.width = 40;
    if (used.width > 1000)
        used.width = 1000;
    return used;
}

void fc_ink(FILE *stream, bool on, int code) {
    if (on)
        fprintf(stream, "\033[%dm", code);
}

void fc_ink_end(FILE *stream, bool on) {
    if (on)
        fputs("\033[0m", stream);
}

const char *fc_full_stop(const char *text) {
    const size_t length = strlen(text);
    return length && text[length - 1] == '.' ? "" : ".";
}

fc_status fc_result_write(const fc_result *result, const fc_write_settings *settings,
                          FILE *stream) {
    if (!result || !stream)
        return FC_ERROR_ARGUMENT;
    const fc_write_settings used = fc_writing_settings(settings);
    fc_writing writing = fc_writing_begin();
    fc_status status = FC_ERROR_ARGUMENT;
    switch (used.format) {
    case FC_FORMAT_TEXT:
        status = fc_result_write_text(result, &used, stream);
        break;
    case FC_FORMAT_JSON:
        status = fc_result_write_json(result, used.detail, stream);
        break;
    case FC_FORMAT_CSV:
        status = fc_result_write_csv(result, used.detail, stream);
        break;
    default:
        break;
    }
    return fc_writing_end(&writing, stream, status);
}
