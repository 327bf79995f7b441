/* The contact shapes of a world, and the search for contacts between them. The interface cst_geometry_class has two
 * implementations (backends): geometry_plane.c for 2D and geometry_space.c for 3D.
 *
 * A backend searches contacts between bodies at the positions where they were placed last, and between bodies and obstacles at
 * a given time. From the motion of the bodies in the step, a backend computes the largest gap at which it makes a contact. */
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
    /* array (aparts): pairs of bodies or obstacles that make no contacts (world/apart_pairs.h) */
    const cst_owner_pair *apart;
    int aparts;
    int threads;
    cst_detector *detector;
    cst_feature_detector *features; /* 3D only */
} cst_geometry_input;

/* The motion of the bodies in a step: the velocities v move each body from its position at the start of the step to its
 * position at the end. */
typedef struct cst_geometry_motion {
    const double *v; /* array (dofs of all bodies) */
    /* array (dofs of all bodies): velocities without contacts, with which the search predicts which pairs come near each
     * other; NULL: not used */
    const double *free;
    /* array (dofs of all bodies): predicted velocities of the next step without contacts, for a search at the end of this
     * step; NULL: not used */
    const double *next;
    const int32_t *start_of; /* array (bodies): index at which the velocities of each body begin in v */
    bool at_end;             /* true: the bodies are at their positions at the end of the step */
} cst_geometry_motion;

typedef struct cst_geometry_class {
    /* Returns NULL if memory ran out. */
    void *(*begin)(const cst_geometry_input *input, cst_arena *arena);
    /* Finds all pairs of near points between bodies at their present positions, and between bodies and obstacles at `time`.
     * Two points count as near if the shapes penetrate there, or come near each other there in the step. Returns the number of
     * pairs of near points, or -1 if memory ran out.
     *     `travel`: in 2D, array (bodies): distance (m) that the fastest point of each body moves in the step; NULL: search
     *         margins are zero.
     *     `motion`: in 3D, the search uses the relative motion that two points would have without contacts (motion->free). */
    int (*find)(void *self, double time, const double *travel, const cst_geometry_motion *motion);
    /* Writes a pair of near points to the contact `out`: points, shapes, normal, centre, gap, and the number `branch`, which
     * distinguishes contacts of the same two shapes. `touch`: index of the pair of near points in the list found by the last call
     * of `find`. */
    void (*take)(const void *self, int touch, cst_contact *out);
    /* Corrects a contact whose normal is opposite to contact->before, the normal of the old contact that it continues. If the two
     * bodies have passed through each other, the old normal is restored, and the gap becomes minus the distance by which the
     * bodies must move back. A contact with a half-plane, with a solid or hollow shape in 2D, or in 3D with a solid other than an
     * open mesh stays as it is. */
    void (*keep_side)(const void *self, cst_contact *contact);
    /* Updates the old contact `before` to the present positions of the shapes: the first body keeps its material point, and the
     * second body gets the point nearest to it. Returns false if the contact must be dropped (conditions: hold_plane.h and
     * geometry_space.c). Call `hold` only after a call of `find` with search margins. `same_step`: true if the old contact was
     * found in an earlier linearisation of the same step. */
    bool (*hold)(const void *self, const cst_contact *before, bool same_step, cst_contact *out);
    /* Places all shapes at their present positions, without search margins, before `follow` updates the contacts. */
    void (*place)(void *self, double time);
    /* Updates a contact to the present positions of the shapes like `hold`, but never drops the contact. */
    void (*follow)(const void *self, cst_contact *contact);
    /* Sets contact->bend, the second derivative of the gap along the rod, if the contact rolls on a half-plane. NULL: contacts
     * do not roll. */
    void (*find_bend)(const void *self, cst_contact *contact);
    /* Finds the pairs of triangles that cross each other at the end of the step, and the new pairs among them. Call `crossings`
     * only after a search for contacts at the end of the step. At least one triangle of each pair belongs to a sheet. Returns
     * false if memory ran out. NULL: no sheets. */
    bool (*crossings)(const void *self, cst_arena *arena, cst_crossing_change *out);
    /* Returns the number of pairs of triangles that cross at the start of the step, and writes one of these pairs to *first.
     * Returns -1 if memory ran out. Call `crossings_at_start` after `find`. NULL: no sheets. */
    int (*crossings_at_start)(const void *self, cst_arena *arena, cst_feature_crossing *first);
    /* Passes the centreline elements and their motions in the step to the check for crossed centrelines. Call `strands` only
     * after a search for contacts at the end of the step. If a backend has no such function (NULL), the check for crossed
     * centrelines gets the elements from the bodies. */
    void (*strands)(const void *self, cst_strand_check *out);
    /* Returns the smallest positive contact radius (m): in 2D of all arcs, in 3D of all centreline elements. Returns 0 if there
     * is none. */
    double (*smallest_radius)(const void *self);
    /* True if two bodies can have two contacts at the same arc length of the first body, with different points on the second
     * body. */
    bool both_ends;
    /* True if `find` needs `travel`. */
    bool by_travel;
} cst_geometry_class;

typedef struct cst_geometry {
    const cst_geometry_class *class;
    void *self;
} cst_geometry;

extern const cst_geometry_class cst_geometry_plane, cst_geometry_space;

/* Starts the 2D or the 3D backend; returns false if memory ran out. */
static inline bool cst_geometry_begin(cst_geometry *geometry, const cst_geometry_input *input, cst_arena *arena)
{
    geometry->class = input->frame->dim == 2 ? &cst_geometry_plane : &cst_geometry_space;
    geometry->self = geometry->class->begin(input, arena);
    return geometry->self != NULL;
}

#endif
