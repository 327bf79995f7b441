#include "world/user_force.h"

#include <math.h>
#include <string.h>

#include "math/vector3.h"
#include "world/point_motion.h"

static bool acts(const double *force)
{
    return force[0] != 0.0 || force[1] != 0.0 || force[2] != 0.0;
}

static void apply_to_body(const cst_user_force *user, const cst_body_model *model, int body, const cst_step_frame *frame,
                          cst_point_motion *room, double *g, double *imposed)
{
    static const double NO_MOMENT[3] = {0.0, 0.0, 0.0};
    const int dofs = model->class->dynamics->dofs(model->self);
    double *rhs = model->class->dynamics->rhs(model->self);
    memset(g, 0, sizeof *g * (size_t)dofs);
    *imposed = 0.0;
    for (int64_t i = user->first[body]; i < user->first[body + 1]; i++) {
        const double *force = user->force + 3 * i;
        cst_material_point at;
        double radius, impulse[3];
        if (!acts(force))
            continue;
        model->class->look->vertex(model->self, (int)(i - user->first[body]), &at, &radius);
        model->class->places->point(model->self, &at, room);
        cst_point_motion_push(room, frame->dim, force, NO_MOMENT, g);
        *imposed += cst_dot3(force, room->drift);
        for (int c = 0; c < 3; c++)
            impulse[c] = frame->dt * force[c];
        if (model->class->dynamics->push)
            model->class->dynamics->push(model->self, &at, impulse, NO_MOMENT);
    }
    for (int i = 0; i < dofs; i++)
        rhs[i] += frame->dt * g[i];
}

void cst_user_force_apply(const cst_user_force *user, const cst_objects *objects, const cst_layout *layout,
                          const cst_step_frame *frame, int threads)
{
    if (!user->force)
        return;
    const int64_t bodies = objects->bodies;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int t = 0; t < threads; t++)
        for (int k = (int)(bodies * t / threads); k < (int)(bodies * (t + 1) / threads); k++)
            apply_to_body(user, objects->model + k, k, frame, user->room + t, user->g + layout->start_of[k], user->imposed + k);
}

double cst_user_force_work(const cst_user_force *user, const cst_step_frame *frame, int body, int start, int dofs,
                           const double *v_theta)
{
    double work = user->imposed[body];
    for (int i = 0; i < dofs; i++)
        work += user->g[start + i] * v_theta[i];
    return frame->dt * work;
}

double cst_user_force_pull(const cst_user_force *user, int body)
{
    double pull = 0.0;
    if (user->force)
        for (int64_t i = user->first[body]; i < user->first[body + 1]; i++)
            pull += sqrt(cst_dot3(user->force + 3 * i, user->force + 3 * i));
    return pull;
}

int cst_user_force_loads(const cst_user_force *user, const cst_body_model *model, int body, cst_point_load *out)
{
    int count = 0;
    if (user->force)
        for (int64_t i = user->first[body]; i < user->first[body + 1]; i++) {
            double radius;
            if (!acts(user->force + 3 * i))
                continue;
            out[count] = (cst_point_load){0};
            model->class->look->vertex(model->self, (int)(i - user->first[body]), &out[count].at, &radius);
            memcpy(out[count].force, user->force + 3 * i, sizeof out[count].force);
            count++;
        }
    return count;
}
