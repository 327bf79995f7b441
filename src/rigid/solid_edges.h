/* What of a fixed solid the faces of bodies touch: the centre of a ball, the axis of a capsule, the edges of a box, as straight pieces
 * with thickness. Fibers and the edges of bodies touch the solid itself. A cylinder or a mesh has none: a body whose face, not an edge
 * or a corner, meets one of these goes through. */
#ifndef CST_RIGID_SOLID_EDGES_H
#define CST_RIGID_SOLID_EDGES_H

#include "collide/shape_space.h"

int cst_solid_edges(const cst_solid *solid);

/* From a to b in the world; returns the thickness. */
double cst_solid_edge(const cst_solid *solid, int index, double *a, double *b);

#endif
