/* Removes duplicates among the touches of solids' edges with other solids: each corner and each crossing once.
 *
 * Solids touch each other by their edges: the edges of either solid are tested against the other solid (cst_piece.edge). Along an
 * edge, the distance has its minima at corners and at crossings of edges. Each minimum at a corner or at a crossing is found
 * several times, from several edges.
 *
 * Several edges share a corner. A touch at the corner is reported as the end of the first edge that has this corner, so that its
 * identity is the same in every step. The corner touches if the distance decreases along none of its edges. Over a face of the
 * other solid a small tilt is allowed, and over a plane any tilt, so that a box that lies on the plane keeps the touches of all
 * its corners.
 *
 * Below the surface of a box, the nearest face is not always the face that pushes. If the solid of the edge lies beyond the
 * nearest face, the touch takes the nearest of the faces that this solid does not lie beyond.
 *
 * A crossing is found from both sides, and so is a corner on a corner: touches of the same two owners at one place are merged.
 * The touch whose normal is the normal of a face is kept; if no touch has such a normal, the first touch is kept. */
#ifndef CST_COLLIDE_EDGE_TOUCHES_H
#define CST_COLLIDE_EDGE_TOUCHES_H

#include "collide/centreline.h"
#include "collide/detect_space.h"

/* Assigns each corner touch to the first edge of its corner and removes corners that do not touch. Other touches are unchanged,
 * and the order is kept. Returns the number of touches that are left. Call a merge function (touch_merge_space.h) afterwards. */
int cst_name_corners(const cst_space_scene *scene, const cst_placed_piece *placed, cst_touch_space *touch, int touches);

/* Merges touches of the same owners at one place. The touches must be ordered by (a, b, branch). Returns the number of touches
 * that are left, or -1 if memory ran out. */
int cst_merge_edge_touches(const cst_space_scene *scene, cst_touch_space *touch, int touches, cst_arena *arena);

#endif
