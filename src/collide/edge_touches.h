/* Removes duplicates among the contacts of solids' edges with other solids, so that each corner and each crossing of edges has
 * one contact.
 *
 * Solids touch each other by their edges: the edges of either solid are tested against the other solid (cst_piece.edge). Along an
 * edge of one solid, the distance to the other solid has its minima at corners and at crossings of edges. Each contact at a
 * corner or at a crossing of edges is found several times, from several edges.
 *
 * Several edges share a corner. A contact at a corner is reported as a contact at the end of the first edge that has this corner,
 * so that the same edge is reported in every step. A corner of a solid touches the other solid if the distance decreases along
 * none of the edges at the corner. A corner over a face of the other solid is accepted even if the edges at the corner go down
 * below the face by up to 17 degrees. A corner over a plane is accepted at any angle between its edges and the plane, so that a
 * box that rocks on the plane keeps the contacts of all its corners.
 *
 * The normal of a contact below the surface of a box is not always the normal of the nearest face. If a corner of another solid
 * touches a box, the contact normal is the normal of a face of the box. Along every edge of the other solid at the corner, the
 * depth below the chosen face must not increase; among the faces that satisfy this condition, the nearest one is chosen.
 *
 * A crossing of two edges is found twice, once from the edge of each solid, and so is a contact of two corners. Contacts of the
 * same two bodies at the same point are merged. Of several contacts at the same point, a contact whose normal is the normal of a
 * face remains; if there is none, the first contact remains. */
#ifndef CST_COLLIDE_EDGE_TOUCHES_H
#define CST_COLLIDE_EDGE_TOUCHES_H

#include "collide/centreline.h"
#include "collide/detect_space.h"

/* Assigns each contact at a corner to the first edge of this corner. Removes a contact at a corner if the distance to the other
 * solid decreases from the corner along one of its edges; corners over faces and planes are exceptions (see the top of
 * edge_touches.h). The order of the contacts stays. Returns the number of remaining contacts. Call a merge function
 * (touch_merge_space.h) afterwards. */
int cst_name_corners(const cst_space_scene *scene, const cst_placed_piece *placed, cst_touch_space *touch, int touches);

/* Merges contacts of the same two bodies that lie at the same point. The contacts must be ordered by the indices of their shapes
 * (fields a and b) and then by their rank among the contacts of the two shapes (field `branch`). Returns the number of remaining
 * contacts, or -1 if memory ran out. */
int cst_merge_edge_touches(const cst_space_scene *scene, cst_touch_space *touch, int touches, cst_arena *arena);

#endif
