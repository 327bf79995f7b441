/* The membrane of a triangle has an energy per area psi that depends on Green's strain, which is constant over the triangle.
 * Symbols:
 *     `x0`, `x1`, `x2`: nodes in 3D.
 *     `X0`, `X1`, `X2`: nodes in material.
 *     `a`: area at rest.
 *     `f1`, `f2`: columns of F.
 *
 * The deformation gradient F (3 x 2) follows from the positions of the three nodes:
 *     `F = [x1-x0, x2-x0] [X1-X0, X2-X0]^-1`.
 *
 * The strain vector e has the three components E11, E22 and gamma = 2 E12 of Green's strain:
 *     `E11 = (f1.f1 - 1)/2`.
 *     `E22 = (f2.f2 - 1)/2`.
 *     `gamma = f1.f2`.
 *
 * Green's strain is bounded in compression (E11 >= -1/2), so the energy psi of a strain law is finite even for a triangle
 * without area. The force of a compressed thread decreases when its length is below 0.58 of its natural length. With the strain
 * law alone, triangles collapse, and neighbouring parts of a sheet pass through each other (in scenes/cloth/on_sphere.json with
 * friction 0, after 0.674 s). To prevent the collapse of triangles, a collapse energy is added to the energy per area psi if
 * the ratio J of the area to the area at rest is below J0 = 0.7. The added energy is proportional to k, the stiffness of the
 * fabric at small strain; it is twice differentiable, and infinite if the triangle has no area (J = 0):
 *     `psi_collapse = k/3 (-ln(J/J0))^3`.
 *     `J^2 = (1+2*E11)*(1+2*E22)-gamma^2`.
 *     `k = sqrt(c11*c22)`.
 *
 * The energy of the triangle, the stress and the tangent stiffness are:
 *     `W = a*psi(e)`: energy.
 *     `s = dpsi/de`: stress.
 *     `C = ds/de`: tangent stiffness.
 *
 * The gradient of the energy of the triangle with respect to the columns of the deformation gradient is:
 *     `dW/df1 = a (s1 f1+s3 f2)`.
 *     `dW/df2 = a (s2 f2+s3 f1)`.
 *
 * The Hessian of the energy of the triangle with respect to the deformation gradient is the sum of two terms, one with the stress
 * matrix S and one with the tangent stiffness C:
 *     `a*(S (x) 1 + B^T*C*B)`.
 *     `S = [s1 s3; s3 s2]`.
 *     `B dF = (f1.df1, f2.df2, f1.df2+f2.df1)`.
 *
 * To remove the negative part of the Hessian, two blocks are projected separately: the 2 x 2 block along the normal of the
 * triangle (the stress matrix S), and the 4 x 4 block in the plane of the triangle. Projecting the 2 x 2 block and the 4 x 4
 * block separately gives the same matrix as projecting the whole Hessian of the triangle (projection by elements as in Teran et
 * al., SCA 2005). */
#ifndef CST_CLOTH_MEMBRANE_H
#define CST_CLOTH_MEMBRANE_H

#include "cloth/element.h"

/* Returns the energy per area psi at the strain e. A strain law also computes the stress s (3) and the tangent stiffness C (3 x
 * 3), unless both pointers are NULL. */
typedef double cst_strain_law(const void *material, const double *e, double *s, double *C);

typedef struct cst_membrane_rest {
    const void *material;
    double stiffness; /* stiffness k against collapse (N/m) */
    double area;
    double w[2][3]; /* weights of the nodes in f_i */
} cst_membrane_rest;

double cst_membrane_evaluate(cst_strain_law *law, const cst_membrane_rest *rest, const double *x, double *gradient,
                             double *hessian, bool projected);

/* Makes an element for each triangle; all elements have the same material. */
bool cst_membrane_make(const cst_element_model *model, const cst_sheet_mesh *mesh, const cst_fabric *fabric, const void *material,
                       cst_arena *arena, cst_element_set *out, const cst_complaint *to);

/* Checks that a row of measured stiffnesses is valid: c11 and c22 must be positive. */
bool cst_membrane_check_row(const double *c, int row, const cst_complaint *to);

/* Finds the strain law of a fabric and the material data that a membrane element stores. The strain law does not contain the
 * energy psi_collapse, which prevents triangles from losing their area. Tests use the strain law of a fabric to simulate
 * tensile tests with uniform strain. Returns false with a message if the fabric is not valid or memory ran out. */
typedef struct cst_membrane_law {
    cst_strain_law *law;
    const void *material;
} cst_membrane_law;
bool cst_membrane_law_of(const cst_fabric *fabric, cst_arena *arena, cst_membrane_law *out, const cst_complaint *to);

/* The two strain laws (membrane_kirchhoff.c, membrane_measured.c). */
bool cst_kirchhoff_law(const cst_fabric *fabric, cst_arena *arena, cst_membrane_law *out, const cst_complaint *to);
bool cst_measured_law(const cst_fabric *fabric, cst_arena *arena, cst_membrane_law *out, const cst_complaint *to);

#endif
