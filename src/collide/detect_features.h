/* Finds all contacts between the surfaces of bodies and obstacles: meshes (feature_touch.h), half-spaces, and cylinders
 * (feature_cylinder.h).
 *
 * Every shape moves from its first pose, at the start of the motion, to its second pose, at the end. Two features (vertices,
 * edges or faces) have a contact if their gap at the pose `pose` is below the margin, or if they cross during the motion. Two
 * features of meshes, at least one of which is rounded, also have a contact if their gap at the end of the motion is below the
 * margin. Features of two meshes that cross are found at any speed, so that fast bodies do not pass through each other.
 *
 * Contacts are sorted by their bodies and features and are the same for any number of threads. The first feature `a` of a contact
 * belongs to a body, not to an obstacle, if the scene lists its bodies before its obstacles.
 *
 * Call cst_feature_detector_begin once, cst_detect_features in every step and cst_feature_detector_end at the end. */
#ifndef CST_COLLIDE_DETECT_FEATURES_H
#define CST_COLLIDE_DETECT_FEATURES_H

#include "collide/feature_cylinder.h"
#include "collide/feature_touch.h"
#include "collide/owner_rules.h"

typedef struct cst_feature_scene {
    int bodies;
    const cst_feature_body *body; /* bodies, then obstacles, with increasing owners */
    int planes;
    const cst_moving_plane *plane;
    int cylinders;
    const cst_moving_cylinder *cylinder;
    const uint8_t *owner_flags; /* array (owners): flags CST_OWNER_* of each body or obstacle */
    int aparts;
    const cst_owner_pair *apart; /* sorted pairs of bodies (lower number first) that are not allowed to touch */
    int pose;                    /* pose at which gaps are measured: 0 (start of the motion) or 1 (end) */
    /* largest gap (m) of a contact; 0: the largest gap is a tenth of the thinner body's thickness plus a quarter of the sum of
     * the rounding radii of the two bodies. For a sheet and a solid, this default largest gap is computed with twice the rounding
     * radius of the sheet in place of the sum of the two rounding radii. */
    double margin;
    int threads; /* 0 counts as 1 */
} cst_feature_scene;

/* Memory that is kept between calls. */
typedef struct cst_feature_detector {
    /* memory for all pairs and features (`arena`), for one pair of bodies (`scratch`), and for the contacts (`kept`) */
    cst_arena arena, scratch, kept;
} cst_feature_detector;

void cst_feature_detector_begin(cst_feature_detector *detector, const cst_allocator *allocator); /* NULL: malloc and free */
void cst_feature_detector_end(cst_feature_detector *detector);

/* Returns the number of contacts, or -1 if memory ran out (*out is then NULL). The array *out is valid until the next call. A
 * call allocates memory only if it needs more than is kept from earlier calls. */
int cst_detect_features(cst_feature_detector *detector, const cst_feature_scene *scene, const cst_feature_touch **out);

/* Returns the length (m) by which penetrations of two bodies are divided to obtain relative penetrations: their smaller positive
 * rounding radius, or half the thickness of the thinner body if neither body is rounded. */
double cst_feature_length(const cst_feature_mesh *a, double rounding_a, const cst_feature_mesh *b, double rounding_b);

#endif
