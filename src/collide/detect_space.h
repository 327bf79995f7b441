/* Finds all contacts of a 3D scene: broad phase, nearest points, merging at joints. Most rules for contacts in 3D are the same as
 * in the plane (detect_plane.h).
 *
 * A contact is a local minimum of the distance between two shapes at which the gap is below the sum of their margins. All
 * contacts are returned, each once, with points on the true curves (distance_curve.h), however finely the curves are cut for the
 * search. Let n be the contact normal, and let w_a and w_b be the displacements, in the step, of the two points of a local
 * minimum of the distance (field `way`). A local minimum is also returned if its gap at the end of the step is predicted to be
 * below half the sum of the two margins: gap + n.(w_a - w_b) < (margin a + margin b) / 2. For straight centreline pieces that do
 * not rotate, the distance is a convex function of time, so that no pair whose gap falls below half the sum of its margins is
 * missed. A common velocity or rotation of all shapes does not change the contacts.
 *
 * Shape `a` of a contact is the centreline piece of lower index. Shape `b` is the other centreline piece (the same piece, with
 * s_a < s_b, if a bent piece touches itself), or a solid, whose index is the number of pieces plus its own index. Contacts are
 * ordered by shape `a`, then shape `b`, then their rank among the contacts of the two shapes (field `branch`), for any number of
 * threads. If the scene lists bodies before obstacles, shape `a` of a contact always belongs to a body.
 *
 * The centreline pieces of one body are consecutive in the scene, in the order of their elements. Two consecutive pieces are
 * joined if the first ends at the arc length `s` at which the second begins; the last and the first piece of a closed centreline
 * are joined too. A contact at a joint of two pieces is returned once, with the piece that begins there; a contact close to a
 * joint is returned once, with either of the two pieces. Joints may be corners.
 *
 * A contact of parallel centreline pieces is returned at both ends of the interval of least distance. The tolerance `flat` adds
 * contacts at both ends of a centreline piece that lies nearly flat on the other shape. Two contacts are merged if, on each
 * shape, they are less than a thousandth of the smaller radius apart.
 *
 * If two centrelines cross, the distance is 0, and the sign of the normal, which is perpendicular to both, is ambiguous. To keep
 * the sign of the normal from step to step, the caller passes the normal of the previous contact to cst_touch_space_keep_side.
 *
 * Two points of one centreline are tested for self contact only if the centreline turns by at least half a turn between them (on
 * a ring, both ways around), or by at least a quarter turn at a fold of straight edges (fold.h). The centreline between the two
 * points of a self contact and the straight line back form a closed curve, which turns by at least a full turn (Fenchel). At
 * each of the two contact points, the closed curve has a corner of at most a quarter turn, because the contact is a local
 * minimum of the distance. Between the two points of a self contact, the centreline turns by at least half a turn, except at
 * folds. The conditions on the turning of the centreline ensure that neighbouring centreline pieces touch each other only at
 * folds.
 *
 * Shapes with a number that is not finite, or with negative length or radius, touch nothing and are counted in `ignored`. Solids
 * do not touch solids directly. To detect contacts of a solid with other solids, the scene contains its edges as centreline
 * pieces with the flag `edge` (cst_piece); such pieces need not be joined. A contact at a corner or at a crossing of two edges is
 * returned once (edge_touches.h).
 *
 * Call cst_detector_begin once, cst_detect_space in every step and cst_detector_end at the end. */
#ifndef CST_COLLIDE_DETECT_SPACE_H
#define CST_COLLIDE_DETECT_SPACE_H

#include "collide/detect_plane.h"
#include "collide/shape_space.h"

typedef struct cst_space_scene {
    int pieces;
    const cst_piece *piece;
    const cst_piece_shape *shape; /* array (pieces): stored shapes; NULL: shapes are computed with cst_curve_view.at */
    const double *margin;         /* array (pieces): m, or NULL: 0 */
    int solids;
    const cst_solid *solid;
    const double *solid_margin;     /* array (solids): m, or NULL: 0 */
    const cst_piece_way *way;       /* displacement of each centreline piece in the step; NULL: no shape moves */
    const cst_solid_way *solid_way; /* (solids) or NULL */
    /* Expected displacements of the pieces and solids in the next call with the same shapes. The search distance of the present
     * call also covers the displacements expected in the next call, so that the next call can reuse the contacts of the present
     * call (kept_touches.h). Contacts that are reused are bitwise equal to the contacts that a new search would find. If NULL,
     * nothing is expected. */
    const cst_piece_way *next_way;
    const cst_solid_way *next_solid_way;
    int owners;                  /* bodies and obstacles, numbered from 0 */
    const cst_curve_view *curve; /* for each body, the functions that evaluate its centreline */
    const uint8_t *owner_flags;  /* array (owners): flags CST_OWNER_* of each body or obstacle; NULL: no flags */
    int aparts;
    const cst_owner_pair *apart; /* sorted list of pairs of bodies, lower number first, between which no contacts are searched */
    /* an end of a centreline piece counts as a contact if the gap decreases from this end along the piece by at most `flat`
     * (m) */
    double flat;
    double solid_depth; /* largest depth below the surface of a closed mesh at which centrelines are found (m) */
    int threads;        /* 0 counts as 1 */
} cst_space_scene;

/* Returns the number of contacts, or -1 if memory ran out (*out is then NULL). The array *out is valid until the next call.
 * Allocates only in the first calls. The function cst_detect_space uses the stored contacts of an earlier search of the same
 * shapes if a new search would give the same bits. */
int cst_detect_space(cst_detector *detector, const cst_space_scene *scene, const cst_touch_space **out);

/* The contact `touch` continues a contact of the previous step, which had the normal `previous_normal`. Centrelines have passed
 * through each other or through an open mesh if the shapes penetrate and the normal has reversed since the previous step. If
 * centrelines have passed through each other or through an open mesh, cst_touch_space_keep_side turns the contact normal back
 * to the side of `previous_normal`, sets the gap to -(distance of the centrelines + both radii), and returns true. */
bool cst_touch_space_keep_side(const cst_space_scene *scene, const double *previous_normal, cst_touch_space *touch);

/* Updates the contact `touch` of an earlier configuration; on entry, its fields a, b, part, s_a, s_b and normal must be set.
 * The updated contact stays at the same material point of shape a. The nearest point on shape b is searched near the old
 * contact point, also on the centreline pieces joined to b. The function cst_touch_space_hold sets the contact points, the
 * normal, the gap and the material point on shape b: the fields x_a, x_b, normal, gap, b, part and s_b. The function
 * cst_touch_space_hold keeps the side of the normal even if two centrelines have passed through each other: the gap is then
 * negative, and the penetration exceeds the sum of both radii. Returns false if the nearest point is beyond an end of the
 * centreline of shape b (the contact point is then this end of the centreline), or if a number is not finite. The margin is not
 * tested. */
bool cst_touch_space_hold(const cst_space_scene *scene, cst_touch_space *touch);

#endif
