/* Removes duplicate contacts between the edges of solids and other solids: each corner, and each crossing of two edges, keeps one
 * contact.
 *
 * To find the contacts of two solids, collision detection tests the edges of each solid against the second solid
 * (cst_piece.edge). A contact at a corner is found once for each edge at the corner, and a contact at a crossing of two edges
 * twice.
 *
 * A contact at a corner is assigned to the first edge that ends at this corner, so that every step reports it on the same edge. A
 * corner is a contact if the distance from the second solid decreases along none of the edges that leave the corner. There are
 * two exceptions. If the contact normal is the normal of a face of the second solid, a corner is also a contact if its edges lead
 * below this face at angles of up to 17 degrees. If the second solid is a plane, a corner is a contact at any angle between its
 * edges and the plane, so that a rocking box keeps its contacts.
 *
 * If the normal of a contact below or just above the surface of a box is not suitable, it is replaced by the normal of the
 * nearest face of the box whose normal is suitable. A normal is suitable if no edge at the corner leads below the plane
 * perpendicular to this normal at an angle of more than 17 degrees. For a contact inside an edge, the other edges at both ends
 * of this edge are tested.
 *
 * Contacts of the same two bodies at the same point are merged. Of several contacts at the same point, the first one whose normal
 * is the normal of a face remains. If none of the contacts at a point has the normal of a face, the first one remains. */
#ifndef CST_COLLIDE_EDGE_TOUCHES_H
#define CST_COLLIDE_EDGE_TOUCHES_H

#include "collide/centreline.h"
#include "collide/detect_space.h"

/* Assigns each contact at a corner to the first edge that ends at this corner, and removes contacts at corners that do not touch
 * (see the top of edge_touches.h). The order of the contacts stays. Returns the number of remaining contacts. Call a merge
 * function (touch_merge_space.h) afterwards. */
int cst_name_corners(const cst_space_scene *scene, const cst_placed_piece *placed, cst_touch_space *touch, int touches);

/* Merges contacts of the same two bodies at the same point. The contacts must be ordered by the indices of their shapes (fields
 * `a` and `b`), then by the field `branch`. Returns the number of remaining contacts, or -1 if memory ran out. */
int cst_merge_edge_touches(const cst_space_scene *scene, cst_touch_space *touch, int touches, cst_arena *arena);

#endif
