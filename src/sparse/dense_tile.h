/* Kernels that take most of the time of dense factorisations: products C -= L U in tiles that stay in registers, and dot
 * products. The order of the sums is fixed, whatever the vector width of the processor. Functions marked CST_MULTIVERSION
 * (base/simd.h) inline these kernels. */
#ifndef CST_SPARSE_DENSE_TILE_H
#define CST_SPARSE_DENSE_TILE_H

#include <stddef.h>

/* Four doubles at any alignment. */
typedef double cst_vec4 __attribute__((vector_size(32), aligned(8), may_alias));

enum { CST_TILE_LANES = 4, CST_TILE_ROWS = 4, CST_TILE_COLUMNS = 2 * CST_TILE_LANES };

#define CST_TILE_INLINE static inline __attribute__((always_inline))

/* Computes y -= s x over `count` values. */
CST_TILE_INLINE void cst_tile_subtract_scaled(double *y, const double *x, double s, int count)
{
    int j = 0;
    for (; j + CST_TILE_LANES <= count; j += CST_TILE_LANES)
        *(cst_vec4 *)(y + j) -= s * *(const cst_vec4 *)(x + j);
    for (; j < count; j++)
        y[j] -= s * x[j];
}

CST_TILE_INLINE double cst_tile_dot(const double *a, const double *b, int count)
{
    cst_vec4 sum = {0};
    double rest = 0.0;
    int j = 0;
    for (; j + CST_TILE_LANES <= count; j += CST_TILE_LANES)
        sum += *(const cst_vec4 *)(a + j) * *(const cst_vec4 *)(b + j);
    for (; j < count; j++)
        rest += a[j] * b[j];
    return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + rest;
}

/* Computes C -= L U on a tile of `rows` x `vectors` vectors. L is rows x depth with the stride of C; U has `depth` rows. */
CST_TILE_INLINE void cst_tile_update(double *c, const double *l, size_t stride, const double *u, size_t u_stride, int depth,
                                     int rows, int vectors)
{
    cst_vec4 sum[CST_TILE_ROWS][2];
    for (int i = 0; i < rows; i++)
        for (int v = 0; v < vectors; v++)
            sum[i][v] = *(const cst_vec4 *)(c + (size_t)i * stride + (size_t)(v * CST_TILE_LANES));
    for (int k = 0; k < depth; k++) {
        const double *u_k = u + (size_t)k * u_stride;
        for (int i = 0; i < rows; i++)
            for (int v = 0; v < vectors; v++)
                sum[i][v] -= l[(size_t)i * stride + (size_t)k] * *(const cst_vec4 *)(u_k + v * CST_TILE_LANES);
    }
    for (int i = 0; i < rows; i++)
        for (int v = 0; v < vectors; v++)
            *(cst_vec4 *)(c + (size_t)i * stride + (size_t)(v * CST_TILE_LANES)) = sum[i][v];
}

/* Computes C -= L U for a band of `rows` <= CST_TILE_ROWS rows and `columns` columns. */
CST_TILE_INLINE void cst_tile_update_band(double *c, const double *l, size_t stride, const double *u, size_t u_stride, int depth,
                                          int rows, int columns)
{
    int j = 0;
    for (; j + CST_TILE_COLUMNS <= columns; j += CST_TILE_COLUMNS)
        cst_tile_update(c + j, l, stride, u + j, u_stride, depth, rows, 2);
    if (j + CST_TILE_LANES <= columns) {
        cst_tile_update(c + j, l, stride, u + j, u_stride, depth, rows, 1);
        j += CST_TILE_LANES;
    }
    for (; j < columns; j++)
        for (int i = 0; i < rows; i++)
            for (int k = 0; k < depth; k++)
                c[(size_t)i * stride + (size_t)j] -= l[(size_t)i * stride + (size_t)k] * u[(size_t)k * u_stride + (size_t)j];
}

#endif
