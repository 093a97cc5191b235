/* Any bytes as a matrix in CSV: an error with a sentence, or rows of probabilities and weights. */
#include <math.h>
#include "base/memory.h"
#include "fuzz_text.h"
#include "scenario/formats/matrix_csv.h"

enum { NODES = 16 };

static void check(const fc_destinations *d) {
    double total = 0, senders = 0;
    for (size_t row = 0; row < NODES; ++row) {
        const double weight = d->weights ? d->weights[row] : 1;
        double sum = 0;
        for (size_t column = 0; column < NODES; ++column) {
            if (!(d->matrix[row * NODES + column] >= 0))
                abort();
            sum += d->matrix[row * NODES + column];
        }
        if (!(fabs(sum - 1) <= 1e-9) && !(sum == 0 && weight == 0))
            abort();
        total += weight;
        senders += sum > 0.5;
    }
    if (!(fabs(total - senders) <= 1e-9))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = fuzz_text(data, size);
    fc_destinations d = {.pattern = FC_MATRIX, .file = "fuzz"};
    fc_error error = {{0}};
    fc_status status = FC_ERROR_MEMORY;
    if (text)
        status = fc_matrix_csv_parse(text, "fuzz", &error, &d.flow_count, &d.flows);
    if (status == FC_OK)
        status = fc_matrix_from_flows(&d, NODES, &error);
    if (status == FC_OK)
        check(&d);
    else if (text && !error.text[0])
        abort();
    fc_release(d.flows);
    fc_release(d.matrix);
    fc_release(d.weights);
    free(text);
    return 0;
}
