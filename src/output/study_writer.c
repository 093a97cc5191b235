#include "output/study_writer.h"

#include "output/text/writing.h"

fc_status fc_study_write(const void *study, const fc_study_writer *as,
                         const fc_write_settings *settings, FILE *stream) {
    if (!study || !stream)
        return FC_ERROR_ARGUMENT;
    const fc_write_settings used = fc_writing_settings(settings);
    fc_writing writing = fc_writing_begin();
    fc_status status = FC_OK;
    if (used.format == FC_FORMAT_JSON) {
        status = fc_json_write(as->json(study, used.detail), stream);
    } else if (used.format == FC_FORMAT_CSV && as->csv) {
        as->csv(study, &used, stream);
    } else {
        fc_report *report = as->report(study, &used);
        status = report ? fc_report_write(report, &used, stream) : FC_ERROR_MEMORY;
        fc_report_free(report);
    }
    return fc_writing_end(&writing, stream, status);
}
