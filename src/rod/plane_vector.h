/* Vectors in 2D, also used as complex numbers x + i y. The product with a complex number of modulus 1 rotates a vector. */
#ifndef CST_ROD_PLANE_VECTOR_H
#define CST_ROD_PLANE_VECTOR_H

typedef struct cst_plane {
    double x, y;
} cst_plane;

static inline cst_plane cst_plane_sum(cst_plane a, cst_plane b)
{
    return (cst_plane){a.x + b.x, a.y + b.y};
}

static inline cst_plane cst_plane_difference(cst_plane a, cst_plane b)
{
    return (cst_plane){a.x - b.x, a.y - b.y};
}

static inline cst_plane cst_plane_scaled(double factor, cst_plane a)
{
    return (cst_plane){factor * a.x, factor * a.y};
}

/* a + factor b */
static inline cst_plane cst_plane_add(cst_plane a, double factor, cst_plane b)
{
    return (cst_plane){a.x + factor * b.x, a.y + factor * b.y};
}

static inline cst_plane cst_plane_product(cst_plane a, cst_plane b)
{
    return (cst_plane){a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}

/* Returns the product i a: the vector a turned by +90 degrees. */
static inline cst_plane cst_plane_left(cst_plane a)
{
    return (cst_plane){-a.y, a.x};
}

static inline double cst_plane_dot(cst_plane a, cst_plane b)
{
    return a.x * b.x + a.y * b.y;
}

/* Returns the moment of a force b with the lever arm a. */
static inline double cst_plane_cross(cst_plane a, cst_plane b)
{
    return a.x * b.y - a.y * b.x;
}

#endif
