/* Functions and function tables that rigid bodies in 2D (rigid_body.c) and in 3D (rigid_space.c) have in common. */
#ifndef CST_RIGID_RIGID_CLASS_H
#define CST_RIGID_RIGID_CLASS_H

#include "body/body.h"

static inline int cst_rigid_vertices(const void *self)
{
    (void)self;
    return 1;
}

/* In a step to a static equilibrium (world/quasi_static.h), adds the proximal term M g (system matrix M, guessed velocities g) to
 * the right-hand side. Returns g^T M g.
 *     `matrix`: system matrix M, lower triangle.
 *     `guess`: guessed velocities g. */
static inline double cst_rigid_hold(int dofs, const double *matrix, const double *guess, double *rhs)
{
    double work = 0.0;
    for (int i = 0; i < dofs; i++) {
        double impulse = 0.0;
        for (int k = 0; k < dofs; k++)
            impulse += matrix[i > k ? i * dofs + k : k * dofs + i] * guess[k];
        rhs[i] += impulse;
        work += impulse * guess[i];
    }
    return work;
}

/* The macro CST_RIGID_CLASS defines the function table `rigid_class` of one kind of rigid body. The file that includes
 * rigid_class.h defines the functions, the table rigid_surface, the type `rigid`, and the constants DOFS and STATE. Macro
 * arguments:
 *     `title`: name of this kind of rigid body.
 *     `position_`, `triangles_`: functions or NULL.
 *     `radius_`, `mass_`: fields of `rigid`. */
#define CST_RIGID_CLASS(title, position_, triangles_, radius_, mass_)                             \
    static void vertex(const void *self, int index, cst_material_point *at, double *radius)       \
    {                                                                                             \
        (void)index;                                                                              \
        *at = (cst_material_point){0};                                                            \
        *radius = ((const rigid *)self)->radius_;                                                 \
    }                                                                                             \
    static double hold(void *self, const cst_step_frame *frame, const double *guess)              \
    {                                                                                             \
        (void)frame;                                                                              \
        return cst_rigid_hold(DOFS, ((rigid *)self)->matrix, guess, ((rigid *)self)->rhs);        \
    }                                                                                             \
    static void scale(const void *self, cst_body_scale *out)                                      \
    {                                                                                             \
        *out = (cst_body_scale){.mass = ((const rigid *)self)->mass_};                            \
    }                                                                                             \
    static int state_size(const void *self)                                                       \
    {                                                                                             \
        (void)self;                                                                               \
        return STATE;                                                                             \
    }                                                                                             \
    static const cst_body_dynamics rigid_dynamics = {.dofs = dofs,                                \
                                                     .place = place,                              \
                                                     .assemble = assemble,                        \
                                                     .rhs = rhs,                                  \
                                                     .solve = solve,                              \
                                                     .describe = describe,                        \
                                                     .velocities = velocities,                    \
                                                     .motion = motion,                            \
                                                     .finish = finish,                            \
                                                     .energy = energy,                            \
                                                     .work = work};                               \
    static const cst_body_state rigid_state = {.size = state_size, .save = save, .load = load};   \
    static const cst_body_places rigid_places = {.point_dofs = dofs,                              \
                                                 .locate = locate,                                \
                                                 .touched = touched,                              \
                                                 .point = point,                                  \
                                                 .point_between = point_between,                  \
                                                 .velocity = velocity,                            \
                                                 .position = position_};                          \
    static const cst_body_look rigid_look = {                                                     \
        .draw = draw, .triangles = triangles_, .vertices = cst_rigid_vertices, .vertex = vertex}; \
    static const cst_body_statics rigid_statics = {.scale = scale, .hold = hold};                 \
    static const cst_body_class rigid_class = {.name = title,                                     \
                                               .dynamics = &rigid_dynamics,                       \
                                               .state = &rigid_state,                             \
                                               .places = &rigid_places,                           \
                                               .surface = &rigid_surface,                         \
                                               .look = &rigid_look,                               \
                                               .statics = &rigid_statics,                         \
                                               .destroy = destroy}

#endif
