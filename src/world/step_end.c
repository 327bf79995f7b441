#include "world/step_end.h"

#include <math.h>

#include "world/contact_result.h"
#include "world/point_motion.h"

/* Returns the largest position error (m) of all constraints. The bodies must be at their positions at the time `end`. The caller
 * checks arena->failed. */
static double constraint_error(const cst_objects *objects, int dim, double end, const cst_constraint *constraint, int constraints,
                               cst_arena *arena)
{
    const cst_arena_mark mark = cst_arena_mark_now(arena);
    double largest = 0.0;
    for (int k = 0; k < constraints; k++) {
        const cst_constraint *held = constraint + k;
        cst_point_motion room[2] = {{0}, {0}};
        for (int side = 0; side < 2; side++)
            if (held->body[side] >= 0)
                cst_point_motion_take(arena, objects->model + held->body[side], dim, room + side);
        if (arena->failed)
            break;
        largest = fmax(largest, cst_constraint_error(held, objects->model, end, room));
        cst_arena_release(arena, mark);
    }
    return largest;
}

bool cst_step_end_measure(const cst_dynamics *dynamics, const cst_step_frame *frame, const cst_velocities *velocities,
                          const cst_contact_set *set, const cst_constraint *constraint, int constraints, cst_arena *arena,
                          cst_step_end *out)
{
    out->motion = cst_dynamics_largest_travel(dynamics, frame, velocities->v);
    out->relative_motion = cst_contacts_relative_motion(frame, &dynamics->layout, velocities, dynamics->threads, set);
    out->constraint_error =
        constraint_error(&dynamics->objects, frame->dim, cst_frame_end(frame), constraint, constraints, arena);
    return !arena->failed;
}
