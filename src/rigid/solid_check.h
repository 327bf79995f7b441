/* Checks the frame and the mesh that the user gives for a rigid body or an obstacle in 3D. */
#ifndef CST_RIGID_SOLID_CHECK_H
#define CST_RIGID_SOLID_CHECK_H

#include "capstan/capstan.h"

/* Replaces `frame` by the nearest rotation matrix. An error up to 1e-6 in each entry of R^T R is accepted, because frames are
 * often written with few digits; otherwise, returns false with a message. */
bool cst_frame_mend(double frame[9], const char *what, char *message, size_t message_size);

/* Checks the counts and the vertex indices of a mesh, that no triangle has a vertex twice, and that the coordinates of all
 * vertices are finite.
 *     `vertex`: (shapes x vertices x 3).
 *     `what`: beginning of each message. */
bool cst_mesh_check(const cst_mesh *mesh, const double *vertex, int shapes, const char *what, char *message, size_t message_size);

#endif
