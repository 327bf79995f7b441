/* A run at any time: between two saved frames whatever is the same in both is taken on the straight line from one to the other. */
#ifndef CST_RENDER_MOMENT_H
#define CST_RENDER_MOMENT_H

#include "cache/cache_read.h"

typedef struct cst_moment_item {
    cst_item_owner owner;
    uint32_t id;
    cst_drawn_as as;
    bool closed;
    int first, vertices;
    int first_triangle, triangles; /* of a mesh */
} cst_moment_item;

typedef struct cst_moment {
    double time;
    int items, vertices, contacts;
    const cst_moment_item *item;
    const double *position; /* (vertices x 3) m */
    const double *radius, *curvature;
    const double *director;           /* (vertices x 3) of fibers in space, not unit; 0 where there is none */
    const double *twist;              /* rad/m, likewise */
    const cst_triangle_row *triangle; /* of meshes; corners are numbers of the item's own vertices */
    const double *speed; /* m/s: mean between the two frames (the frame itself and the one before it); 0 where that is unknown */
    const cst_contact_view *contact; /* those of the nearer frame; one that is in both frames moves between them */
} cst_moment;

typedef struct cst_run_reader cst_run_reader;

/* NULL with a message: memory, no frame, a damaged file. The cache stays the caller's. */
cst_run_reader *cst_run_reader_new(cst_cache *cache, char *message, size_t message_size);
void cst_run_reader_free(cst_run_reader *reader); /* NULL is fine */

/* Increasing times of the saved frames. */
int64_t cst_run_reader_times(const cst_run_reader *reader, const double **out);

/* Times outside the run give its first or last frame. Valid until the next call. False with a message. */
bool cst_run_reader_at(cst_run_reader *reader, double time, cst_moment *out, char *message, size_t message_size);

#endif
