/* What the bending models share: the stiffness about an axis in the material. */
#ifndef CST_CLOTH_BENDING_H
#define CST_CLOTH_BENDING_H

#include "capstan/capstan.h"

/* Of a column of the table, about an axis at `direction` (rad) from u: linear in the angle between 0, 45 and 90 degrees. */
double cst_bend_about(const cst_fabric *fabric, int column, double direction);

#endif
