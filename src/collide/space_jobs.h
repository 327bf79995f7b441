/* Lists the contact searches (jobs) of the narrow phase, each between a segment and a second shape: a segment, a solid or a
 * triangle of a mesh. The list is sorted by the segment `a`, with planes last for each segment, and does not depend on the number
 * of threads. The triangles of one mesh are listed in their order in the mesh's bounding-box tree. */
#ifndef CST_COLLIDE_SPACE_JOBS_H
#define CST_COLLIDE_SPACE_JOBS_H

#include "collide/space_search.h"

typedef struct cst_solid_job {
    int32_t solid, part; /* index of the solid; triangle of a mesh */
    double reach;        /* search distance (m) */
} cst_solid_job;

typedef struct cst_space_jobs {
    int64_t count;
    bool crowded; /* true: no contact searches are listed, because there are too many of them (cst_pairs_most) */
    /* arrays (count): `a`: index of a segment. `b`: index of a segment, or the number of segments plus an index of the array
     * `solid`. */
    int32_t *a, *b;
    cst_solid_job *solid;
} cst_space_jobs;

/* Returns the largest depth (m) below a triangle of a mesh at which contacts of a segment are searched; 0 for an open mesh. */
double cst_depth_in_mesh(const cst_space_search *search, int32_t segment, int32_t mesh);

/* Lists all contact searches. Row a of `pairs` lists the segments and solids, without planes, that can touch the segment a. The
 * function itself finds the planes near each segment; `rule` decides whether the segment is allowed to touch a plane. Returns
 * false if memory ran out or if there are too many contact searches (cst_pairs_most). */
bool cst_list_space_jobs(const cst_space_search *search, const cst_pair_list *pairs, cst_pair_rule rule, const void *user,
                         cst_arena *arena, cst_space_jobs *out);

#endif
