/* A head with neck and ears, and a bust with lower neck, shoulders and chest: shapes for hair to grow on and to lie on.
 *
 * The axes are x forward, y to the left and z up, in metres. The origin is in the middle of the head, between the ears at the
 * height of the eyes. The head is 0.23 m high from chin to crown, 0.155 m wide without the ears, and 0.2 m long. The neck of the
 * bust begins inside the neck of the head, so that the head can turn and tilt on the bust.
 *
 * The shapes are smooth unions and differences of ellipsoids, round cones and balls (Quilez, "Distance functions"). */
#ifndef CST_MESH_HUMAN_SHAPE_H
#define CST_MESH_HUMAN_SHAPE_H

#include "mesh/star_mesh.h"

typedef enum cst_human_part { CST_HUMAN_HEAD, CST_HUMAN_BUST } cst_human_part;

const cst_star_body *cst_human_body(cst_human_part part);

/* Returns true if hair grows at a point of the head's surface, that is, above the hairline and not around an ear. */
bool cst_human_scalp(const double x[3]);

#endif
