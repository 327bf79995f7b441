/* Bending and torsional stiffness of a fiber with an elliptic cross-section. Symbols:
 *     `a`, `b`: half axes of the ellipse along the directors d1 and d2.
 *     `I_1`, `I_2`: second moments of area about d1, d2.
 *     `J`: torsion constant (Saint-Venant).
 *
 * The second moments of area and the torsion constant of an ellipse (Timoshenko and Goodier, Theory of Elasticity, section 107)
 * are:
 *     `I_1 = pi*a*b^3/4`.
 *     `I_2 = pi*a^3*b/4`.
 *     `J = pi*a^3*b^3/(a^2+b^2)`. */
#include "capstan/capstan.h"

static const double PI = 3.141592653589793;

void cst_fiber_section(cst_fiber_def *def, double along_d1, double along_d2, double density, double youngs_modulus,
                       double shear_modulus)
{
    const double a = along_d1, b = along_d2, area = PI * a * b;
    def->radius = a > b ? a : b;
    def->mass_per_length = density * area;
    def->bending_stiffness[0] = youngs_modulus * area * b * b / 4.0;
    def->bending_stiffness[1] = youngs_modulus * area * a * a / 4.0;
    def->twisting_stiffness = shear_modulus * area * (a * a * b * b) / (a * a + b * b);
    def->stretching_stiffness = youngs_modulus * area;
}
