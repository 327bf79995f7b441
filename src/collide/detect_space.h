/* All contacts of a scene in space: broad phase, nearest points, joints. The same contract as in the plane (detect_plane.h).
 *
 *     cst_detector detector;
 *     cst_detector_begin(&detector, allocator);
 *     each step:  count = cst_detect_space(&detector, &scene, &touch);      -1: memory ran out
 *     cst_detector_end(&detector);
 *
 * A touch is a local minimum of the distance between two owners with gap < margin a + margin b: every one of them, each once,
 * on the true curves (distance_curve.h), however finely they are cut for the search. Where shapes move in the step (`way`), so is
 * a minimum that comes nearer than half of that by the motion of its two points relative to each other along their normal: gap +
 * n.(way a - way b) < (margin a + margin b) / 2. The distance of straight pieces that do not turn is a convex function of time, so that none of those that
 * come that near is left out; and what all have in common, a velocity or a turn of the whole, changes nothing.
 * - `a` is the piece of lower index, `b` the other piece (the same: a bent piece with itself, s_a < s_b), or a solid (index
 *   pieces + its own). Touches come in the order of (a, b, branch), whatever the number of threads. Put bodies before obstacles
 *   and a is always of a body.
 * - The pieces of an owner stand together, in the order of their features. Two that follow each other are joined if the first
 *   ends where the second begins (`s` says so); the last and the first of an owner that is closed are joined too. A contact at a
 *   joint is given once, to the piece that begins there or to one of the two if it is just beside. Joints may be corners.
 * - Flat contact (parallel) is given at both ends of the interval where the distance is least. `flat` adds the ends of pieces
 *   that lie nearly flat. Touches nearer to each other than a thousandth of the radius on both shapes are one.
 * - Where two centrelines cross, the distance is 0 and the normal, across both, has an ambiguous sign: cst_touch_space_keep_side
 *   with the normal of the contact that this one continues.
 * - Self contact (where allowed): the owner must turn by half a turn between the two points, on a ring both ways. The arc between
 *   them and the straight way back make a closed curve, which turns at least once (Fenchel), and at most a quarter of that at
 *   each of its two corners: at a minimum of the distance, inside or at an end, no corner is sharper. So no contact is lost, and
 *   neighbours never touch by being neighbours.
 *
 * Shapes with a number that is not finite, or with negative length or radius, touch nothing and are counted in `ignored`. Solids
 * do not touch solids: those of a body or obstacle that should do so have their edges among the pieces (cst_piece.edge; they need
 * not be joined), which touch the solids of others; each corner and each crossing of two edges comes once (edge_touches.h). */
#ifndef CST_COLLIDE_DETECT_SPACE_H
#define CST_COLLIDE_DETECT_SPACE_H

#include "collide/detect_plane.h"
#include "collide/shape_space.h"

typedef struct cst_space_scene {
    int pieces;
    const cst_piece *piece;
    const double *margin; /* (pieces) m, or NULL: 0 */
    int solids;
    const cst_solid *solid;
    const double *solid_margin;     /* (solids) m, or NULL: 0 */
    const cst_piece_way *way;       /* (pieces) or NULL: nothing moves */
    const cst_solid_way *solid_way; /* (solids) or NULL */
    /* Ways that the next call is expected to have, with the same shapes: this one searches as far as they ask, and the next is
     * answered from what was found (kept_touches.h), in the same bits as a search of its own. NULL: none. */
    const cst_piece_way *next_way;
    const cst_solid_way *next_solid_way;
    int owners;                  /* owner numbers are 0 to owners - 1 */
    const cst_curve_view *curve; /* (owners) of those that have pieces */
    const uint8_t *owner_flags;  /* (owners) of CST_OWNER_*, or NULL: none */
    int aparts;
    const cst_owner_pair *apart; /* (aparts) owners that never touch each other, low < high, increasing */
    double flat;                 /* m: ends from which the gap falls by less than this along the piece touch too. 0: rounding */
    double solid_depth;          /* m: centrelines are found this far below the surface of a closed mesh */
    int threads;                 /* 0 counts as 1 */
} cst_space_scene;

/* Number of touches, in *out until the next call; -1 if memory ran out (*out is then NULL). No allocation when warm. A question
 * about the same shapes as one of the last two is answered without a search where that has the same bits. */
int cst_detect_space(cst_detector *detector, const cst_space_scene *scene, const cst_touch_space **out);

/* `touch` continues a contact whose normal was `previous_normal`. If they penetrate and the normal has turned round, their
 * centrelines have passed through each other (or through an open mesh): the normal is turned back and the gap becomes the whole
 * way back. True if so. */
bool cst_touch_space_keep_side(const cst_space_scene *scene, const double *previous_normal, cst_touch_space *touch);

/* `touch` (a, b, part, s_a, s_b, normal) is a contact that was: its point of shape a stays, the nearest point of shape b is found
 * anew near where it was, on the pieces joined to b too; x_a, x_b, normal, gap, b, part and s_b are filled. The normal keeps to
 * its side: what has gone through has a gap below minus both radii. False: the nearest point lies beyond the ends of b's owner
 * (what is filled is that end), or something is not finite. No margin is asked for. */
bool cst_touch_space_hold(const cst_space_scene *scene, cst_touch_space *touch);

#endif
