/* A head with its neck and ears, and a bust (lower neck, shoulders, chest): our own shapes for hair to grow on and to lie on.
 *
 * Metres; x forward, y to the left, z up. The origin is in the middle of the head, between the ears at the height of the eyes: the head is
 * 0.23 m high from chin to crown, 0.155 m wide without the ears and 0.2 m long. The bust fits it in the same coordinates: its neck begins
 * inside the neck of the head, so that the head may turn and lean on it. The shapes are smooth unions of ellipsoids, capsules and balls
 * (distances: Quilez, "Distance functions", with the first-order distance of an ellipsoid; smooth union by a quadratic polynomial). */
#ifndef CST_MESH_HUMAN_SHAPE_H
#define CST_MESH_HUMAN_SHAPE_H

#include "mesh/star_mesh.h"

typedef enum cst_human_part { CST_HUMAN_HEAD, CST_HUMAN_BUST } cst_human_part;

const cst_star_body *cst_human_body(cst_human_part part);

/* Does hair grow at a place of the head's surface? Above a hairline: forehead, temples, around the ears, nape. */
bool cst_human_scalp(const double x[3]);

#endif
