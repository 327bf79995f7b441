/* The bodies and obstacles of a world, as arrays for the phases of a step. */
#ifndef CST_WORLD_OBJECTS_H
#define CST_WORLD_OBJECTS_H

#include "body/body.h"
#include "rigid/obstacle.h"
#include "world/contact.h"
#include "world/surface.h"

/* Data that the world stores for a body, in addition to the model of the body. */
typedef struct cst_world_body {
    const char *name; /* never NULL */
    cst_surface surface;
    const double *element_friction; /* (elements of a rod) or NULL */
} cst_world_body;

typedef struct cst_objects {
    const cst_body_model *model; /* (bodies) */
    const cst_world_body *body;  /* (bodies) */
    int bodies;
    cst_obstacle *obstacle; /* array (obstacles); not const, because the meshes of deforming obstacles move */
    int obstacles;
} cst_objects;

/* Returns one more than the largest owner number, the integer that identifies a body or an obstacle (world/contact.h). */
int cst_objects_owners(const cst_objects *objects);

/* Returns true if at least one body has a surface that bends (a sheet). */
bool cst_objects_bend(const cst_objects *objects);

/* Returns the surface properties (friction, restitution, material) of one of the two bodies or obstacles of a contact. */
cst_surface_side cst_objects_surface_side(const cst_objects *objects, const cst_contact_end *end);

/* Computes the velocity (3 components), averaged over the step, of that point of an obstacle which is at the position x at the
 * time `when`. The argument `end` is the material point of the obstacle's mesh that is at the position x, or NULL if the caller
 * has not computed this point. */
void cst_obstacle_step_velocity(const cst_obstacle *obstacle, const cst_step_frame *frame, double when,
                                const cst_contact_end *end, const double *x, double *velocity);

#endif
