/* The state of a run at any time. Between two saved frames with the same bodies and obstacles, the state is interpolated
 * linearly; otherwise, it is that of the nearer frame. */
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
    const double *position; /* array (vertices x 3): m */
    const double *radius, *curvature;
    const double *director;           /* director at each vertex of a fiber in 3D, not normalised; zero vector: no director */
    const double *twist;              /* twist at each vertex (rad/m); 0 for a body without directors */
    const cst_triangle_row *triangle; /* triangles of meshes; corners are indices into the item's own vertices */
    /* mean speed (m/s) of each vertex between two successive saved frames; 0 if unknown */
    const double *speed;
    /* contacts of the saved frame nearest in time. If both neighbouring saved frames have the same bodies and obstacles, the
     * position and the force of a contact that exists in both frames are interpolated. */
    const cst_contact_view *contact;
} cst_moment;

typedef struct cst_run_reader cst_run_reader;

/* Returns NULL with a message if memory ran out, the run has no frame or a file is damaged. The caller keeps owning the cache. */
cst_run_reader *cst_run_reader_new(cst_cache *cache, char *message, size_t message_size);
void cst_run_reader_free(cst_run_reader *reader); /* NULL is fine */

/* Sets *out to the increasing times (s) of the saved frames, and returns their number. */
int64_t cst_run_reader_times(const cst_run_reader *reader, const double **out);

/* Times outside the run give its first or last frame. The returned data are valid until the next call of cst_run_reader_at. On
 * failure, cst_run_reader_at returns false and writes a message. */
bool cst_run_reader_at(cst_run_reader *reader, double time, cst_moment *out, char *message, size_t message_size);

#endif
