/* Contact tests of one pair of features (vertices, edges, faces) of two bodies (feature_touch.c), called by feature_search.c.
 * Each test adds the contact that it finds to the list `heap`, and returns false if memory ran out. */
#ifndef CST_COLLIDE_FEATURE_PAIR_H
#define CST_COLLIDE_FEATURE_PAIR_H

#include "collide/feature_touch.h"

/* The vertices, edges and faces (patches) of a first and a second body, which are tested against each other. Feature a of a
 * contact belongs to the first body, or to the second body if `swapped` is true. */
typedef struct cst_feature_pair {
    const cst_feature_patch *first, *second;
    const cst_feature_rules *rules;
    bool swapped;
    double rounding; /* sum of both rounding radii (m) */
    cst_touch_heap *heap;
} cst_feature_pair;

/* Tests the vertex `probe` of the first body against the faces `candidate` of the second body (NULL: the faces 0 to candidates -
 * 1). `around`: bounding box of the vertex's motion, widened by the search distance. */
bool cst_pair_vertex_with_faces(const cst_feature_pair *pair, int32_t probe, const cst_box *around, const int32_t *candidate,
                                int candidates);

/* A vertex can touch an edge or a vertex only if at least one of the two bodies is rounded. */
bool cst_pair_vertex_with_edge(const cst_feature_pair *pair, int32_t probe, const cst_box *around, const cst_patch_edge *edge);
bool cst_pair_vertex_with_vertex(const cst_feature_pair *pair, int32_t probe, int32_t other);

bool cst_pair_edge_with_edge(const cst_feature_pair *pair, const cst_patch_edge *one, const cst_patch_edge *two, double reach);

#endif
