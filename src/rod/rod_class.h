/* Macros that define the function tables of rods (body/body.h). A super-circle rod or a super helix has two formulations with
 * different dofs and matrices. The functions that do not depend on the formulation are shared. */
#ifndef CST_ROD_ROD_CLASS_H
#define CST_ROD_ROD_CLASS_H

#include "body/body.h"

#define CST_ROD_PLACES(point_dofs_, locate_, point_, velocity_, position_, acceleration_)                                        \
    {                                                                                                                            \
        .point_dofs = point_dofs_, .locate = locate_, .touched = cst_touched_centreline, .point = point_, .velocity = velocity_, \
        .position = position_, .acceleration = acceleration_                                                                     \
    }

/* Initialises the table of a fiber's functions for contact detection in 3D (cst_body_surface). A file that uses CST_FIBER_SURFACE
 * must define the functions pieces, piece, curve, shapes, drift and moved.
 * `ways`: value of the member `piece_ways` of cst_body_surface.
 * `inside_`, `bow_`: values of the members `inside` and `bow`; may be NULL. */
#define CST_FIBER_SURFACE(ways, inside_, bow_)                                                                       \
    {                                                                                                                \
        .self_contact = true, .pieces = pieces, .piece = piece, .curve = curve, .shapes = shapes, .inside = inside_, \
        .drift = drift, .bow = bow_, .piece_ways = ways, .moved = moved                                              \
    }

/* Defines the body class of one formulation of a rod.
 * `rod`: prefix of the functions that the two formulations share, for example rod_place_body.
 * `form`: prefix of the functions that only this formulation has: dofs, assemble, solve, describe, velocities and point.
 * `title`: name of the class.
 * `point_dofs_`, `roll_`, `equilibrium_`, `fetch_`: values of the members point_dofs, roll, equilibrium and fetch in the tables
 * of body/body.h; `roll_` and `fetch_` may be NULL. */
#define CST_ROD_CLASS(rod, form, title, point_dofs_, roll_, equilibrium_, fetch_)                                    \
    static const cst_body_dynamics form##_dynamics = {.dofs = form##_dofs,                                           \
                                                      .place = rod##_place_body,                                     \
                                                      .assemble = form##_assemble,                                   \
                                                      .rhs = rod##_rhs,                                              \
                                                      .solve = form##_solve,                                         \
                                                      .describe = form##_describe,                                   \
                                                      .velocities = form##_velocities,                               \
                                                      .motion = rod##_motion,                                        \
                                                      .push = rod##_push,                                            \
                                                      .roll = roll_,                                                 \
                                                      .finish = rod##_finish,                                        \
                                                      .energy = rod##_energy,                                        \
                                                      .work = rod##_work};                                           \
    static const cst_body_places form##_places =                                                                     \
        CST_ROD_PLACES(point_dofs_, rod##_locate, form##_point, rod##_velocity, rod##_position, rod##_acceleration); \
    static const cst_body_class form##_class = {.name = title,                                                       \
                                                .dynamics = &form##_dynamics,                                        \
                                                .state = &rod##_state,                                               \
                                                .places = &form##_places,                                            \
                                                .surface = &rod##_surface,                                           \
                                                .look = &rod##_look,                                                 \
                                                .equilibrium = equilibrium_,                                         \
                                                .statics = &rod##_statics,                                           \
                                                .fetch = fetch_,                                                     \
                                                .destroy = rod##_destroy}

/* Defines a function and a table whose names begin with the argument `rod`: the function rod_destroy, which frees a rod, and the
 * table rod_look of the functions for drawing (cst_body_look). A file that uses CST_ROD_LOOK must define the function `draw`.
 * `elements_`: struct member for the number of elements.
 * `last`: C expression for the length of the last element, in which `self_` points to the rod. */
#define CST_ROD_LOOK(rod, type, elements_, last)                                            \
    static int vertices(const void *self)                                                   \
    {                                                                                       \
        return ((const type *)self)->elements_ + (((const type *)self)->closed ? 0 : 1);    \
    }                                                                                       \
    static void vertex(const void *self, int index, cst_material_point *at, double *radius) \
    {                                                                                       \
        const type *self_ = self;                                                           \
        *at = cst_element_end(index, self_->elements_, last);                               \
        *radius = self_->radius[at->feature];                                               \
    }                                                                                       \
    void rod##_destroy(void *self)                                                          \
    {                                                                                       \
        if (self)                                                                           \
            cst_arena_end_from_within(&((type *)self)->arena);                              \
    }                                                                                       \
    const cst_body_look rod##_look = {.draw = draw, .vertices = vertices, .vertex = vertex}

/* Defines the functions that save and load the state of a rod, which is one array of `numbers` values. After loading, the
 * function rod_settle (prefix: argument `rod`) updates the data that follow from the state. */
#define CST_ROD_STATE(rod, type, numbers)                                               \
    static int state_size(const void *self)                                             \
    {                                                                                   \
        const type *self_ = self;                                                       \
        return numbers;                                                                 \
    }                                                                                   \
    static void save(const void *self, double *to)                                      \
    {                                                                                   \
        memcpy(to, ((const type *)self)->state, (size_t)state_size(self) * sizeof *to); \
    }                                                                                   \
    static void load(void *self, const double *from)                                    \
    {                                                                                   \
        memcpy(((type *)self)->state, from, (size_t)state_size(self) * sizeof *from);   \
        rod##_settle(self);                                                             \
    }                                                                                   \
    const cst_body_state rod##_state = {.size = state_size, .save = save, .load = load}

#endif
