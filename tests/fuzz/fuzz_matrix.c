/* Any bytes as a Matrix Market file: an error with a sentence, or rows of probabilities. */
#include <math.h>
#include "base/memory.h"
#include "fuzz_text.h"
#include "scenario/formats/matrix_market.h"

static void check_rows(const double *matrix, size_t nodes) {
    for (size_t row = 0; row < nodes; ++row) {
        double sum = 0;
        for (size_t column = 0; column < nodes; ++column) {
            const double value = matrix[row * nodes + column];
            if (!(value >= 0) || (row == column && value != 0))
                abort();
            sum += value;
        }
        if (!(fabs(sum - 1) <= 1e-9))
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = fuzz_text(data, size);
    if (!text)
        return 0;
    fc_error error = {{0}};
    size_t nodes;
    double *matrix;
    if (fc_matrix_market_parse(text, "fuzz", &error, &nodes, &matrix) == FC_OK) {
        check_rows(matrix, nodes);
        fc_release(matrix);
    } else if (!error.text[0]) {
        abort();
    }
    free(text);
    return 0;
}
