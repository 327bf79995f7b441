/* Membrane energy of a triangle of cloth. The energy per area psi depends on Green's strain, which is constant over the
 * triangle. Symbols:
 *     `x0`, `x1`, `x2`: positions of the triangle's nodes.
 *     `X0`, `X1`, `X2`: positions of the triangle's nodes in the flat rest shape.
 *     `a`: area at rest.
 *     `F`: deformation gradient (3 x 2).
 *     `f1`, `f2`: columns of F.
 *     `e`: strain vector (E11, E22, gamma).
 *     `s`: stress.
 *     `C`: tangent stiffness.
 *     `W`: energy of the triangle.
 *
 * The strain follows from the positions of the nodes:
 *     `F = [x1-x0, x2-x0] [X1-X0, X2-X0]^-1`.
 *     `E11 = (f1.f1 - 1)/2`.
 *     `E22 = (f2.f2 - 1)/2`.
 *     `gamma = f1.f2` (2 E12).
 *
 * The material law of a fabric gives the energy per area psi as a function of Green's strain. Green's strain is bounded
 * in compression (E11 >= -1/2), so the material law gives a finite energy even to a triangle without area. If the stress is
 * proportional to Green's strain, a compressed thread resists with its largest force at 0.58 of its natural length, and with a
 * smaller force if it is compressed further. With the material law alone, triangles of the mesh collapse, and neighbouring parts
 * of a sheet pass through each other. In scenes/cloth/on_sphere.json without friction and without a collapse energy, parts of the
 * sheet passed through each other after 0.674 s. To prevent the collapse of triangles, a collapse energy is added to psi if the
 * ratio J of a triangle's area to its area at rest is below J0 = 0.7. The collapse energy is twice differentiable, and infinite
 * for a triangle without area (J = 0). The collapse energy is proportional to the stiffness k of the fabric at small strain:
 *     `psi_collapse = k/3 (-ln(J/J0))^3`.
 *     `J^2 = (1+2*E11)*(1+2*E22)-gamma^2`.
 *     `k = sqrt(c11*c22)`.
 *
 * The energy of the triangle and its gradient with respect to the columns of the deformation gradient are:
 *     `W = a*psi(e)`.
 *     `s = dpsi/de`.
 *     `C = ds/de`.
 *     `dW/df1 = a (s1 f1+s3 f2)`.
 *     `dW/df2 = a (s2 f2+s3 f1)`.
 *
 * The Hessian with respect to the deformation gradient has a term with the stress matrix S and a term with the tangent stiffness
 * C:
 *     `a*(S (x) 1 + B^T*C*B)`.
 *     `S = [s1 s3; s3 s2]`.
 *     `B dF = (f1.df1, f2.df2, f1.df2+f2.df1)`.
 *
 * The Hessian consists of two blocks: a 2 x 2 block for displacements along the normal of the triangle (the stress matrix S), and
 * a 4 x 4 block for displacements in the plane of the triangle. To make the Hessian positive semi-definite, the negative
 * eigenvalues of both blocks are replaced by 0. Replacing the negative eigenvalues of both blocks by 0 gives the same matrix as
 * replacing those of the whole Hessian by 0 (Teran et al., SCA 2005). */
#ifndef CST_CLOTH_MEMBRANE_H
#define CST_CLOTH_MEMBRANE_H

#include "cloth/element.h"

/* Material law of a fabric: returns the energy per area psi at Green's strain e. The material law also computes the stress s (3)
 * and the tangent stiffness C (3 x 3), unless both pointers are NULL. */
typedef double cst_strain_law(const void *material, const double *e, double *s, double *C);

typedef struct cst_membrane_rest {
    const void *material;
    double stiffness; /* stiffness k of the collapse energy (N/m) */
    double area;
    double w[2][3]; /* w[i][a]: weight of the position of node a in column i of the deformation gradient (1/m) */
} cst_membrane_rest;

double cst_membrane_evaluate(cst_strain_law *law, const cst_membrane_rest *rest, const double *x, double *gradient,
                             double *hessian, bool projected);

/* Makes a membrane element of the given material for each triangle. */
bool cst_membrane_make(const cst_element_model *model, const cst_sheet_mesh *mesh, const cst_fabric *fabric, const void *material,
                       cst_arena *arena, cst_element_set *out, const cst_complaint *to);

/* Checks a row of four stiffnesses of a fabric: all must be finite, and c11 and c22 positive. */
bool cst_membrane_check_row(const double *c, int row, const cst_complaint *to);

/* Finds the material law of a fabric, and the material data that the law needs. The material law does not include the collapse
 * energy. Tests call the material law alone to simulate tensile tests with uniform strain. Returns false with a message if the
 * fabric is not valid or memory ran out. */
typedef struct cst_membrane_law {
    cst_strain_law *law;
    const void *material;
} cst_membrane_law;
bool cst_membrane_law_of(const cst_fabric *fabric, cst_arena *arena, cst_membrane_law *out, const cst_complaint *to);

/* The two material laws of the membrane: orthotropic, with a stress that is linear in Green's strain (membrane_kirchhoff.c), and
 * fitted to measured fabrics (membrane_measured.c). */
bool cst_kirchhoff_law(const cst_fabric *fabric, cst_arena *arena, cst_membrane_law *out, const cst_complaint *to);
bool cst_measured_law(const cst_fabric *fabric, cst_arena *arena, cst_membrane_law *out, const cst_complaint *to);

#endif
