/* Lists the contact searches (jobs) of the narrow phase: pairs of two segments, of a segment and a solid, or of a segment and a
 * triangle of a mesh. Contact searches are ordered by their shapes a and b, for any number of threads; the triangles of one mesh
 * are in the order of the mesh's tree. */
#ifndef CST_COLLIDE_SPACE_JOBS_H
#define CST_COLLIDE_SPACE_JOBS_H

#include "collide/space_search.h"

typedef struct cst_space_jobs {
    int64_t count;
    bool crowded; /* true: no contact searches are listed, because there are too many of them (cst_pairs_most) */
    /* `a`: a segment. The second shape `b` of a contact search is the index of a segment, or the number of segments plus the
     * index of a solid. `part`: a triangle */
    int32_t *a, *b, *part;
    double *reach; /* search distance of a segment and a solid (m), the same for all triangles of one mesh */
} cst_space_jobs;

/* Returns the largest depth below a triangle of a mesh at which contacts of a segment are searched; 0 for an open mesh. */
double cst_depth_in_mesh(const cst_space_search *search, int32_t segment, int32_t mesh);

/* Row a of `pairs` lists the segments, and the solids with a bounding box, that can touch the segment a. Planes have no bounding
 * box, so the list `pairs` of segments and solids that can touch does not contain them. The function `rule`, called with the
 * arguments user, a and b, decides if contacts of the segment a with the plane b are searched. Returns false if memory ran out or
 * if there are too many contact searches (cst_pairs_most). */
bool cst_list_space_jobs(const cst_space_search *search, const cst_pair_list *pairs, cst_pair_rule rule, const void *user,
                         cst_arena *arena, cst_space_jobs *out);

#endif
