/* Blocks of rows and columns whose sums stay in registers. */
#include "forecast/learned_kernels.h"

/* ---- rows by weights ---- */

/* out += in weights, for `rows` rows at once and `parts` vectors of columns. */
FC_INLINE void multiply_block(const float *in, size_t stride, const float *weights, size_t inputs,
                              size_t columns, float *out, const size_t rows, const size_t parts) {
    fc_eight sums[4][3];
    for (size_t r = 0; r < rows; ++r)
        for (size_t p = 0; p < parts; ++p)
            sums[r][p] = *(const fc_eight *)(out + r * columns + 8 * p);
    for (size_t i = 0; i < inputs; ++i) {
        fc_eight w[3];
        for (size_t p = 0; p < parts; ++p)
            w[p] = *(const fc_eight *)(weights + i * columns + 8 * p);
        for (size_t r = 0; r < rows; ++r) {
            const float x = in[r * stride + i];
            for (size_t p = 0; p < parts; ++p)
                sums[r][p] += x * w[p];
        }
    }
    for (size_t r = 0; r < rows; ++r)
        for (size_t p = 0; p < parts; ++p)
            *(fc_eight *)(out + r * columns + 8 * p) = sums[r][p];
}

FC_INLINE void multiply_columns(const float *in, size_t stride, size_t rows, const float *weights,
                                size_t inputs, size_t columns, float *out, const size_t parts) {
    size_t row = 0;
    for (; row + 4 <= rows; row += 4)
        multiply_block(in + row * stride, stride, weights, inputs, columns, out + row * columns, 4,
                       parts);
    for (; row < rows; ++row)
        multiply_block(in + row * stride, stride, weights, inputs, columns, out + row * columns, 1,
                       parts);
}

/* The same for 48 columns. */
FC_INLINE void multiply_wide_block(const float *in, size_t stride, const float *weights,
                                   size_t inputs, size_t columns, float *out, const size_t rows) {
    fc_sixteen sums[8][3];
    for (size_t r = 0; r < rows; ++r)
        for (size_t p = 0; p < 3; ++p)
            sums[r][p] = *(const fc_sixteen *)(out + r * columns + 16 * p);
    for (size_t i = 0; i < inputs; ++i) {
        fc_sixteen w[3];
        for (size_t p = 0; p < 3; ++p)
            w[p] = *(const fc_sixteen *)(weights + i * columns + 16 * p);
        for (size_t r = 0; r < rows; ++r) {
            const float x = in[r * stride + i];
            for (size_t p = 0; p < 3; ++p)
                sums[r][p] += x * w[p];
        }
    }
    for (size_t r = 0; r < rows; ++r)
        for (size_t p = 0; p < 3; ++p)
            *(fc_sixteen *)(out + r * columns + 16 * p) = sums[r][p];
}

FC_INLINE void multiply_wide_columns(const float *in, size_t stride, size_t rows,
                                     const float *weights, size_t inputs, size_t columns,
                                     float *out) {
    size_t row = 0;
    for (; row + 8 <= rows; row += 8)
        multiply_wide_block(in + row * stride, stride, weights, inputs, columns,
                            out + row * columns, 8);
    for (; row < rows; ++row)
        multiply_wide_block(in + row * stride, stride, weights, inputs, columns,
                            out + row * columns, 1);
}

FC_INLINE void multiply_any(const float *in, size_t stride, size_t rows, const float *weights,
                            size_t inputs, size_t columns, float *out) {
    const bool wide = fc_has_wide_vectors();
    size_t c = 0;
    for (; wide && c + 48 <= columns; c += 48)
        multiply_wide_columns(in, stride, rows, weights + c, inputs, columns, out + c);
    for (; c + 24 <= columns; c += 24)
        multiply_columns(in, stride, rows, weights + c, inputs, columns, out + c, 3);
    for (; c + 16 <= columns; c += 16)
        multiply_columns(in, stride, rows, weights + c, inputs, columns, out + c, 2);
    for (; c < columns; c += 8)
        multiply_columns(in, stride, rows, weights + c, inputs, columns, out + c, 1);
}

FC_FOR_ALL(multiply,
           (const float *in, size_t stride, size_t rows, const float *weights, size_t inputs,
            size_t columns, float *out),
           (in, stride, rows, weights, inputs, columns, out))

void fc_multiply(fc_rows in, const float *weights, size_t inputs, size_t columns, float *out) {
    multiply(in.first, in.stride, in.count, weights, inputs, columns, out);
}
