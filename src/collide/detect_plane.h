/* Finds all contacts of a planar scene: broad phase, nearest points, merging at joints.
 *
 * A contact is a local minimum of the distance between two shapes at which the gap is below the sum of their margins. All
 * contacts are returned, each once.
 *
 * Shape `a` of a contact is the arc of lower index; shape `b` is the other arc, or a half-plane, whose index is the number of
 * arcs plus its own index. Contacts are ordered by shape `a`, then shape `b`, then the arc lengths of the contact on both shapes,
 * for any number of threads. If the scene lists bodies before obstacles, shape `a` of a contact always belongs to a body.
 *
 * The arcs of one body are consecutive in the scene, in the order of their elements. Two consecutive arcs are joined if the
 * first ends at the arc length `s` at which the second begins; the last and the first arc of a closed curve are joined too. A
 * contact at a joint of two arcs is returned once, with the arc that begins there; a contact close to a joint is returned once,
 * with either of the two arcs. The joints of a rod are smooth, and those of a polygon are corners.
 *
 * A contact of parallel segments or concentric arcs is returned at both ends of the interval of least distance. The tolerance
 * `flat` adds contacts at both ends of an element that lies nearly flat on the other shape, so that the element does not rock
 * from one end to the other.
 *
 * If two centrelines cross (a rod has passed through another), the distance is 0 and the normal is ambiguous. At a crossing, the
 * normal is chosen such that one rod is pushed back across the other: the rod that has a free end nearer to the crossing. With
 * the function cst_touch_keep_side, the caller can restore the direction of the normal of the previous step.
 *
 * An arc that bounds a solid pushes other shapes to the left of the arc's direction. Penetration is found down to a depth that is
 * the sum of the radii, the margins and `solid_depth`; for half-planes and hollow disks the depth is unlimited.
 *
 * Two points of one rod are tested for self contact only if the rod turns by at least half a turn between them. If a rod turns by
 * less than half a turn between two of its points, the distance of these points is not a local minimum. The condition that the
 * rod turns by at least half a turn excludes no true self contact, but it excludes contacts of neighbouring elements.
 *
 * Shapes with a number that is not finite, or with negative length or radius, touch nothing and are counted in `ignored`.
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
    const double *margin; /* array (arcs): m, or NULL: 0 */
    int half_planes;
    const cst_half_plane *half_plane;
    const double *half_plane_margin; /* array (half_planes): m, or NULL: 0 */
    int owners;                      /* bodies and obstacles, numbered from 0 */
    const uint8_t *owner_flags;      /* array (owners): flags CST_OWNER_* of each body or obstacle; NULL: no flags */
    int aparts;
    const cst_owner_pair *apart; /* sorted list of pairs of bodies, lower number first, between which no contacts are searched */
    /* tolerance (m): an end of an element is also a contact if the gap, from this end along the element, decreases by at most
     * `flat`, or, with `flat` = 0, only by rounding errors */
    double flat;
    double solid_depth; /* m */
    int threads;        /* 0 counts as 1 */
} cst_plane_scene;

/* Returns the number of contacts, or -1 if memory ran out (*out is then NULL). The array *out is valid until the next call.
 * Allocates only in the first calls. */
int cst_detect_plane(cst_detector *detector, const cst_plane_scene *scene, const cst_touch **out);

/* The contact `touch` continues a contact of the previous step, which had the normal `previous_normal`. The centrelines have
 * passed through each other if the shapes penetrate and the normal has reversed since the previous step. If the centrelines have
 * passed through each other, cst_touch_keep_side turns the normal back to its previous side, sets the gap to -(distance of the
 * centrelines + both radii), and returns true. */
bool cst_touch_keep_side(const cst_plane_scene *scene, const double *previous_normal, cst_touch *touch);

#endif
