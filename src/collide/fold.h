/* Contacts of a centreline with itself at a fold.
 *
 * A rod of nodes and straight edges can fold at a node until one edge lies on the next. The distance of two edges that share a
 * node has no local minimum except at the node, so the search for minima finds no contact at a fold. To find a contact at a fold,
 * the code tests whether the far end of the second edge touches the first edge. The far end of a folded edge is the point where
 * the next edge begins or the rod ends. Without a contact at a fold, a flexible rod with long edges would overlap itself, and its
 * bending energy would become singular when the fold reaches half a turn (`capstan-bench random`, seed 59).
 *
 * If the edges of a rod are shorter than its diameter, a fold can consist of three consecutive edges: the far end of the third
 * edge then touches the first edge. A rod that is crushed to a hairpin has folds of three edges (`capstan-bench random`, seed
 * 1583). The centreline piece that begins at the far end of a folded edge may be curved (`capstan-bench random`, seed 1341). */
#ifndef CST_COLLIDE_FOLD_H
#define CST_COLLIDE_FOLD_H

#include "collide/distance_curve.h"

/* Returns true if the end `at` of the centreline piece `piece` can touch the straight piece `other` of the same centreline at a
 * fold. One or two pieces must lie between `piece` and `other`, and must together be long enough for a fold (fold.c). */
bool cst_piece_folds_at(const cst_placed_piece *piece, cst_on_piece at, const cst_placed_piece *other);

/* Returns true if two joined straight pieces a and b of one centreline (b after a) can touch at a fold next to a free end. Both
 * pieces must be long enough to fold, and a must be the first or b the last piece of the centreline. */
bool cst_pieces_fold_at_end(const cst_placed_piece *a, const cst_placed_piece *b);

/* Returns true if the pieces a and b of one centreline can touch at a fold inside the rod or at a free end of the rod. */
bool cst_pieces_fold(const cst_placed_piece *a, const cst_placed_piece *b);

#endif
