/* Contact geometry: the contact shapes of a world, and the search for contacts between them. The interface of geometry.h has
 * two implementations (backends): 2D (geometry_plane.c) and 3D (geometry_space.c).
 *
 * A backend searches contacts between the bodies at the positions where they were placed last, and contacts of these bodies
 * with the obstacles at a given time. A backend does not compute velocities: from the motion of the bodies in the step, which
 * the caller gives, it computes up to which gap it makes contacts. */
#ifndef CST_WORLD_GEOMETRY_H
#define CST_WORLD_GEOMETRY_H

#include "collide/detect_plane.h"
#include "collide/feature_crossing.h"
#include "world/objects.h"
#include "world/strand_check.h"

/* Input of a geometry backend; all pointers must stay valid until the end of the step. */
typedef struct cst_geometry_input {
    const cst_objects *objects;
    const cst_step_frame *frame;
    const cst_contact_rules *rules; /* margin and self-contact */
    const cst_owner_pair *apart;    /* array (aparts): pairs without contacts (world/apart_pairs.h) */
    int aparts;
    int threads;
    cst_detector *detector;
    cst_feature_detector *features; /* 3D only */
} cst_geometry_input;

/* The motion of the bodies in a step: each body moves from its position at the start of the step to the end position that
 * follows from the velocities v. */
typedef struct cst_geometry_motion {
    const double *v; /* (dofs of all) */
    /* array (dofs of all bodies): velocities of the motion without contacts, from which the search decides which pairs can come
     * near each other; NULL: not used */
    const double *free;
    /* array (dofs of all bodies): predicted velocities without contacts in the next step, if the search is made at the end of
     * this step; NULL: not used */
    const double *next;
    const int32_t *start_of; /* start of each body in v */
    bool at_end;             /* true: bodies are placed at the end of the step */
} cst_geometry_motion;

typedef struct cst_geometry_class {
    /* Allocates the data of the backend in the arena. Returns NULL if memory ran out. */
    void *(*begin)(const cst_geometry_input *input, cst_arena *arena);
    /* Finds all pairs of near points between the bodies at their present positions, and between these bodies and the obstacles
     * at `time`. Two points of two shapes form a pair of near points if the shapes penetrate there, or come near each other
     * there in the step. In 2D the search finds gaps up to a margin, which follows from the distance that the fastest point of
     * each body moves in the step (array `travel`, one entry per body). If `travel` is NULL, the search margins are zero. In 3D
     * a pair is found if its two material points come near each other in the relative motion that the bodies would have without
     * contacts (motion->free). Returns the number of pairs of near points, or -1 if memory ran out. */
    int (*find)(void *self, double time, const double *travel, const cst_geometry_motion *motion);
    /* Writes the geometry of a found pair of points to the contact `out`: both points, shapes, normal, centre, gap, and the
     * number `branch`, which distinguishes contacts of the same two shapes. Valid until the next `find`. */
    void (*take)(const void *self, int touch, cst_contact *out);
    /* The function keep_side is called for a contact that continues an old contact, if the normals of the two contacts are
     * opposite; contact->before is the normal of the old contact. If the two bodies have passed through each other, the
     * function keep_side restores the old contact normal, and sets the gap to minus the distance by which the bodies must move
     * back. */
    void (*keep_side)(const void *self, cst_contact *contact);
    /* Updates the old contact `before` to the present positions of the shapes: the first body keeps its material point, and
     * the second body gets the point nearest to it. The argument `same_step` is true if the old contact belongs to an earlier
     * linearisation of this step. Returns false if the contact must be dropped (hold_plane.h and geometry_space.c give the
     * conditions). The function `hold`, which updates old contacts, may be called only after a contact search (function `find`)
     * with search margins. */
    bool (*hold)(const void *self, const cst_contact *before, bool same_step, cst_contact *out);
    /* Places all shapes at their present positions, without search margins; this is necessary before contacts are updated with
     * the function `follow`. */
    void (*place)(void *self, double time);
    /* Updates a contact to the present positions of the shapes, like the function `hold`, but never drops the contact. */
    void (*follow)(const void *self, cst_contact *contact);
    /* Sets contact->bend, the second derivative of the gap along the rod, if the contact rolls on a half-plane. NULL: contacts
     * do not roll. */
    void (*find_bend)(const void *self, cst_contact *contact);
    /* Finds the pairs of triangles that cross each other at the end of the step, and the new pairs among them; at least one
     * triangle of each pair belongs to a sheet. Call `crossings` after the contact search `find`, while the bodies are at their
     * positions at the end of the step. Returns false if memory ran out. NULL: the backend has no sheets. */
    bool (*crossings)(const void *self, cst_arena *arena, cst_crossing_change *out);
    /* Returns the number of pairs of triangles that cross each other at the start of the step, or -1 if memory ran out. At
     * least one triangle of each crossing pair belongs to a sheet. Writes the first crossing pair to *first. Call
     * `crossings_at_start` after the function `find`. NULL: the backend has no sheets. */
    int (*crossings_at_start)(const void *self, cst_arena *arena, cst_feature_crossing *first);
    /* Writes the centreline elements and their motions in the step to the input of the check for crossed centrelines (members
     * `piece` and `move`). Call `strands` after the contact search `find` at the end of the step. NULL: not gathered. */
    void (*strands)(const void *self, cst_strand_check *out);
    /* Returns the smallest contact radius of all shapes at their last positions; 0 if all shapes have sharp edges. */
    double (*smallest_radius)(const void *self);
    /* True if there can be two contacts of the same two bodies at one arc length of the first body, with different points on
     * the second body. */
    bool both_ends;
    /* True if `find` needs `travel`. */
    bool by_travel;
} cst_geometry_class;

typedef struct cst_geometry {
    const cst_geometry_class *class;
    void *self;
} cst_geometry;

extern const cst_geometry_class cst_geometry_plane, cst_geometry_space;

/* Starts the backend for the dimension (2D or 3D) of input->frame. Returns false if memory ran out. */
static inline bool cst_geometry_begin(cst_geometry *geometry, const cst_geometry_input *input, cst_arena *arena)
{
    geometry->class = input->frame->dim == 2 ? &cst_geometry_plane : &cst_geometry_space;
    geometry->self = geometry->class->begin(input, arena);
    return geometry->self != NULL;
}

#endif
