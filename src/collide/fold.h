/* Decides which pieces of one centreline may touch each other because the centreline folds at a node.
 *
 * A rod made of nodes and straight edges may fold at a node; if its bending stiffness is small, one edge may even lie on the
 * next. Two edges that share a node have no local minimum of the distance except at the node, even if one folds back onto the
 * other. At a fold, where one edge folds back onto another, the far end of the second edge is treated as a contact with the first
 * edge, which keeps the fold open. The far end of a folded edge is the point where the next edge begins or the rod ends. Without
 * a contact at a fold, a limp rod with long edges would overlap itself, and its bending energy would become singular when the
 * fold reaches half a turn (example in `capstan-bench random` with the seed 59).
 *
 * If edges are shorter than the sum of the radii, a rod can also fold over two edges: the far end of the second edge then touches
 * the edge before the first. A fold over two edges occurs in `capstan-bench random` with the seed 1583, where a rod is crushed to
 * a hairpin.
 *
 * The two edges at a fold are straight (rod/nodal_curve.h). The centreline piece after the second edge of a fold may be curved
 * (seen in `capstan-bench random` with the seed 1341). */
#ifndef CST_COLLIDE_FOLD_H
#define CST_COLLIDE_FOLD_H

#include "collide/distance_curve.h"

/* Returns true if a centreline can fold between the end `at` of the given piece and the straight piece `other`: one or two
 * pieces, long enough for a fold, lie between them. */
bool cst_piece_folds_at(const cst_placed_piece *piece, cst_on_piece at, const cst_placed_piece *other);

/* Returns true if the pieces a and b of one centreline (b after a) are joined to each other and long enough to fold, and one of
 * them is the first or the last piece of the centreline. */
bool cst_pieces_fold_at_end(const cst_placed_piece *a, const cst_placed_piece *b);

/* Any of these. */
bool cst_pieces_fold(const cst_placed_piece *a, const cst_placed_piece *b);

#endif
