/* Finds all contacts of a 3D scene in three phases: broad phase, nearest points, merging at joints.
 *
 * A contact is a local minimum of the distance between two shapes, computed for the true curves (distance_curve.h). A contact is
 * returned if its gap is below the sum of the margins of its two shapes. A contact is also returned if its gap may fall below
 * half the sum of the two margins in the step:
 *     `gap+n.(w_a-w_b)-s < (margin_a+margin_b)/2`.
 *     `n`: contact normal, from shape b to shape a.
 *     `w_a`, `w_b`: displacements of the two contact points in the step (m).
 *     `s`: sum of the uncertainties of the displacements w_a and w_b of the two contact points (m).
 * A velocity or rotation that is common to all shapes does not change the contacts.
 *
 * Shape `a` of a contact is the centreline piece of lower index. Shape `b` is the second centreline piece, or a solid, whose
 * index is the number of pieces plus its own index. In a contact of a bent piece with itself, shapes `a` and `b` are the same
 * piece, and the arc lengths of the contact points satisfy s_a < s_b. Contacts are sorted by shape `a`, then shape `b`, then the
 * field `branch`, and are the same for any number of threads. If the scene lists bodies before obstacles, shape `a` of a contact
 * belongs to a body.
 *
 * The centreline pieces of one body are consecutive in the scene. Two consecutive pieces are joined if the first ends at the arc
 * length at which the second begins; a joint may be a corner. A contact at a joint of two pieces is returned once, with the piece
 * that begins there.
 *
 * Two parallel centreline pieces have contacts at both ends of the interval of least distance. The tolerance `flat` adds contacts
 * at both ends of a centreline piece that lies nearly flat on another shape. Two contacts are merged if their points on each
 * centreline are at most a thousandth of the smaller radius of the two pieces apart; on a solid, the limit is four thousandths of
 * the radius of the piece.
 *
 * If two centrelines cross, their distance is 0, and the sign of the contact normal is ambiguous. The function
 * cst_touch_space_keep_side restores the sign that the normal had in the previous step.
 *
 * Two segments of one centreline are tested for self contact only if the centreline turns by at least half a turn between points
 * of the two segments. Where a rod of straight edges can fold onto itself (fold.h), two segments are tested if the centreline
 * turns by at least a quarter turn between them. Except at a fold, a centreline turns by at least half a turn between two of its
 * points that touch (Fenchel's theorem).
 *
 * Shapes with a number that is not finite, or with negative length or radius, have no contacts and are counted in the field
 * `ignored` of the detector. For contacts between solids, the scene contains the edges of solids as centreline pieces with the
 * flag `edge` (cst_piece). The edges of a solid are not joined at its corners. A contact at a corner, or at a crossing of two
 * edges, is returned once (edge_touches.h).
 *
 * Call cst_detector_begin once, cst_detect_space in every step and cst_detector_end at the end. */
#ifndef CST_COLLIDE_DETECT_SPACE_H
#define CST_COLLIDE_DETECT_SPACE_H

#include "collide/detect_plane.h"
#include "collide/shape_space.h"

typedef struct cst_space_scene {
    int pieces;
    const cst_piece *piece;
    /* array (pieces): current shape of each piece; NULL: the shapes are computed by cst_curve_view.at */
    const cst_piece_shape *shape;
    const double *margin; /* array (pieces): contact margins (m); NULL: 0 */
    int solids;
    const cst_solid *solid;
    const double *solid_margin;     /* array (solids): m; NULL: 0 */
    const cst_piece_way *way;       /* array (pieces): displacements in the step; NULL: no shape moves */
    const cst_solid_way *solid_way; /* array (solids): displacements in the step; NULL if and only if `way` is NULL */
    /* Displacements that are expected in the next call with the same shapes; NULL: none. If expected displacements are given, the
     * search distance is computed from them instead of from `way`, so that the next call can return the stored contacts
     * (kept_touches.h). */
    const cst_piece_way *next_way;
    const cst_solid_way *next_solid_way;
    int owners;                  /* bodies and obstacles, numbered from 0 */
    const cst_curve_view *curve; /* array (owners): functions that evaluate the centreline of each body */
    const uint8_t *owner_flags;  /* array (owners): flags CST_OWNER_* of each body or obstacle; NULL: no flags */
    int aparts;
    const cst_owner_pair *apart; /* sorted pairs of bodies (lower number first) that do not touch each other */
    /* tolerance (m): an end of a centreline piece is also a contact if the gap decreases from this end along the piece by at most
     * `flat` */
    double flat;
    /* a centreline inside a closed mesh has a contact only if its depth below the surface of the mesh is at most this length (m)
     * plus its radius and the contact margins of the two shapes */
    double solid_depth;
    int threads; /* 0 counts as 1 */
} cst_space_scene;

/* Returns the number of contacts, or -1 if memory ran out (*out is then NULL). The array *out is valid until the next call. A
 * call allocates memory only if it needs more than is kept from earlier calls. The stored contacts of an earlier search of the
 * same shapes are returned if a new search would find the same contacts, identical in every bit. */
int cst_detect_space(cst_detector *detector, const cst_space_scene *scene, const cst_touch_space **out);

/* Restores the sign of a contact normal after two centrelines, or a centreline and an open mesh, have passed through each other.
 * If the shapes penetrate and the normal has reversed since the previous step, the function reverses the normal back and returns
 * true. The gap of two centrelines is then set to -(distance of the centrelines + both radii). On an open mesh, the point x_b of
 * the contact moves to the other face of the mesh. */
bool cst_touch_space_keep_side(const cst_space_scene *scene, const double *previous_normal, cst_touch_space *touch);

/* Updates a contact after the shapes have moved. The caller sets the fields a, b, part, s_a, s_b and normal of the contact; the
 * function updates the fields x_a, x_b, normal, gap, b, part and s_b. The contact stays at the same material point of shape a.
 * The nearest point of shape b is searched near the old contact point, also on the centreline pieces joined to b.
 *
 * The normal does not reverse even if two centrelines have passed through each other: the gap is then negative, and the
 * penetration exceeds the sum of both radii. Returns false if a number is not finite. If the nearest point is beyond an end of
 * the centreline of shape b, the contact point is set to this end, and the function returns false. The margin is not tested. */
bool cst_touch_space_hold(const cst_space_scene *scene, cst_touch_space *touch);

#endif
