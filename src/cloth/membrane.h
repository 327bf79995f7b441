/* The membrane of a triangle: an energy per area psi of Green's strain, constant over the triangle.
 *
 *     F = [x1 - x0, x2 - x0] [X1 - X0, X2 - X0]^-1  (3 x 2),   columns f1, f2
 *     e = (E11, E22, gamma) = ((f1.f1 - 1) / 2, (f2.f2 - 1) / 2, f1.f2),     gamma = 2 E12
 *     W = a psi(e)
 *
 * With s = dpsi/de and C = ds/de, dW/df1 = a (s1 f1 + s3 f2), dW/df2 = a (s2 f2 + s3 f1), and the Hessian by F is
 *
 *     a [ S (x) 1 + B^T C B ],   S = [s1 s3; s3 s2],   B dF = (f1.df1, f2.df2, f1.df2 + f2.df1).
 *
 * Without its negative part: along the normal of the triangle it is S alone (2 x 2), in its plane a matrix of 4 x 4; both are projected, which
 * is the projection of the whole. (Teran et al., SCA 2005, for the projection by elements.) */
#ifndef CST_CLOTH_MEMBRANE_H
#define CST_CLOTH_MEMBRANE_H

#include "cloth/element.h"

/* psi of e; s (3) and C (3 x 3), or both NULL. */
typedef double cst_strain_law(const void *material, const double *e, double *s, double *C);

typedef struct cst_membrane_rest {
    const void *material;
    double area;
    double w[2][3]; /* f_i = sum_a w[i][a] x_a */
} cst_membrane_rest;

double cst_membrane_evaluate(cst_strain_law *law, const cst_membrane_rest *rest, const double *x, double *gradient,
                             double *hessian, bool projected);

/* Elements of all triangles, of one material. */
bool cst_membrane_make(const cst_element_model *model, const cst_sheet_mesh *mesh, const void *material, cst_arena *arena,
                       cst_element_set *out, const cst_complaint *to);

/* Stiffnesses of a row that make sense: c11, c22 > 0. */
bool cst_membrane_check_row(const double *c, int row, const cst_complaint *to);

/* Of the laws themselves, for tests and for tensile tests of a piece in uniform strain: the material that `make` would keep. NULL: out of
 * memory or a message. */
typedef struct cst_membrane_law {
    cst_strain_law *law;
    const void *material;
} cst_membrane_law;
bool cst_membrane_law_of(const cst_fabric *fabric, cst_arena *arena, cst_membrane_law *out, const cst_complaint *to);

/* The two laws (membrane_kirchhoff.c, membrane_measured.c). */
bool cst_kirchhoff_law(const cst_fabric *fabric, cst_arena *arena, cst_membrane_law *out, const cst_complaint *to);
bool cst_measured_law(const cst_fabric *fabric, cst_arena *arena, cst_membrane_law *out, const cst_complaint *to);

#endif
