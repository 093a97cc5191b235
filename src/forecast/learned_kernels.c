/* Blocks of rows and columns whose sums stay in registers. */
#include "forecast/learned_kernels.h"

/* Sixteen numbers at once: where the processor has such vectors. */
typedef float sixteen __attribute__((vector_size(64), aligned(4), may_alias));

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
    sixteen sums[8][3];
    for (size_t r = 0; r < rows; ++r)
        for (size_t p = 0; p < 3; ++p)
            sums[r][p] = *(const sixteen *)(out + r * columns + 16 * p);
    for (size_t i = 0; i < inputs; ++i) {
        sixteen w[3];
        for (size_t p = 0; p < 3; ++p)
            w[p] = *(const sixteen *)(weights + i * columns + 16 * p);
        for (size_t r = 0; r < rows; ++r) {
            const float x = in[r * stride + i];
            for (size_t p = 0; p < 3; ++p)
                sums[r][p] += x * w[p];
        }
    }
    for (size_t r = 0; r < rows; ++r)
        for (size_t p = 0; p < 3; ++p)
            *(sixteen *)(out + r * columns + 16 * p) = sums[r][p];
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

void fc_multiply(const float *in, size_t stride, size_t rows, const float *weights, size_t inputs,
                 size_t columns, float *out) {
    multiply(in, stride, rows, weights, inputs, columns, out);
}

/* ---- sums of products over rows ---- */

/* gradient += x^T y for `ins` columns of x and `parts` vectors of columns of y. */
FC_INLINE void add_products_block(const float *x, size_t stride, const float *y, size_t rows,
                                  size_t columns, float *gradient, const size_t ins,
                                  const size_t parts) {
    fc_eight sums[4][3];
    for (size_t i = 0; i < ins; ++i)
        for (size_t p = 0; p < parts; ++p)
            sums[i][p] = *(const fc_eight *)(gradient + i * columns + 8 * p);
    for (size_t r = 0; r < rows; ++r) {
        fc_eight d[3];
        for (size_t p = 0; p < parts; ++p)
            d[p] = *(const fc_eight *)(y + r * columns + 8 * p);
        for (size_t i = 0; i < ins; ++i) {
            const float value = x[r * stride + i];
            for (size_t p = 0; p < parts; ++p)
                sums[i][p] += value * d[p];
        }
    }
    for (size_t i = 0; i < ins; ++i)
        for (size_t p = 0; p < parts; ++p)
            *(fc_eight *)(gradient + i * columns + 8 * p) = sums[i][p];
}

FC_INLINE void add_products_columns(const float *x, size_t inputs, size_t stride, const float *y,
                                    size_t rows, size_t columns, float *gradient,
                                    const size_t parts) {
    size_t i = 0;
    for (; i + 4 <= inputs; i += 4)
        add_products_block(x + i, stride, y, rows, columns, gradient + i * columns, 4, parts);
    for (; i < inputs; ++i)
        add_products_block(x + i, stride, y, rows, columns, gradient + i * columns, 1, parts);
}

/* The same for 48 columns of y. */
FC_INLINE void add_products_wide(const float *x, size_t stride, const float *y, size_t rows,
                                 size_t columns, float *gradient, const size_t ins) {
    sixteen sums[8][3];
    for (size_t i = 0; i < ins; ++i)
        for (size_t p = 0; p < 3; ++p)
            sums[i][p] = *(const sixteen *)(gradient + i * columns + 16 * p);
    for (size_t r = 0; r < rows; ++r) {
        sixteen d[3];
        for (size_t p = 0; p < 3; ++p)
            d[p] = *(const sixteen *)(y + r * columns + 16 * p);
        for (size_t i = 0; i < ins; ++i) {
            const float value = x[r * stride + i];
            for (size_t p = 0; p < 3; ++p)
                sums[i][p] += value * d[p];
        }
    }
    for (size_t i = 0; i < ins; ++i)
        for (size_t p = 0; p < 3; ++p)
            *(sixteen *)(gradient + i * columns + 16 * p) = sums[i][p];
}

FC_INLINE void add_products_wide_columns(const float *x, size_t inputs, size_t stride,
                                         const float *y, size_t rows, size_t columns,
                                         float *gradient) {
    size_t i = 0;
    for (; i + 8 <= inputs; i += 8)
        add_products_wide(x + i, stride, y, rows, columns, gradient + i * columns, 8);
    for (; i < inputs; ++i)
        add_products_wide(x + i, stride, y, rows, columns, gradient + i * columns, 1);
}

FC_INLINE void products_any(const float *in, size_t stride, size_t rows, const float *out,
                            size_t inputs, size_t columns, float *sums) {
    const bool wide = fc_has_wide_vectors();
    size_t c = 0;
    for (; wide && c + 48 <= columns; c += 48)
        add_products_wide_columns(in, inputs, stride, out + c, rows, columns, sums + c);
    for (; c + 24 <= columns; c += 24)
        add_products_columns(in, inputs, stride, out + c, rows, columns, sums + c, 3);
    for (; c + 16 <= columns; c += 16)
        add_products_columns(in, inputs, stride, out + c, rows, columns, sums + c, 2);
    for (; c < columns; c += 8)
        add_products_columns(in, inputs, stride, out + c, rows, columns, sums + c, 1);
}

FC_FOR_ALL(products,
           (const float *in, size_t stride, size_t rows, const float *out, size_t inputs,
            size_t columns, float *sums),
           (in, stride, rows, out, inputs, columns, sums))

void fc_add_products(const float *in, size_t stride, size_t rows, const float *out, size_t inputs,
                     size_t columns, float *sums) {
    products(in, stride, rows, out, inputs, columns, sums);
}
