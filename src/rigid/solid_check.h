/* Checks the frame and the mesh that the user gives for a rigid body or an obstacle in 3D. Messages begin with `what`. */
#ifndef CST_RIGID_SOLID_CHECK_H
#define CST_RIGID_SOLID_CHECK_H

#include "capstan/capstan.h"

/* Accepts a rotation matrix with errors up to 1e-6 in each entry of R^T R, as printed with few digits, and replaces `frame` by
 * the nearest exact rotation. */
bool cst_frame_mend(double frame[9], const char *what, char *message, size_t message_size);

/* Checks the counts and indices of a mesh, and checks that the vertex coordinates of all `shapes` of the mesh are finite. */
bool cst_mesh_check(const cst_mesh *mesh, const double *vertex, int shapes, const char *what, char *message, size_t message_size);

#endif
