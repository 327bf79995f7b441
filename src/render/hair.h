/* Draws hair: each simulated fiber on a head represents many hairs, and several hairs are drawn for each fiber. */
#ifndef CST_RENDER_HAIR_H
#define CST_RENDER_HAIR_H

#include "render/picture_items.h"

/* If a 3D scene has at least CST_HAIR_FIBERS fibers, its fibers are drawn as hair, whatever quantity the colours show. */
enum { CST_HAIR_FIBERS = 100 };

/* Returns true if a body can be drawn as hair, that is, if it is drawn as an open curve of more than two vertices. */
bool cst_hair_item(const cst_moment_item *item);
/* Returns the number of bodies of a 3D scene that can be drawn as hair. */
int cst_hair_count(const cst_moment *moment);

/* Returns the number of hairs to draw for each fiber, given the number of fibers. */
int cst_hairs_each(int fibers);

/* Draws a fiber as several hairs (their number is d->hairs), or as a single hair as thick as the fiber if only depths for shadows
 * are needed. */
void cst_draw_hair(const cst_drawing_of *d, const cst_moment_item *item);

#endif
