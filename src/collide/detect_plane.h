/* All contacts of a scene in the plane: broad phase, nearest points, joints.
 *
 *     cst_detector detector;
 *     cst_detector_begin(&detector, allocator);
 *     each step:  count = cst_detect_plane(&detector, &scene, &touch);      -1: memory ran out
 *     cst_detector_end(&detector);
 *
 * A touch is a local minimum of the distance between two owners with gap < margin a + margin b: every one of them, each once.
 * - `a` is the arc of lower index, `b` the other arc, or a half-plane (index arcs + its own). Touches come in the order of
 *   (a, b, branch), whatever the number of threads. Put bodies before obstacles and a is always of a body.
 * - The arcs of an owner stand together, in the order of their features. Two that follow each other are joined if the first ends
 *   where the second begins (`s` says so); the last and the first of an owner that is closed are joined too. A contact at a joint
 *   is given once, to the arc that begins there or to one of the two if it is just beside. Rods are smooth at joints, polygons have corners: both are understood.
 * - Flat contact (parallel, concentric) is given at both ends of the interval where the distance is least. `flat` adds the
 *   ends of elements that lie nearly flat, so that a rod is held at both of them before it rocks.
 * - Where two centrelines cross (a rod has gone through another) the distance is 0 and the normal ambiguous: the shorter way
 *   out is taken, unless the caller knows better: cst_touch_keep_side with the normal of the contact that this one continues.
 * - Solid arcs push to their left. Matter is only found down to a depth of the radii and margins plus `solid_depth`; half-planes and
 *   hollow disks know no depth.
 * - Self contact (where allowed): the rod must turn by half a turn between the two points. No two points of a rod that turns less
 *   can be a local minimum of its distance to itself, so no contact is lost, and neighbours never touch by being neighbours.
 *
 * Shapes with a number that is not finite, or with negative length or radius, touch nothing and are counted in `ignored`. */
#ifndef CST_COLLIDE_DETECT_PLANE_H
#define CST_COLLIDE_DETECT_PLANE_H

#include "collide/detector.h"
#include "collide/owner_rules.h"
#include "collide/shape.h"

typedef struct cst_plane_scene {
    int arcs;
    const cst_arc *arc;
    const double *margin; /* (arcs) m, or NULL: 0 */
    int half_planes;
    const cst_half_plane *half_plane;
    const double *half_plane_margin; /* (half_planes) m, or NULL: 0 */
    int owners;                      /* owner numbers are 0 to owners - 1 */
    const uint8_t *owner_flags;      /* (owners) of CST_OWNER_*, or NULL: none */
    int aparts;
    const cst_owner_pair *apart; /* (aparts) owners that never touch each other, low < high, increasing */
    double flat;                 /* m: ends from which the gap falls by less than this along the element touch too. 0: rounding */
    double solid_depth;          /* m */
    int threads;                 /* 0 counts as 1 */
} cst_plane_scene;

/* Number of touches, in *out until the next call; -1 if memory ran out (*out is then NULL). No allocation when warm. */
int cst_detect_plane(cst_detector *detector, const cst_plane_scene *scene, const cst_touch **out);

/* `touch` continues a contact whose normal was `previous_normal`. If they penetrate and the normal has turned round, their
 * centrelines have passed through each other: the normal is turned back and the gap becomes the whole way back. True if so. */
bool cst_touch_keep_side(const cst_plane_scene *scene, const double *previous_normal, cst_touch *touch);

#endif
