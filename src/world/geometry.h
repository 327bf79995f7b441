/* Contact geometry: the shapes of a world, and how contacts are found on them and kept. One interface, two backends: the plane
 * (geometry_plane.c) and space (geometry_space.c).
 *
 * A backend sees bodies as they were placed last and obstacles at a time that it is given. It knows no velocities: how far each
 * body travels in the step is given to it, and decides the margins. */
#ifndef CST_WORLD_GEOMETRY_H
#define CST_WORLD_GEOMETRY_H

#include "collide/detect_features.h"
#include "collide/detect_plane.h"
#include "world/objects.h"

/* What a backend is made from; all of it lasts as long as the step. */
typedef struct cst_geometry_input {
    const cst_objects *objects;
    const cst_step_frame *frame;
    const cst_contact_rules *rules; /* margin and self contact */
    const cst_owner_pair *apart;    /* (aparts) owners that never touch each other (world/apart_pairs.h) */
    int aparts;
    int threads;
    cst_detector *detector;
    cst_feature_detector *features; /* space */
} cst_geometry_input;

/* The motion of a step: from where bodies are at its start to where v takes them at its end. */
typedef struct cst_geometry_motion {
    const double *v;         /* (dofs of all) */
    const double *free;      /* (dofs of all) v without contacts: what would come near if they let go. NULL: not asked for */
    const double *next;      /* (dofs of all) at the end: what `free` of the next step is likely to be, or NULL: not asked for */
    const int32_t *start_of; /* (bodies) where a body's velocities begin in v */
    bool at_end;             /* bodies are placed, and gaps measured, at the end of the step; otherwise at its start */
} cst_geometry_motion;

typedef struct cst_geometry_class {
    /* The backend's own data, from the arena; NULL: out of memory. */
    void *(*begin)(const cst_geometry_input *input, cst_arena *arena);
    /* Touches of the bodies as they are placed now and of the obstacles at `time`: all that penetrate, and those that come near in
     * the step. In the plane (by_travel) by margins from `travel` (bodies), how far the fastest point of each body goes in the step (NULL: none);
     * in space by the relative motion of the two places with motion->free. Returns how many; -1: out of memory. */
    int (*find)(void *self, double time, const double *travel, const cst_geometry_motion *motion);
    /* Who and where of a touch: both ends, shapes, branch, normal, centre, gap. Valid until the next find. */
    void (*take)(const void *self, int touch, cst_contact *out);
    /* contact->before is opposite to the normal. If the two have gone through each other the normal is turned back, and the gap
     * becomes the whole way back. */
    void (*keep_side)(const void *self, cst_contact *contact);
    /* The contact `before` at the same point of side a, with the nearest point of side b where shapes are now. same_step: `before`
     * is of an earlier linearisation of this step. False: it is dropped (hold_plane.h, geometry_space.c say when). After a find
     * with margins. */
    bool (*hold)(const void *self, const cst_contact *before, bool same_step, cst_contact *out);
    /* All shapes as they are placed now, without margins, for `follow`. */
    void (*place)(void *self, double time);
    /* As hold, but the contact is never dropped. */
    void (*follow)(const void *self, cst_contact *contact);
    /* Sets `bend` of a contact that rolls. NULL: none does. */
    void (*find_bend)(const void *self, cst_contact *contact);
    /* Smallest contact radius of all shapes, as gathered last; 0: all are sharp. */
    double (*smallest_radius)(const void *self);
    /* Contacts of one pair of owners at the same s of a may be at different places of b. */
    bool both_ends;
    /* `find` asks for the travel of bodies. */
    bool by_travel;
} cst_geometry_class;

typedef struct cst_geometry {
    const cst_geometry_class *class;
    void *self;
} cst_geometry;

extern const cst_geometry_class cst_geometry_plane, cst_geometry_space;

/* The backend for the dimension of input->frame. False: out of memory. */
static inline bool cst_geometry_begin(cst_geometry *geometry, const cst_geometry_input *input, cst_arena *arena)
{
    geometry->class = input->frame->dim == 2 ? &cst_geometry_plane : &cst_geometry_space;
    geometry->self = geometry->class->begin(input, arena);
    return geometry->self != NULL;
}

#endif
