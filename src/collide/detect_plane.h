/* Finds all contacts of a planar scene.
 *
 * A contact is a local minimum of the distance between two shapes at which the gap is below the sum of the contact margins of the
 * two shapes. The search has three phases: pairs of overlapping bounding boxes (broad_phase.h), nearest points (distance_arc.h),
 * and the removal of duplicates at joints (joint_merge.h).
 *
 * Shape `a` of a contact is the arc with the lower index; shape `b` is an arc with the same or a higher index, or a half-plane,
 * whose index is the number of arcs plus its own number. Contacts are sorted by shape `a`, then shape `b`, then the field
 * `branch`, and are the same for any number of threads.
 *
 * The arcs of one body are consecutive in the scene. Two consecutive arcs are joined if the second begins at the arc length at
 * which the first ends; in a closed curve, the last arc is joined to the first. A contact at a joint is returned once, with the
 * arc that begins at the joint.
 *
 * Two parallel segments or concentric arcs have two contacts, at the two ends of the interval of least distance. An element that
 * lies nearly flat on another shape has a contact at each end, so that it does not rock.
 *
 * Where two centrelines cross, their distance does not define a normal. The normal at a crossing is chosen such that the rod
 * whose free end is nearer to the crossing is pushed back. If the contact existed in the previous step, the function
 * cst_touch_keep_side restores the direction that its normal had then.
 *
 * An arc that bounds a solid pushes other shapes to the left side of the arc. A shape inside a solid has a contact only if its
 * centreline is at most this far below the arcs that bound the solid: the sum of the radii and contact margins of the two shapes,
 * plus `solid_depth`. Shapes that penetrate a half-plane or a hollow disk have contacts at any depth.
 *
 * Two points of one rod can touch only if the rod turns by at least half a turn between them. Two elements of one rod are tested
 * against each other only if the rod turns by at least half a turn between a point of the first and a point of the second.
 *
 * Shapes with invalid numbers (not finite, or negative length or radius) have no contacts and are counted in `ignored`.
 *
 * Call cst_detector_begin once, cst_detect_plane in every step and cst_detector_end at the end. */
#ifndef CST_COLLIDE_DETECT_PLANE_H
#define CST_COLLIDE_DETECT_PLANE_H

#include "collide/detector.h"
#include "collide/owner_rules.h"
#include "collide/shape.h"

typedef struct cst_plane_scene {
    int arcs;
    const cst_arc *arc;
    const double *margin; /* array (arcs): m; NULL: 0 */
    int half_planes;
    const cst_half_plane *half_plane;
    const double *half_plane_margin; /* array (half_planes): m; NULL: 0 */
    int owners;                      /* bodies and obstacles, numbered from 0 */
    const uint8_t *owner_flags;      /* array (owners): CST_OWNER_*; NULL: none */
    int aparts;
    const cst_owner_pair *apart; /* sorted pairs of bodies that never touch each other, with the lower number first */
    /* tolerance (m): an end of an element is also a contact if the gap decreases from this end by at most `flat` over the length
     * of the shorter of the two elements (over the length of the element, if the other shape is a half-plane) */
    double flat;
    double solid_depth; /* m (top of detect_plane.h) */
    int threads;        /* 0 counts as 1 */
} cst_plane_scene;

/* Sets *out to the array of contacts, which is valid until the next call. Returns the number of contacts, or -1 if memory ran
 * out. */
int cst_detect_plane(cst_detector *detector, const cst_plane_scene *scene, const cst_touch **out);

/* Restores the direction that the normal of a contact had in the previous step (`previous_normal`). The code assumes that two
 * centrelines have passed through each other if their shapes penetrate and the contact normal has reversed since the previous
 * step. If two centrelines have passed through each other, the function cst_touch_keep_side reverses the normal, sets the gap to
 * -(distance of the centrelines + sum of the radii), and returns true. A contact with a half-plane, a solid or a hollow disk
 * stays as it is, and the function returns false. */
bool cst_touch_keep_side(const cst_plane_scene *scene, const double *previous_normal, cst_touch *touch);

#endif
