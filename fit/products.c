/* Blocks of rows and columns whose sums stay in registers, as in forecast/learned_kernels.c. */
#include "fit/products.h"

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
    fc_sixteen sums[8][3];
    for (size_t i = 0; i < ins; ++i)
        for (size_t p = 0; p < 3; ++p)
            sums[i][p] = *(const fc_sixteen *)(gradient + i * columns + 16 * p);
    for (size_t r = 0; r < rows; ++r) {
        fc_sixteen d[3];
        for (size_t p = 0; p < 3; ++p)
            d[p] = *(const fc_sixteen *)(y + r * columns + 16 * p);
        for (size_t i = 0; i < ins; ++i) {
            const float value = x[r * stride + i];
            for (size_t p = 0; p < 3; ++p)
                sums[i][p] += value * d[p];
        }
    }
    for (size_t i = 0; i < ins; ++i)
        for (size_t p = 0; p < 3; ++p)
            *(fc_sixteen *)(gradient + i * columns + 16 * p) = sums[i][p];
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

void fit_add_products(const float *in, size_t stride, size_t rows, const float *out, size_t inputs,
                      size_t columns, float *sums) {
    products(in, stride, rows, out, inputs, columns, sums);
}
