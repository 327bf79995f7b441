/* Which pieces of one owner a fold may bring together.
 *
 * Edges of a nodal rod may fold at a node, a limp one until it lies on itself. Along the edge after the fold the distance to the edge before it
 * falls as far as the node, and no place is a minimum. The far end of that edge, where the next one begins or the owner ends, touches the edge before
 * the fold all the same: it is the far end of the overlap, and holds the fold open. Without it a limp rod of long edges lies in itself, what comes
 * after the fold passes through what comes before it, and the bending of a discrete rod becomes singular at half a turn (random worlds 59 and 297
 * of capstan-bench).
 *
 * An edge may be pressed to less than the radii together. Then a fold closes over two edges: the far end of the second touches the edge before the first (random world 1583: a rod whose
 * edges are as long as it is thick, crushed to a hairpin). Five shipped scenes of knots and heaps take the same steps
 * with one edge and with two (0.1 to 0.4 s of each).
 *
 * The two edges at a fold are straight (rod/nodal_curve.h); the piece that goes on where the far end is may be a curve (random world 1341). */
#ifndef CST_COLLIDE_FOLD_H
#define CST_COLLIDE_FOLD_H

#include "collide/distance_curve.h"

/* Is this end of a piece joined, by one piece or by two that are long enough to fold, to `other`, which is straight? */
bool cst_piece_folds_at(const cst_placed_piece *piece, cst_on_piece at, const cst_placed_piece *other);

/* Pieces a and b of one owner, b after a: joined to each other, long enough to fold, and one of them is the owner's first or last. */
bool cst_pieces_fold_at_end(const cst_placed_piece *a, const cst_placed_piece *b);

/* Any of these. */
bool cst_pieces_fold(const cst_placed_piece *a, const cst_placed_piece *b);

#endif
