/* traffic.classes: how it is read and written. */
#ifndef FC_SCENARIO_CLASSES_READ_H
#define FC_SCENARIO_CLASSES_READ_H

#include "scenario/classes.h"

/* Of an fc_given_classes *, for the key. */
fc_status fc_classes_read(const fc_document *document, const fc_value *value, void *field,
                          fc_error *error);
void fc_classes_write(const void *field, FILE *stream);
void fc_classes_release(fc_given_classes *given);

#endif
