#include "tests/sheet_fixture.h"

cst_fabric fixture_gray_interlock(void)
{
    return (cst_fabric){
        .density = 0.187,
        .thickness = 1e-3,
        .stretching = {{16.593832, -14.695990, 34.477123, 36.860302},
                       {46.364765, 53.694656, 261.013855, -29.691301},
                       {49.285110, 87.596100, 206.373993, 22.768457},
                       {123.989220, 105.181770, 365.966217, 44.217571},
                       {139.686325, 73.592560, 413.553162, -174.43853},
                       {127.443810, 85.848587, 405.872833, 32.238411}},
        .bend = {{5.8e-6, 8.2e-6, 8.6e-6, 9.75e-6, 5.85e-6},
                 {6.2e-6, 4.7e-6, 4.1e-6, 6.3e-6, 2.2e-6},
                 {3.6e-6, 1.8e-6, 3.6e-6, 6.2e-6, 4.8e-6}},
    };
}

cst_sheet_def fixture_square(double size, int cells, cst_sheet_cut cut, cst_arena *arena)
{
    cst_sheet_def def = cst_sheet_def_default();
    cst_sheet_shape shape;
    const int both[2] = {cells, cells};
    def.fabric = fixture_gray_interlock();
    if (cst_sheet_rectangle(size, size, both, cut, arena, &shape))
        cst_sheet_shape_use(&shape, &def);
    return def;
}
