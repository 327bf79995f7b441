/* Finds all contacts of a planar scene.
 *
 * A contact is a local minimum of the distance between two shapes at which the gap is below the sum of the margins of the two
 * shapes. The search has three phases: pairs of overlapping bounding boxes (broad_phase.h), nearest points of each pair
 * (distance_arc.h), and the removal of contacts found twice at joints (joint_merge.h).
 *
 * Shape `a` of a contact is the arc with the lower index; shape `b` is another arc or a half-plane. The index of a half-plane is
 * the number of arcs plus its own number. Contacts are sorted by shape `a`, then by shape `b`, then by the arc lengths on the two
 * shapes. The order of the contacts does not depend on the number of threads. If the scene lists bodies before obstacles, shape
 * `a` of a contact always belongs to a body.
 *
 * The arcs of one body are consecutive in the scene, in the order of the body's elements. Two consecutive arcs are joined if the
 * second begins at the arc length at which the first ends. In a closed curve, the last arc is joined to the first. A contact at a
 * joint is returned once, with the arc that begins at the joint. The joints of a rod are smooth; those of a polygon are corners.
 *
 * Two parallel segments or concentric arcs have two contacts, at the two ends of the interval of least distance. An element that
 * lies nearly flat on another shape has a contact at each end, so that it does not rock; the tolerance is `flat`.
 *
 * Where two centrelines cross, their distance is 0 and does not define a normal. The normal at a crossing is chosen such that the
 * rod whose free end is nearer to the crossing is pushed back. With the function cst_touch_keep_side, the caller can instead keep
 * the direction of the normal of the previous step.
 *
 * An arc that bounds a solid pushes other shapes to its left. The penetration of a solid is found down to the sum of the radii,
 * the margins and `solid_depth`. The penetration of half-planes and hollow disks is found at any depth.
 *
 * Two points of one rod are tested for contact only if the rod turns by at least half a turn between them. With less than half a
 * turn between two points of a rod, their distance is not a local minimum. This test excludes pairs of neighbouring elements.
 *
 * Shapes with a number that is not finite, or with negative length or radius, have no contacts and are counted in `ignored`.
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
    const double *margin; /* array (arcs): contact margin (m); NULL: 0 */
    int half_planes;
    const cst_half_plane *half_plane;
    const double *half_plane_margin; /* array (half_planes): contact margin (m); NULL: 0 */
    int owners;                      /* bodies and obstacles, numbered from 0 */
    const uint8_t *owner_flags;      /* array (owners): flags CST_OWNER_* of each body or obstacle; NULL: none */
    int aparts;
    const cst_owner_pair *apart; /* sorted list of pairs of bodies that never touch each other; the lower number comes first */
    /* tolerance (m): an end of an element is also a contact if the gap decreases by at most `flat` from this end to the other
     * end */
    double flat;
    double solid_depth; /* depth (m), in addition to radii and margins, down to which the penetration of a solid is found */
    int threads;        /* 0 counts as 1 */
} cst_plane_scene;

/* Finds the contacts of a scene and sets *out to the array of contacts, which is valid until the next call. Returns the number of
 * contacts, or -1 if memory ran out (*out is then NULL). */
int cst_detect_plane(cst_detector *detector, const cst_plane_scene *scene, const cst_touch **out);

/* Keeps the side of a contact that continues a contact of the previous step; `previous_normal` is the normal in the previous
 * step. The centrelines have passed through each other if the shapes penetrate and the normal has reversed. In this case, the
 * function reverses the normal, sets the gap to -(distance of the centrelines + sum of the radii), and returns true. */
bool cst_touch_keep_side(const cst_plane_scene *scene, const double *previous_normal, cst_touch *touch);

#endif
