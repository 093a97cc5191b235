#include "scenario/formats/byte_matrix.h"

#include <math.h>
#include "base/memory.h"
#include "base/status.h"
#include "scenario/formats/matrix_csv.h"
#include "scenario/formats/matrix_market.h"
#include "scenario/text_file.h"

static fc_status from_flows(const fc_flow *flows, size_t count, fc_byte_matrix *matrix,
                            fc_error *error) {
    for (size_t i = 0; i < count; ++i) {
        matrix->ranks = flows[i].source >= matrix->ranks ? flows[i].source + 1 : matrix->ranks;
        matrix->ranks =
            flows[i].destination >= matrix->ranks ? flows[i].destination + 1 : matrix->ranks;
    }
    matrix->bytes = fc_allocate((size_t)matrix->ranks * matrix->ranks, sizeof *matrix->bytes);
    if (!matrix->bytes)
        return fc_fail_memory(error);
    for (size_t i = 0; i < count; ++i)
        matrix->bytes[(size_t)flows[i].source * matrix->ranks + flows[i].destination] +=
            flows[i].rate;
    return FC_OK;
}

static fc_status parse(fc_named_file *file, fc_byte_matrix *matrix, fc_error *error) {
    if (fc_is_matrix_market(file->text, file->path)) {
        size_t ranks = 0;
        const fc_status status =
            fc_matrix_market_numbers(file->text, file->path, error, &ranks, &matrix->bytes);
        matrix->ranks = (uint32_t)ranks;
        return status;
    }
    fc_flow *flows = NULL;
    size_t count = 0;
    fc_status status = fc_matrix_csv_parse(file->text, file->path, error, &count, &flows);
    if (status == FC_OK)
        status = from_flows(flows, count, matrix, error);
    fc_release(flows);
    return status;
}

/* Bytes are whole and not too many; what a rank keeps for itself is not sent. */
static fc_status check(const fc_named_file *file, fc_byte_matrix *matrix, fc_error *error) {
    double total = 0;
    for (uint32_t row = 0; row < matrix->ranks; ++row) {
        for (uint32_t column = 0; column < matrix->ranks; ++column) {
            double *bytes = &matrix->bytes[(size_t)row * matrix->ranks + column];
            if (*bytes > 1e12 || *bytes != floor(*bytes))
                return fc_fail(error, FC_ERROR_INPUT,
                               "%.300s: from rank %u to rank %u: %g; expected whole bytes, at most "
                               "1e12",
                               file->path, row, column, *bytes);
            if (row == column)
                *bytes = 0;
            total += *bytes;
        }
    }
    if (!(total > 0))
        return fc_fail(error, FC_ERROR_INPUT, "%.300s: all bytes are 0: nothing would be sent",
                       file->path);
    return FC_OK;
}

fc_status fc_byte_matrix_read(const fc_document *document, const fc_value *value, const char *what,
                              fc_byte_matrix *matrix, fc_error *error) {
    fc_named_file file = {.what = what,
                          .kind = "a Matrix Market file or of one with lines of src,dst,bytes",
                          .most = FC_MATRIX_BYTES_MAX};
    fc_status status = fc_named_file_read(document, value, matrix->file, &file, error);
    if (status != FC_OK)
        return status;
    fc_error cause;
    matrix->checksum = file.checksum;
    status = parse(&file, matrix, &cause);
    if (status == FC_OK)
        status = check(&file, matrix, &cause);
    fc_release(file.text);
    return status == FC_OK ? FC_OK : fc_named_file_fail(document, value, &cause, status, error);
}
