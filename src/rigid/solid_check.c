#include "rigid/solid_check.h"

#include <math.h>
#include <stdio.h>

#include "math/rotation.h"
#include "math/vector3.h"

bool cst_frame_mend(double frame[9], const char *what, char *message, size_t message_size)
{
    double gram[9], across[3], worst = 0.0;
    cst_transposed_product3(frame, frame, gram);
    for (int k = 0; k < 9; k++) {
        const double off = fabs(gram[k] - (k % 4 == 0 ? 1.0 : 0.0));
        worst = off <= worst ? worst : off; /* keeps a NaN */
    }
    cst_cross3(frame, frame + 3, across);
    if (!(worst <= 1e-6) || !(cst_dot3(across, frame + 6) > 0.0)) {
        snprintf(message, message_size, "%s: the frame is not a rotation matrix (R^T R differs from 1 by %g, determinant %g)",
                 what, worst, cst_dot3(across, frame + 6));
        return false;
    }
    /* cst_rotation_mend is called twice: the first call reduces an error of 1e-6 in R^T R to 1e-12, the second call to rounding
     * error */
    cst_rotation_mend(frame);
    cst_rotation_mend(frame);
    return true;
}

bool cst_mesh_check(const cst_mesh *mesh, const double *vertex, int shapes, const char *what, char *message, size_t message_size)
{
    if (mesh->vertices < 3 || mesh->triangles < 1 || !mesh->triangle || !vertex) {
        snprintf(message, message_size, "%s: a mesh needs at least 3 vertices and 1 triangle, not %d and %d", what,
                 vertex ? mesh->vertices : 0, mesh->triangle ? mesh->triangles : 0);
        return false;
    }
    for (int i = 0; i < mesh->triangles; i++) {
        const int32_t *corner = mesh->triangle + 3 * (size_t)i;
        for (int k = 0; k < 3; k++)
            if (corner[k] < 0 || corner[k] >= mesh->vertices) {
                snprintf(message, message_size, "%s: triangle %d of the mesh has the vertex %d; there are %d from 0", what, i,
                         (int)corner[k], mesh->vertices);
                return false;
            }
        if (corner[0] == corner[1] || corner[1] == corner[2] || corner[2] == corner[0]) {
            snprintf(message, message_size, "%s: triangle %d of the mesh has a vertex twice", what, i);
            return false;
        }
    }
    for (int shape = 0; shape < shapes; shape++)
        for (size_t i = 0; i < 3 * (size_t)mesh->vertices; i++)
            if (!isfinite(vertex[3 * (size_t)mesh->vertices * (size_t)shape + i])) {
                snprintf(message, message_size, "%s: vertex %zu of the mesh is not finite", what, i / 3);
                return false;
            }
    return true;
}
