/* What the narrow phase has to look at: pairs of segments, segments with solids, and of a mesh each triangle that may be near enough.
 * Jobs come in the order of (a, b), triangles in that of their tree, whatever the number of threads. */
#ifndef CST_COLLIDE_SPACE_JOBS_H
#define CST_COLLIDE_SPACE_JOBS_H

#include "collide/space_search.h"

typedef struct cst_space_jobs {
    int64_t count;
    int32_t *a, *b, *part; /* segment; segment or segments + solid; triangle */
    double *reach;         /* m: to a solid, how far touches are sought; those of triangles of one mesh have it in common */
} cst_space_jobs;

/* How far below a triangle of a mesh a segment is still looked for: 0 if the mesh is open. */
double cst_depth_in_mesh(const cst_space_search *search, int32_t segment, int32_t mesh);

/* pairs: row a has the segments and solids with boxes that may touch a; rule (user, a, b): may they, asked about planes, which have none.
 * False: memory ran out. */
bool cst_list_space_jobs(const cst_space_search *search, const cst_pair_list *pairs, cst_pair_rule rule, const void *user,
                         cst_arena *arena, cst_space_jobs *out);

#endif
