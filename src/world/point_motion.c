#include "world/point_motion.h"

bool cst_point_motion_take(cst_arena *arena, const cst_body_model *body, int dim, cst_point_motion *out)
{
    const size_t dofs = (size_t)body->class->point_dofs(body->self), turns = dim == 2 ? 1 : 3;
    *out = (cst_point_motion){.dof = CST_TAKE(arena, int32_t, dofs),
                              .j = CST_TAKE(arena, double, (size_t)dim *dofs),
                              .j_turn = CST_TAKE(arena, double, turns *dofs)};
    return !arena->failed;
}

void cst_point_motion_velocity(const cst_point_motion *point, const double *v, double *velocity, double *turn)
{
    double x = point->drift[0], y = point->drift[1], omega = point->drift_turn[2];
    for (int k = 0; k < point->dofs; k++) {
        const double value = v[point->dof[k]];
        x += point->j[k] * value;
        y += point->j[point->dofs + k] * value;
        omega += point->j_turn[k] * value;
    }
    velocity[0] = x;
    velocity[1] = y;
    *turn = omega;
}

void cst_point_motion_push(const cst_point_motion *point, const double *force, double moment, double *f)
{
    for (int k = 0; k < point->dofs; k++)
        f[point->dof[k]] += point->j[k] * force[0] + point->j[point->dofs + k] * force[1] + point->j_turn[k] * moment;
}
