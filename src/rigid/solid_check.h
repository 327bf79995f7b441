/* Checks the frame and the mesh that the user gives for a rigid body or an obstacle in 3D. Each message begins with the text
 * `what`. */
#ifndef CST_RIGID_SOLID_CHECK_H
#define CST_RIGID_SOLID_CHECK_H

#include "capstan/capstan.h"

/* Replaces `frame` by the nearest rotation matrix. Returns false with a message if an entry of R^T R differs from the identity
 * by more than 1e-6; such errors are accepted because frames are often written with few digits. */
bool cst_frame_mend(double frame[9], const char *what, char *message, size_t message_size);

/* Checks the counts and the vertex indices of a mesh, and that the coordinates of all vertices are finite. `vertex`: array
 * (shapes x vertices x 3). */
bool cst_mesh_check(const cst_mesh *mesh, const double *vertex, int shapes, const char *what, char *message, size_t message_size);

#endif
