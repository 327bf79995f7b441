/* What the user may give as the frame and the mesh of a rigid body or an obstacle in space. Messages begin with `what`. */
#ifndef CST_RIGID_SOLID_CHECK_H
#define CST_RIGID_SOLID_CHECK_H

#include "capstan/capstan.h"

/* A rotation to 1e-6 in every entry of R^T R, as few printed digits leave it; `frame` is then the nearest true one. */
bool cst_frame_mend(double frame[9], const char *what, char *message, size_t message_size);

/* Counts, indices and finite coordinates of mesh->triangle and of `shapes` sets of vertices. */
bool cst_mesh_check(const cst_mesh *mesh, const double *vertex, int shapes, const char *what, char *message, size_t message_size);

#endif
