/* The membrane of a triangle: an energy per area psi of Green's strain, which is constant over the triangle.
 *
 *     F = [x1 - x0, x2 - x0] [X1 - X0, X2 - X0]^-1  (3 x 2),   columns f1, f2
 *     e = (E11, E22, gamma) = ((f1.f1 - 1) / 2, (f2.f2 - 1) / 2, f1.f2),     gamma = 2 E12
 *     W = a psi(e).
 *
 * With s = dpsi/de and C = ds/de, dW/df1 = a (s1 f1 + s3 f2), dW/df2 = a (s2 f2 + s3 f1), and the Hessian with respect to F is
 *
 *     a [ S (x) 1 + B^T C B ],   S = [s1 s3; s3 s2],   B dF = (f1.df1, f2.df2, f1.df2 + f2.df1).
 *
 * To remove the negative part of the Hessian, two blocks are projected separately: along the normal of the triangle the Hessian
 * is S alone (2 x 2), and in the plane of the triangle it is a 4 x 4 matrix. The two projections together are the projection of
 * the whole Hessian (projection by elements as in Teran et al., SCA 2005). */
#ifndef CST_CLOTH_MEMBRANE_H
#define CST_CLOTH_MEMBRANE_H

#include "cloth/element.h"

/* Returns psi(e), and computes s (3) and C (3 x 3) unless both are NULL. */
typedef double cst_strain_law(const void *material, const double *e, double *s, double *C);

typedef struct cst_membrane_rest {
    const void *material;
    double area;
    double w[2][3]; /* f_i = sum_a w[i][a] x_a */
} cst_membrane_rest;

double cst_membrane_evaluate(cst_strain_law *law, const cst_membrane_rest *rest, const double *x, double *gradient,
                             double *hessian, bool projected);

/* Makes an element for each triangle; all elements have the same material. */
bool cst_membrane_make(const cst_element_model *model, const cst_sheet_mesh *mesh, const void *material, cst_arena *arena,
                       cst_element_set *out, const cst_complaint *to);

/* Checks that the stiffnesses of a row are valid: c11, c22 > 0. */
bool cst_membrane_check_row(const double *c, int row, const cst_complaint *to);

/* Returns the strain law itself, for tests and for tensile tests with uniform strain, with the material that `make` would store.
 * Returns false with a message if the fabric is not valid or memory ran out. */
typedef struct cst_membrane_law {
    cst_strain_law *law;
    const void *material;
} cst_membrane_law;
bool cst_membrane_law_of(const cst_fabric *fabric, cst_arena *arena, cst_membrane_law *out, const cst_complaint *to);

/* The two strain laws (membrane_kirchhoff.c, membrane_measured.c). */
bool cst_kirchhoff_law(const cst_fabric *fabric, cst_arena *arena, cst_membrane_law *out, const cst_complaint *to);
bool cst_measured_law(const cst_fabric *fabric, cst_arena *arena, cst_membrane_law *out, const cst_complaint *to);

#endif
