/* Removes duplicate contacts between the edges of solids and other solids: each corner, and each crossing of two edges, keeps one
 * contact.
 *
 * To find the contacts of two solids, collision detection tests the edges of each solid against the second solid
 * (cst_piece.edge). Along an edge, the distance from the second solid is least at a corner or at a crossing with an edge of the
 * second solid. Each such corner or crossing is found several times, from several edges.
 *
 * A contact at a corner is assigned to the first edge that ends at this corner, so that every step reports it on the same edge. A
 * corner is a contact if the distance from the second solid decreases along none of the edges that leave the corner. There are
 * two exceptions:
 *     A corner over a face: edges are allowed to lead below the face at an angle of up to 17 degrees.
 *     A corner over a plane: edges are allowed to lead below the plane at any angle, so that a rocking box keeps its contacts.
 *
 * A corner below the surface of a box does not always get the normal of the nearest face. It gets the normal of a face below
 * which no edge leads from the corner at an angle of more than 17 degrees. Among these faces of the box, the nearest is chosen.
 *
 * A crossing of two edges is found twice, once from each edge. A contact of two corners is also found from both solids. Contacts
 * of the same two bodies at the same point are therefore merged. The contact that remains is one with the normal of a face, or
 * else the first contact. */
#ifndef CST_COLLIDE_EDGE_TOUCHES_H
#define CST_COLLIDE_EDGE_TOUCHES_H

#include "collide/centreline.h"
#include "collide/detect_space.h"

/* Assigns each contact at a corner to the first edge that ends at this corner. Removes a corner contact if the distance from the
 * second solid decreases along an edge that leaves the corner; exceptions are corners over faces and planes, see the top of
 * edge_touches.h. The order of the contacts stays. Returns the number of remaining contacts. Call a merge function
 * (touch_merge_space.h) afterwards. */
int cst_name_corners(const cst_space_scene *scene, const cst_placed_piece *placed, cst_touch_space *touch, int touches);

/* Merges contacts of the same two bodies at the same point. The contacts must be ordered by the indices of their shapes (fields
 * `a` and `b`), then by the field `branch`. Returns the number of remaining contacts, or -1 if memory ran out. */
int cst_merge_edge_touches(const cst_space_scene *scene, cst_touch_space *touch, int touches, cst_arena *arena);

#endif
