/* Strands of hair: a fiber of a head stands for many hairs, and some of them are drawn. */
#ifndef CST_RENDER_HAIR_H
#define CST_RENDER_HAIR_H

#include "render/picture_items.h"

/* Fibers in space from which on they are hair, whatever they are coloured by. */
enum { CST_HAIR_FIBERS = 100 };

/* Whether an item may be hair: an open fiber of a body. */
bool cst_hair_item(const cst_moment_item *item);
/* In a moment of space. */
int cst_hair_count(const cst_moment *moment);

/* Hairs to draw for each of so many fibers. */
int cst_hairs_each(int fibers);

/* A fiber as d->hairs hairs; as one tube where only depths are wanted. */
void cst_draw_hair(const cst_drawing_of *d, const cst_moment_item *item);

#endif
