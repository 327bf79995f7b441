/* Shape of a rigid body in 3D, relative to its centre of mass: collision shape and drawing. */
#ifndef CST_RIGID_RIGID_SHAPE_SPACE_H
#define CST_RIGID_RIGID_SHAPE_SPACE_H

#include "base/arena.h"
#include "body/body.h"
#include "rigid/solid_measure.h"

typedef struct cst_rigid_shape_space {
    cst_rigid_shape kind;
    double radius, size[3];
    /* largest distance (m) from the centre of mass to a vertex (box, mesh) or to an end of the axis (capsule); 0 for a sphere */
    double reach;
    bool collides;
    int vertices, triangles; /* numbers of vertices and triangles of a box or mesh */
    double *vertex;          /* array (vertices x 3): vertices in body axes, without the rounding layer of thickness `radius` */
    int32_t *triangle;       /* (triangles x 3) */
    cst_mesh_space *mesh;    /* owned, or NULL */
    /* surface for contacts with other surfaces: vertices, edges and faces; owned, or NULL */
    cst_feature_mesh *features;
} cst_rigid_shape_space;

typedef struct cst_rigid_pose {
    double x[3], R[9];
} cst_rigid_pose;

/* Checks the shape, the lengths and the mesh of a rigid body. `measure`: receives volume, centre of mass and inertia. */
bool cst_rigid_shape_measure(const cst_rigid_def *def, cst_solid_measure *measure, char *message, size_t message_size);

/* Copies the shape into the arena, with coordinates relative to the centre of mass. Returns false if memory ran out or a mesh
 * is not closed; then nothing has to be destroyed. */
bool cst_rigid_shape_keep(const cst_rigid_def *def, const cst_solid_measure *measure, cst_arena *arena,
                          cst_rigid_shape_space *out, char *message, size_t message_size);
void cst_rigid_shape_destroy(cst_rigid_shape_space *shape);

int cst_rigid_shape_pieces(const cst_rigid_shape_space *shape);
void cst_rigid_shape_piece(const cst_rigid_shape_space *shape, cst_curve_piece *out); /* for a sphere or capsule */
void cst_rigid_shape_curve(const cst_rigid_shape_space *shape, const cst_rigid_pose *pose, double s, double *x, double *tangent);
int cst_rigid_shape_solids(const cst_rigid_shape_space *shape);
void cst_rigid_shape_solid(const cst_rigid_shape_space *shape, const cst_rigid_pose *pose, cst_solid *out);

cst_drawing cst_rigid_shape_draw(const cst_rigid_shape_space *shape, const cst_rigid_pose *pose, double *position, double *radius,
                                 double *curvature);
int cst_rigid_shape_triangles(const cst_rigid_shape_space *shape, int32_t *out);

#endif
