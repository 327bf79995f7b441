/* Strands of hair: a fiber on a head stands for many hairs, and some of them are drawn. */
#ifndef CST_RENDER_HAIR_H
#define CST_RENDER_HAIR_H

#include "render/picture_items.h"

/* 3D scenes with at least this number of fibers are drawn as hair, whatever quantity the colours show. */
enum { CST_HAIR_FIBERS = 100 };

/* Returns true if an item can be drawn as hair: an open fiber of a body. */
bool cst_hair_item(const cst_moment_item *item);
/* Returns the number of items that can be drawn as hair, for a moment of a 3D scene. */
int cst_hair_count(const cst_moment *moment);

/* Returns the number of hairs to draw for each fiber, given the number of fibers. */
int cst_hairs_each(int fibers);

/* Draws a fiber as d->hairs hairs, or as one tube if only depths are needed. */
void cst_draw_hair(const cst_drawing_of *d, const cst_moment_item *item);

#endif
