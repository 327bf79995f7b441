/* The class of a reduced rod (body/body.h): super-circles and super-helices each come in two forms, which differ in A and in their dofs and
 * share the rest. One table makes all four. */
#ifndef CST_ROD_ROD_CLASS_H
#define CST_ROD_ROD_CLASS_H

#include "body/body.h"

/* Defines form_class, name `title`, out of the functions form_dofs, form_assemble, form_solve, form_describe, form_velocities and
 * form_point, and of those of its family, rod_place_body and so on. point_dofs_, roll_ (or NULL) and equilibrium_: as in the tables. */
#define CST_ROD_CLASS(rod, form, title, point_dofs_, roll_, equilibrium_)              \
    static const cst_body_dynamics form##_dynamics = {.dofs = form##_dofs,             \
                                                      .place = rod##_place_body,       \
                                                      .assemble = form##_assemble,     \
                                                      .rhs = rod##_rhs,                \
                                                      .solve = form##_solve,           \
                                                      .describe = form##_describe,     \
                                                      .velocities = form##_velocities, \
                                                      .motion = rod##_motion,          \
                                                      .push = rod##_push,              \
                                                      .roll = roll_,                   \
                                                      .finish = rod##_finish,          \
                                                      .energy = rod##_energy,          \
                                                      .work = rod##_work};             \
    static const cst_body_places form##_places = {.point_dofs = point_dofs_,           \
                                                  .locate = rod##_locate,              \
                                                  .touched = cst_touched_centreline,   \
                                                  .point = form##_point,               \
                                                  .velocity = rod##_velocity,          \
                                                  .position = rod##_position,          \
                                                  .acceleration = rod##_acceleration}; \
    static const cst_body_class form##_class = {.name = title,                         \
                                                .dynamics = &form##_dynamics,          \
                                                .state = &rod##_state,                 \
                                                .places = &form##_places,              \
                                                .surface = &rod##_surface,             \
                                                .look = &rod##_look,                   \
                                                .equilibrium = equilibrium_,           \
                                                .statics = &rod##_statics,             \
                                                .destroy = rod##_destroy}

#endif
