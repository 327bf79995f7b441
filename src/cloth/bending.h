/* Bending stiffness of a fabric about any axis in the material, used by all bending models. */
#ifndef CST_CLOTH_BENDING_H
#define CST_CLOTH_BENDING_H

#include "capstan/capstan.h"

/* Returns the bending stiffness of a fabric about an axis at the angle `direction` (rad) from the warp direction u. The argument
 * `column` selects a column of the table cst_fabric.bend, and with it the curvature for which the stiffness is returned. The
 * bending stiffness is interpolated linearly between its values at 0, 45 and 90 degrees. */
double cst_bend_about(const cst_fabric *fabric, int column, double direction);

#endif
