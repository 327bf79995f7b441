/* The questions that a search of two patches asks, one pair of features at a time (feature_touch.c); feature_search.c asks them. A touch that is found is
 * added to the heap. False: out of memory. */
#ifndef CST_COLLIDE_FEATURE_PAIR_H
#define CST_COLLIDE_FEATURE_PAIR_H

#include "collide/feature_touch.h"

/* A search of the features of `first` against those of `second`; the caller's a is `first` unless swapped. */
typedef struct cst_feature_pair {
    const cst_feature_patch *first, *second;
    const cst_feature_rules *rules;
    bool swapped;
    double rounding; /* of both */
    cst_touch_heap *heap;
} cst_feature_pair;

/* probe: a vertex of the first patch. around: the box of its motion, with the reach. candidate: faces of the second patch; NULL: the first so many. */
bool cst_pair_vertex_with_faces(const cst_feature_pair *pair, int32_t probe, const cst_box *around, const int32_t *candidate,
                                int candidates);

/* For rounded bodies. */
bool cst_pair_vertex_with_edge(const cst_feature_pair *pair, int32_t probe, const cst_box *around, const cst_patch_edge *edge);
bool cst_pair_vertex_with_vertex(const cst_feature_pair *pair, int32_t probe, int32_t other);

bool cst_pair_edge_with_edge(const cst_feature_pair *pair, const cst_patch_edge *one, const cst_patch_edge *two, double reach);

#endif
