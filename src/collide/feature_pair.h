/* Tests of one pair of features (vertices, edges or faces) of two bodies (feature_touch.c), called by feature_search.c. A contact
 * that is found is added to the growing list `heap`. Each of the following functions returns false if memory ran out. */
#ifndef CST_COLLIDE_FEATURE_PAIR_H
#define CST_COLLIDE_FEATURE_PAIR_H

#include "collide/feature_touch.h"

/* A search for contacts between the features of two bodies; the patches `first` and `second` contain the features of each body
 * that are tested. Feature a of a returned contact belongs to the body of `first`, or to the body of `second` if `swapped` is
 * true. */
typedef struct cst_feature_pair {
    const cst_feature_patch *first, *second;
    const cst_feature_rules *rules;
    bool swapped;
    double rounding; /* of both */
    cst_touch_heap *heap;
} cst_feature_pair;

/* `probe`: a vertex of the first body, among the tested features (patch) `first`. `around` is the bounding box of the vertex's
 * motion, widened by the search distance. The array `candidate` lists the faces of the second body's patch that are tested for
 * contact with the vertex; NULL stands for the faces 0 to candidates - 1. */
bool cst_pair_vertex_with_faces(const cst_feature_pair *pair, int32_t probe, const cst_box *around, const int32_t *candidate,
                                int candidates);

/* For rounded bodies. */
bool cst_pair_vertex_with_edge(const cst_feature_pair *pair, int32_t probe, const cst_box *around, const cst_patch_edge *edge);
bool cst_pair_vertex_with_vertex(const cst_feature_pair *pair, int32_t probe, int32_t other);

bool cst_pair_edge_with_edge(const cst_feature_pair *pair, const cst_patch_edge *one, const cst_patch_edge *two, double reach);

#endif
