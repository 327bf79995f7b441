#include "tests/sheet_fixture.h"

#include <stdio.h>

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

cst_world *fixture_cloth_over_ball(cst_arena *arena)
{
    char message[256] = "";
    cst_world_def def = cst_world_def_default(3);
    def.time_step.dt = 2e-3;
    cst_world *world = cst_world_new(&def, message, sizeof message);
    cst_sheet_def cloth = fixture_square(0.3, 12, CST_CUT_STAGGERED, arena);
    for (int i = 0; i < cloth.nodes; ++i) {
        ((double *)cloth.position)[3 * i] -= 0.14;
        ((double *)cloth.position)[3 * i + 1] -= 0.15;
        ((double *)cloth.position)[3 * i + 2] = 0.101;
    }
    cst_obstacle_def ball = cst_obstacle_def_default();
    ball.shape = CST_OBSTACLE_SPHERE;
    ball.radius = 0.1;
    if (world && cst_world_add_sheet(world, &cloth, message, sizeof message) &&
        cst_world_add_obstacle(world, &ball, message, sizeof message))
        return world;
    fputs(message, stderr);
    cst_world_free(world);
    return NULL;
}
