/* Touches of edges of solids with other solids: corners once, crossings once.
 *
 * Solids touch each other by their edges: those of either with the other (cst_piece.edge). Along an edge the distance has its
 * minima at corners and where edges cross; each comes several times.
 * - A corner ends several edges. It is told as the end of the first of them, so that it keeps its name from step to step. It
 *   touches if the distance falls along none of its edges; over a face of the other solid also where that is tilted a little, and
 *   over a plane always, so that a box that lies keeps all its corners.
 * - Below the surface of a box the nearest face is not always the one that pushes: where the matter of the solid that the edge
 *   belongs to lies beyond that face, the nearest of the faces at which it does not is taken.
 * - A crossing is found from both sides, a corner on a corner too: touches of the same two owners at one place are one. That which
 *   has the normal of a face is kept, otherwise the first. */
#ifndef CST_COLLIDE_EDGE_TOUCHES_H
#define CST_COLLIDE_EDGE_TOUCHES_H

#include "collide/centreline.h"
#include "collide/detect_space.h"

/* Corners by their names, those that do not touch left out; other touches stay as they are, all in their order. Returns how many
 * are left. To be merged then (touch_merge_space.h). */
int cst_name_corners(const cst_space_scene *scene, const cst_placed_piece *placed, cst_touch_space *touch, int touches);

/* Touches in the order of (a, b, branch), those at one place of the same owners once. Returns how many are left, -1: no memory. */
int cst_merge_edge_touches(const cst_space_scene *scene, cst_touch_space *touch, int touches, cst_arena *arena);

#endif
