/* Fabrics and sheets that several tests use. */
#ifndef TESTS_SHEET_FIXTURE_H
#define TESTS_SHEET_FIXTURE_H

#include "cloth/element.h"
#include "cloth/sheet_shapes.h"

/* Gray interlock of Wang et al. 2011, with unlike stiffnesses in all directions. */
cst_fabric fixture_gray_interlock(void);

/* Of one piece of cloth of `size`, cut as said. */
cst_sheet_def fixture_square(double size, int cells, cst_sheet_cut cut, cst_arena *arena);

/* Makes a world in which a cloth of 12 by 12 cells lies slightly above a fixed ball. Returns NULL if this fails. The arena is only
 * needed during the call. */
cst_world *fixture_cloth_over_ball(cst_arena *arena);

#endif
