/* Orthotropic Saint Venant-Kirchhoff membrane. The energy per area psi is a quadratic function of Green's strain:
 *     `psi = (c11*E11^2+2*c12*E11*E22+c22*E22^2)/2+c33*E12^2`.
 *     `E12 = gamma/2`: half the shear.
 *
 * An isotropic plate has the stiffnesses
 *     `c11 = c22 = E*h/(1-nu^2)`.
 *     `c12 = nu*c11`.
 *     `c33 = E*h/(1+nu)`.
 *     `E`: Young's modulus.
 *     `nu`: Poisson's ratio.
 *     `h`: thickness of the plate.
 *
 * The stiffness c33 is twice the shear stiffness of the plate, because the strain E12 is half the shear gamma. */
#include <math.h>

#include "cloth/membrane.h"

static double law(const void *material, const double *e, double *s, double *C)
{
    const double *c = material;
    if (s) {
        s[0] = c[0] * e[0] + c[1] * e[1];
        s[1] = c[1] * e[0] + c[2] * e[1];
        s[2] = 0.5 * c[3] * e[2];
        const double constant[9] = {c[0], c[1], 0.0, c[1], c[2], 0.0, 0.0, 0.0, 0.5 * c[3]};
        for (int k = 0; k < 9; ++k)
            C[k] = constant[k];
    }
    return 0.5 * (c[0] * e[0] * e[0] + 2.0 * c[1] * e[0] * e[1] + c[2] * e[1] * e[1]) + 0.25 * c[3] * e[2] * e[2];
}

bool cst_kirchhoff_law(const cst_fabric *fabric, cst_arena *arena, cst_membrane_law *out, const cst_complaint *to)
{
    const double *c = fabric->stretching[0];
    if (!cst_membrane_check_row(c, 0, to))
        return false;
    if (!(c[3] >= 0.0) || c[1] * c[1] > c[0] * c[2])
        return cst_complain(to, "sheet: c12^2 = %g must not be above c11 c22 = %g, nor c33 = %g below 0: it would not be stable",
                            c[1] * c[1], c[0] * c[2], c[3]);
    double *own = CST_TAKE(arena, double, 4);
    for (int k = 0; own && k < 4; ++k)
        own[k] = c[k];
    *out = (cst_membrane_law){law, own};
    return own || cst_complain(to, "sheet: out of memory");
}

static bool make(const cst_sheet_mesh *mesh, const cst_fabric *fabric, cst_arena *arena, cst_element_set *out,
                 const cst_complaint *to)
{
    cst_membrane_law made = {0};
    return cst_kirchhoff_law(fabric, arena, &made, to) &&
           cst_membrane_make(&cst_membrane_kirchhoff, mesh, fabric, made.material, arena, out, to);
}

static double evaluate(const void *rest, const double *x, double *gradient, double *hessian, bool projected)
{
    return cst_membrane_evaluate(law, rest, x, gradient, hessian, projected);
}

const cst_element_model cst_membrane_kirchhoff = {"kirchhoff", make, evaluate};

void cst_fabric_isotropic(cst_fabric *fabric, double youngs_modulus, double poissons_ratio, double thickness)
{
    const double nu = poissons_ratio, plate = youngs_modulus * thickness / (1.0 - nu * nu);
    for (int i = 0; i < CST_STRETCH_ROWS; ++i) {
        fabric->stretching[i][0] = fabric->stretching[i][2] = plate;
        fabric->stretching[i][1] = nu * plate;
        fabric->stretching[i][3] = (1.0 - nu) * plate;
    }
    for (int i = 0; i < CST_BEND_ROWS; ++i)
        for (int j = 0; j < CST_BEND_COLUMNS; ++j)
            fabric->bend[i][j] = plate * thickness * thickness / 12.0;
}
