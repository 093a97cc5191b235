/* One line of a file of messages. */
#ifndef FC_SCENARIO_TRACE_LINE_H
#define FC_SCENARIO_TRACE_LINE_H

#include "scenario/formats/trace_file.h"

/* line  without blanks around it; changed. *found is false for the header. */
fc_status fc_trace_line_read(fc_trace_lines *lines, char *line, fc_error *error,
                             fc_trace_message *message, bool *found);

#endif
