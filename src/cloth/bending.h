/* Bending stiffness of a fabric as a function of the direction of the bending axis in the material. */
#ifndef CST_CLOTH_BENDING_H
#define CST_CLOTH_BENDING_H

#include "capstan/capstan.h"

/* Returns the bending stiffness (N m) about an axis at the angle `direction` (rad) from the warp direction u. `column`: column of
 * the table cst_fabric.bend; each column belongs to one curvature. Between the measured directions 0, 45 and 90 degrees, the
 * bending stiffness is interpolated linearly. */
double cst_bend_about(const cst_fabric *fabric, int column, double direction);

#endif
