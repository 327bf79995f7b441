/* All contacts between the surfaces of bodies and obstacles: vertex and face, edge and edge (feature_touch.h), half-spaces, cylinders
 * (feature_cylinder.h).
 *
 *     cst_feature_detector detector;
 *     cst_feature_detector_begin(&detector, allocator);
 *     each step:  count = cst_detect_features(&detector, &scene, &touch);      -1: memory ran out
 *     cst_feature_detector_end(&detector);
 *
 * Everything moves from its first pose to its second one. A touch is a pair of features with a gap below the margin where the gap is
 * measured (`pose`), or a pair that crosses on the way, however fast: nothing goes through unseen. Put bodies before obstacles and a is
 * always of a body. Touches come in the order of owners and features, whatever the number of threads. */
#ifndef CST_COLLIDE_DETECT_FEATURES_H
#define CST_COLLIDE_DETECT_FEATURES_H

#include "collide/feature_cylinder.h"
#include "collide/feature_touch.h"
#include "collide/owner_rules.h"

typedef struct cst_feature_scene {
    int bodies;
    const cst_feature_body *body; /* increasing owners of bodies, then obstacles */
    int planes;
    const cst_moving_plane *plane;
    int cylinders;
    const cst_moving_cylinder *cylinder;
    const uint8_t *owner_flags; /* of CST_OWNER_*, by owner */
    int aparts;
    const cst_owner_pair *apart; /* (aparts) owners that never touch each other, low < high, increasing */
    int pose;                    /* 0 or 1: where gaps are measured */
    double margin;               /* m, or 0: a tenth of the thickness of the thinner one, and a quarter of the rounding */
    int threads;                 /* 0 counts as 1 */
} cst_feature_scene;

/* Memory kept from call to call. */
typedef struct cst_feature_detector {
    cst_arena arena, scratch, kept; /* pairs and placed features; of one pair; touches */
} cst_feature_detector;

void cst_feature_detector_begin(cst_feature_detector *detector, const cst_allocator *allocator); /* NULL: malloc and free */
void cst_feature_detector_end(cst_feature_detector *detector);

/* Number of touches, in *out until the next call; -1 if memory ran out (*out is then NULL). No allocation when warm. */
int cst_detect_features(cst_feature_detector *detector, const cst_feature_scene *scene, const cst_feature_touch **out);

/* The length that penetrations of two bodies are compared with: half the thickness of the thinner, or the roundings. m. */
double cst_feature_length(const cst_feature_mesh *a, double rounding_a, const cst_feature_mesh *b, double rounding_b);

#endif
