/* Kernels of dense factorisations: subtraction of matrix products in tiles that stay in registers, and dot products. The order of
 * the sums does not depend on the vector width of the processor. Functions marked CST_MULTIVERSION (base/simd.h) inline the
 * kernels of this header. */
#ifndef CST_SPARSE_DENSE_TILE_H
#define CST_SPARSE_DENSE_TILE_H

#include <stddef.h>

/* Four doubles, aligned like one double. */
typedef double cst_vec4 __attribute__((vector_size(32), aligned(8), may_alias));

enum { CST_TILE_LANES = 4, CST_TILE_ROWS = 4, CST_TILE_COLUMNS = 2 * CST_TILE_LANES };

#define CST_TILE_INLINE static inline __attribute__((always_inline))

/* y <- y - s x */
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

/* Computes C <- C - L U for a tile C of `rows` rows and `vectors` SIMD vectors per row. */
CST_TILE_INLINE void cst_tile_update(double *c, size_t stride, const double *l, size_t l_stride, const double *u, size_t u_stride,
                                     int depth, int rows, int vectors)
{
    cst_vec4 sum[CST_TILE_ROWS][2];
    for (int i = 0; i < rows; i++)
        for (int v = 0; v < vectors; v++)
            sum[i][v] = *(const cst_vec4 *)(c + (size_t)i * stride + (size_t)(v * CST_TILE_LANES));
    for (int k = 0; k < depth; k++) {
        const double *u_k = u + (size_t)k * u_stride;
        for (int i = 0; i < rows; i++)
            for (int v = 0; v < vectors; v++)
                sum[i][v] -= l[(size_t)i * l_stride + (size_t)k] * *(const cst_vec4 *)(u_k + v * CST_TILE_LANES);
    }
    for (int i = 0; i < rows; i++)
        for (int v = 0; v < vectors; v++)
            *(cst_vec4 *)(c + (size_t)i * stride + (size_t)(v * CST_TILE_LANES)) = sum[i][v];
}

/* Computes C <- C - L U for a matrix C of at most CST_TILE_ROWS rows and `columns` columns. */
CST_TILE_INLINE void cst_tile_update_band(double *c, size_t stride, const double *l, size_t l_stride, const double *u,
                                          size_t u_stride, int depth, int rows, int columns)
{
    int j = 0;
    for (; j + CST_TILE_COLUMNS <= columns; j += CST_TILE_COLUMNS)
        cst_tile_update(c + j, stride, l, l_stride, u + j, u_stride, depth, rows, 2);
    if (j + CST_TILE_LANES <= columns) {
        cst_tile_update(c + j, stride, l, l_stride, u + j, u_stride, depth, rows, 1);
        j += CST_TILE_LANES;
    }
    for (; j < columns; j++)
        for (int i = 0; i < rows; i++)
            for (int k = 0; k < depth; k++)
                c[(size_t)i * stride + (size_t)j] -= l[(size_t)i * l_stride + (size_t)k] * u[(size_t)k * u_stride + (size_t)j];
}

/* 4 x 4 transpose: to[c][r] = from[r][c]. */
CST_TILE_INLINE void cst_tile_turn_square(const double *from, size_t stride, double *to, size_t to_stride)
{
    const cst_vec4 a = *(const cst_vec4 *)from, b = *(const cst_vec4 *)(from + stride);
    const cst_vec4 c = *(const cst_vec4 *)(from + 2 * stride), d = *(const cst_vec4 *)(from + 3 * stride);
    const cst_vec4 ab_even = __builtin_shufflevector(a, b, 0, 4, 2, 6), ab_odd = __builtin_shufflevector(a, b, 1, 5, 3, 7);
    const cst_vec4 cd_even = __builtin_shufflevector(c, d, 0, 4, 2, 6), cd_odd = __builtin_shufflevector(c, d, 1, 5, 3, 7);
    *(cst_vec4 *)to = __builtin_shufflevector(ab_even, cd_even, 0, 1, 4, 5);
    *(cst_vec4 *)(to + to_stride) = __builtin_shufflevector(ab_odd, cd_odd, 0, 1, 4, 5);
    *(cst_vec4 *)(to + 2 * to_stride) = __builtin_shufflevector(ab_even, cd_even, 2, 3, 6, 7);
    *(cst_vec4 *)(to + 3 * to_stride) = __builtin_shufflevector(ab_odd, cd_odd, 2, 3, 6, 7);
}

/* Transposes `from` (rows x columns) to `to`. */
CST_TILE_INLINE void cst_tile_turn(const double *from, size_t stride, int rows, int columns, double *to, size_t to_stride)
{
    int i = 0;
    for (; i + CST_TILE_LANES <= rows; i += CST_TILE_LANES) {
        int j = 0;
        for (; j + CST_TILE_LANES <= columns; j += CST_TILE_LANES)
            cst_tile_turn_square(from + (size_t)i * stride + (size_t)j, stride, to + (size_t)j * to_stride + (size_t)i,
                                 to_stride);
        for (; j < columns; j++)
            for (int r = i; r < i + CST_TILE_LANES; r++)
                to[(size_t)j * to_stride + (size_t)r] = from[(size_t)r * stride + (size_t)j];
    }
    for (; i < rows; i++)
        for (int j = 0; j < columns; j++)
            to[(size_t)j * to_stride + (size_t)i] = from[(size_t)i * stride + (size_t)j];
}

#endif
