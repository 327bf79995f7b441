/* The bodies and obstacles of a world as the phases of a step see them: arrays, and nothing else of the world. */
#ifndef CST_WORLD_OBJECTS_H
#define CST_WORLD_OBJECTS_H

#include "body/body.h"
#include "rigid/obstacle.h"
#include "world/contact.h"
#include "world/surface.h"

/* What the world knows of a body besides its model. */
typedef struct cst_world_body {
    const char *name; /* never NULL */
    cst_surface surface;
    const double *element_friction; /* (elements of a rod) or NULL */
} cst_world_body;

typedef struct cst_objects {
    const cst_body_model *model; /* (bodies) */
    const cst_world_body *body;  /* (bodies) */
    int bodies;
    cst_obstacle *obstacle; /* (obstacles) not const: a mesh that deforms is moved to the time it is asked for */
    int obstacles;
} cst_objects;

/* One more than the largest owner number (world/contact.h). */
int cst_objects_owners(const cst_objects *objects);

/* Is there a body whose surface bends, a sheet? */
bool cst_objects_bend(const cst_objects *objects);

/* Surface properties of one end of a contact. */
cst_surface_side cst_objects_surface_side(const cst_objects *objects, const cst_contact_end *end);

/* Secant velocity over the step (3 components) of the point of an obstacle that is at x at the time `when`; end: the
 * place there, of a mesh; NULL: any. */
void cst_obstacle_step_velocity(const cst_obstacle *obstacle, const cst_step_frame *frame, double when,
                                const cst_contact_end *end, const double *x, double *velocity);

#endif
