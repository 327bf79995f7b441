/* The bodies and obstacles of a world, as arrays for the phases of a step. */
#ifndef CST_WORLD_OBJECTS_H
#define CST_WORLD_OBJECTS_H

#include "body/body.h"
#include "rigid/obstacle.h"
#include "world/contact.h"
#include "world/surface.h"

/* Data that the world stores for a body besides its model. */
typedef struct cst_world_body {
    const char *name; /* name of the body; never NULL */
    cst_surface surface;
    const double *element_friction; /* array (elements of a rod): coefficients of friction, or NULL */
} cst_world_body;

typedef struct cst_objects {
    const cst_body_model *model; /* (bodies) */
    const cst_world_body *body;  /* (bodies) */
    int bodies;
    cst_obstacle *obstacle; /* array (obstacles); not const, because the meshes of deforming obstacles are updated */
    int obstacles;
} cst_objects;

/* Returns the length of an array that is indexed by owner numbers: each body and each obstacle has an owner number
 * (world/contact.h). */
int cst_objects_owners(const cst_objects *objects);

/* Returns true if the world contains a sheet. */
bool cst_objects_bend(const cst_objects *objects);

/* Returns the surface properties (friction, restitution, material) of one side of a contact. */
cst_surface_side cst_objects_surface_side(const cst_objects *objects, const cst_contact_end *end);

/* Computes the mean velocity, over the step, of the point of an obstacle that is at the position x at the time `when`. The
 * velocity has three components. `end`: the material point of the obstacle's mesh at x, or NULL if it is not known. */
void cst_obstacle_step_velocity(const cst_obstacle *obstacle, const cst_step_frame *frame, double when,
                                const cst_contact_end *end, const double *x, double *velocity);

#endif
