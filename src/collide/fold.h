/* Decides which pieces of one centreline a fold may bring into contact.
 *
 * Edges of a nodal rod may fold at a node; a limp rod may fold until it lies on itself. Along the edge after the fold, the
 * distance to the edge before the fold decreases up to the node, so that no point is a local minimum. The far end of the edge
 * after the fold, where the next edge begins or the rod ends, is treated as a contact with the edge before the fold. The contact
 * at the far end of the edge after the fold keeps the fold open. If a fold has no contact at the far end of its second edge, a
 * limp rod with long edges overlaps itself, the part after the fold passes through the part before it, and the bending energy of
 * a discrete rod becomes singular at half a turn (random scenes of `capstan-bench random` with seeds 59 and 297).
 *
 * If an edge is compressed to less than the sum of the radii, a fold closes over two edges: the far end of the second edge
 * touches the edge before the first. A fold over two edges occurs in the random scene of `capstan-bench random` with seed 1583,
 * where a rod whose edges are as long as it is thick is crushed to a hairpin. Five shipped scenes of knots and heaps (tested for
 * 0.1 to 0.4 s each) take the same steps whether a fold may close over one edge only or over two.
 *
 * The two edges at a fold are straight (rod/nodal_curve.h). The centreline piece that follows the edge after the fold may be
 * curved (random scene of `capstan-bench random` with seed 1341). */
#ifndef CST_COLLIDE_FOLD_H
#define CST_COLLIDE_FOLD_H

#include "collide/distance_curve.h"

/* Returns true if the end `at` of a centreline piece is joined to the straight piece `other` by one or two pieces that are long
 * enough to fold. */
bool cst_piece_folds_at(const cst_placed_piece *piece, cst_on_piece at, const cst_placed_piece *other);

/* Returns true if the pieces a and b of one centreline (b after a) are joined to each other and long enough to fold, and one of
 * them is the first or the last piece of the centreline. */
bool cst_pieces_fold_at_end(const cst_placed_piece *a, const cst_placed_piece *b);

/* Any of these. */
bool cst_pieces_fold(const cst_placed_piece *a, const cst_placed_piece *b);

#endif
