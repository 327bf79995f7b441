/* Fabrics and sheets that several tests use. */
#ifndef TESTS_SHEET_FIXTURE_H
#define TESTS_SHEET_FIXTURE_H

#include "cloth/element.h"
#include "cloth/sheet_shapes.h"

/* Gray interlock of Wang et al. 2011, with unlike stiffnesses in all directions. */
cst_fabric fixture_gray_interlock(void);

/* Of one piece of cloth of `size`, cut as said. */
cst_sheet_def fixture_square(double size, int cells, cst_sheet_cut cut, cst_arena *arena);

#endif
