/* Finds the contacts between the features of two bodies: vertex and face, edge and edge; for rounded bodies also vertex and edge,
 * vertex and vertex. The contact normal follows from the orientation of the faces, not from the nearest point of the surface. For
 * example, a thin card that has slightly penetrated another card is pushed back to the side from which it came.
 *
 * A vertex touches a face if it projects into the triangle, and no edge at the vertex goes below the face at an angle whose sine
 * exceeds TILT. With the tolerance TILT, a box that lies slightly tilted on a face touches the face with all its lower corners.
 * The contact normal of a vertex and a face is the normal of the face; on a sheet, the normal that points to the body with the
 * vertex.
 *
 * Two edges touch if the nearest points of their straight lines lie on the edges. In addition, the contact normal, which is
 * perpendicular to the two edges, must lie between the face normals at each edge, up to an angle whose sine is WEDGE
 * (feature_mesh.h). Nearly parallel edges are not tested, because the vertices at their ends give the contacts.
 *
 * A vertex below a convex edge is below several faces of the other body; only the face below which the vertex is least deep gets
 * a contact. At a concave edge (in a valley), every face gets a contact.
 *
 * Two faces that lie on each other touch at the corners of their common polygon: at the vertices of one face inside the other
 * face, and at the crossings of their edges.
 *
 * Two features with a gap larger than the contact margin get a contact if they cross in the motion from the first to the second
 * pose (feature_sweep.h). */
#ifndef CST_COLLIDE_FEATURE_TOUCH_H
#define CST_COLLIDE_FEATURE_TOUCH_H

#include "collide/feature.h"
#include "collide/feature_patch.h"

typedef struct cst_touch_heap {
    cst_feature_touch *touch;
    int count, room;
    cst_arena *arena; /* memory of the list */
} cst_touch_heap;

typedef struct cst_feature_rules {
    int pose;      /* pose at which gaps are measured: 0 (start of the motion) or 1 (end) */
    double margin; /* largest gap (m) of a contact */
    double depth;  /* largest penetration (m) at which two features that do not cross during the motion get a contact */
} cst_feature_rules;

/* Returns false if memory ran out. */
bool cst_touch_heap_add(cst_touch_heap *heap, const cst_feature_touch *touch);

/* Adds all contacts of two bodies to the list `heap`, in which a contact point may occur several times. Memory taken from the
 * arena `scratch` is not released. Returns false if memory ran out. */
bool cst_feature_touches(const cst_feature_patch *a, const cst_feature_patch *b, const cst_feature_rules *rules, int threads,
                         cst_arena *scratch, cst_touch_heap *heap);

/* Adds the contacts between different parts of one deformable mesh. `patch`: the whole mesh. Two features at a small distance
 * along the mesh (cst_feature_mesh.near) are not tested against each other. */
bool cst_feature_self_touches(const cst_feature_patch *patch, const cst_feature_rules *rules, int threads, cst_arena *scratch,
                              cst_touch_heap *heap);

/* A half-space below the plane through `point` with the unit normal n, each given at the start and at the end of the motion. */
typedef struct cst_moving_plane {
    int32_t owner;
    double point[2][3], n[2][3];
} cst_moving_plane;
bool cst_feature_plane_touches(const cst_feature_patch *a, const cst_moving_plane *plane, const cst_feature_rules *rules,
                               cst_touch_heap *heap);

#endif
