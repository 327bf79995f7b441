/* Contact geometry: the shapes of a world, and the search for contacts on them. One interface has two backends: 2D
 * (geometry_plane.c) and 3D (geometry_space.c).
 *
 * A backend uses the bodies as they were placed last and the obstacles at a given time. A backend does not compute velocities:
 * the caller gives the motion of the bodies in the step, from which the backend chooses the margins. */
#ifndef CST_WORLD_GEOMETRY_H
#define CST_WORLD_GEOMETRY_H

#include "collide/detect_features.h"
#include "collide/detect_plane.h"
#include "world/objects.h"

/* Input of a backend; all pointers stay valid until the end of the step. */
typedef struct cst_geometry_input {
    const cst_objects *objects;
    const cst_step_frame *frame;
    const cst_contact_rules *rules; /* margin and self-contact */
    const cst_owner_pair *apart;    /* (aparts) pairs without contacts (world/apart_pairs.h) */
    int aparts;
    int threads;
    cst_detector *detector;
    cst_feature_detector *features; /* 3D only */
} cst_geometry_input;

/* The motion of the bodies in a step, from their positions at its start to the positions at its end, which follow from the
 * velocities v. */
typedef struct cst_geometry_motion {
    const double *v; /* (dofs of all) */
    /* (dofs of all bodies) velocities without contacts, from which the pairs that may come near each other are found; NULL: not
     * used */
    const double *free;
    /* (dofs of all bodies) estimate of `free` in the next step, made at the end of this step; NULL: not used */
    const double *next;
    const int32_t *start_of; /* (bodies) index in v at which the velocities of a body begin */
    bool at_end;             /* true: bodies are placed and gaps measured at the end of the step; false: at its start */
} cst_geometry_motion;

typedef struct cst_geometry_class {
    /* Allocates the backend's data in the arena. Returns NULL if memory ran out. */
    void *(*begin)(const cst_geometry_input *input, cst_arena *arena);
    /* Finds the touches between the bodies as they are placed now and the obstacles at `time`: all pairs that penetrate, and all
     * pairs that come near each other in the step. In 2D (by_travel) the margins follow from `travel` (bodies), the distance that
     * the fastest point of each body moves in the step (NULL: no margins). In 3D the relative motion of two places, with the
     * velocities motion->free, decides which pairs come near each other. Returns the number of touches, or -1 if memory ran
     * out. */
    int (*find)(void *self, double time, const double *travel, const cst_geometry_motion *motion);
    /* Writes the geometry of a touch to the contact `out`: both ends, shapes, branch, normal, centre, gap. Valid until the next
     * `find`. */
    void (*take)(const void *self, int touch, cst_contact *out);
    /* Called for a contact whose normal is opposite to its old normal contact->before. If the two sides have passed through
     * each other, the function restores the old normal, and sets the gap to minus the distance by which the sides must move
     * back. */
    void (*keep_side)(const void *self, cst_contact *contact);
    /* Updates the contact `before` to the present positions of the shapes: side a keeps its material point, side b gets the
     * point nearest to it. `same_step`: `before` belongs to an earlier linearisation of this step. Returns false if the contact
     * is dropped (conditions: hold_plane.h, geometry_space.c). Call the function `hold` only after `find` has been called with
     * margins. */
    bool (*hold)(const void *self, const cst_contact *before, bool same_step, cst_contact *out);
    /* Places all shapes at their present positions, without margins; call this function before `follow`. */
    void (*place)(void *self, double time);
    /* Updates a contact like `hold`, but never drops the contact. */
    void (*follow)(const void *self, cst_contact *contact);
    /* Sets contact->bend if the contact rolls on a fixed obstacle. NULL: the backend has no rolling contacts. */
    void (*find_bend)(const void *self, cst_contact *contact);
    /* Returns the smallest contact radius of all shapes that were placed last; 0 if all shapes are sharp. */
    double (*smallest_radius)(const void *self);
    /* True if two contacts of the same pair of owners may have the same arc length s on side a but different places on side
     * b. */
    bool both_ends;
    /* True if `find` needs the travel of the bodies. */
    bool by_travel;
} cst_geometry_class;

typedef struct cst_geometry {
    const cst_geometry_class *class;
    void *self;
} cst_geometry;

extern const cst_geometry_class cst_geometry_plane, cst_geometry_space;

/* Starts the backend for the dimension of input->frame. Returns false if memory ran out. */
static inline bool cst_geometry_begin(cst_geometry *geometry, const cst_geometry_input *input, cst_arena *arena)
{
    geometry->class = input->frame->dim == 2 ? &cst_geometry_plane : &cst_geometry_space;
    geometry->self = geometry->class->begin(input, arena);
    return geometry->self != NULL;
}

#endif
