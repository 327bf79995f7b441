/* Encodes frames into a block of the HTML page: rounding, prediction, order of the bytes (page/page_format.h). */
#ifndef CST_PAGE_PAGE_FRAME_H
#define CST_PAGE_PAGE_FRAME_H

#include "capstan/capstan.h"
#include "page/page_bytes.h"

typedef struct cst_page_item {
    uint32_t id;
    bool obstacle, closed;
    int kind; /* cst_drawn_as or CST_PAGE_MESH */
    int vertices;
    int triangles;           /* meshes */
    const int32_t *triangle; /* array (triangles x 3): corners of each triangle, as indices of the item's vertices */
} cst_page_item;

/* A frame with its vertices in the order of its items (bodies and obstacles). */
typedef struct cst_page_frame {
    int items;
    const cst_page_item *item;
    const double *position; /* (vertices x 3) */
    const double *radius;   /* (vertices) */
    int channels;
    const double *const *channel; /* (channels), each (vertices) */
    int contacts;
    const cst_contact_view *contact;
} cst_page_frame;

typedef struct cst_page_precision {
    int position_bytes; /* 2 or 3 */
    int contact_bytes;  /* 2 or 4 */
} cst_page_precision;

typedef struct cst_page_encoder cst_page_encoder;

cst_page_encoder *cst_page_encoder_new(cst_page_precision precision); /* NULL without memory */
void cst_page_encoder_free(cst_page_encoder *encoder);                /* NULL is fine */

/* After a call of cst_page_encoder_restart, the next frame is the first of a block and is encoded without reference to earlier
 * frames. */
void cst_page_encoder_restart(cst_page_encoder *encoder);

/* Returns false with a message if a number is not finite, there are more than 16 channels, or memory ran out. */
bool cst_page_encode(cst_page_encoder *encoder, const cst_page_frame *frame, cst_page_bytes *to, char *message,
                     size_t message_size);

/* Returns true for curves and meshes. The vertex positions of curves and meshes are rounded and stored as differences from
 * predictions; the positions of all other vertices are stored as 32-bit floats. */
bool cst_page_traced(int kind);

#endif
