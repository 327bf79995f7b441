/* Contacts of a centreline with itself at a fold.
 *
 * A rod of nodes and straight edges can fold at a node until one edge lies on the next. Two edges that share a node have no local
 * minimum of the distance except at the node, so that the search for minima finds no contact at a fold. To find a contact at a
 * fold, the far end of the second edge is tested as a contact with the first edge. The far end of a folded edge is the point
 * where the next edge begins or the rod ends. Without a contact at a fold, a limp rod with long edges would overlap itself, and
 * its bending energy would become singular when the fold reaches half a turn (`capstan-bench random`, seed 59).
 *
 * If edges are shorter than the sum of the radii, a rod can also fold over two edges: the far end of the second edge then
 * touches the edge before the first. A rod that is crushed to a hairpin folds over two edges (`capstan-bench random`, seed
 * 1583). The centreline piece that begins at the far end of a folded edge may be curved (`capstan-bench random`, seed 1341). */
#ifndef CST_COLLIDE_FOLD_H
#define CST_COLLIDE_FOLD_H

#include "collide/distance_curve.h"

/* Returns true if the centreline can fold such that the end `at` of `piece` touches the straight piece `other`: one or two
 * pieces of sufficient length lie between them. */
bool cst_piece_folds_at(const cst_placed_piece *piece, cst_on_piece at, const cst_placed_piece *other);

/* Returns true if two joined pieces a and b of one centreline (b after a) are long enough to fold onto each other, and a is the
 * first or b the last piece of the centreline. */
bool cst_pieces_fold_at_end(const cst_placed_piece *a, const cst_placed_piece *b);

/* Returns true if the pieces a and b of one centreline can touch at a fold inside the rod or at a free end of the rod. */
bool cst_pieces_fold(const cst_placed_piece *a, const cst_placed_piece *b);

#endif
