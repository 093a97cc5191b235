/* Matrices of bytes from each rank to each: Matrix Market, or lines of src,dst,bytes. */
#ifndef FC_SCENARIO_BYTE_MATRIX_H
#define FC_SCENARIO_BYTE_MATRIX_H

#include "scenario/workload.h"

/* The file that `value` names. what  key, for messages. matrix->bytes is freed with fc_release. */
fc_status fc_byte_matrix_read(const fc_document *document, const fc_value *value, const char *what,
                              fc_byte_matrix *matrix, fc_error *error);

#endif
