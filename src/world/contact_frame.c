/* Frame of a contact: the unit normal e and two unit tangents. The first tangent is the normalised cross product of the z axis
 * and the normal. If the normal is nearly along the z axis, the first tangent is computed with the x axis instead of the z axis.
 * In 2D the first tangent is the normal turned by 90 degrees. Between steps, contact impulses are stored in the world's frame, so
 * every choice of the two tangents is allowed. */
#include "math/vector3.h"
#include "world/contact.h"

void cst_contact_set_frame(cst_contact *contact)
{
    static const double STEEP = 0.9; /* normal nearly along z: use x */
    const double *e = contact->normal;
    double *first = contact->frame + 3, *second = contact->frame + 6;
    for (int c = 0; c < 3; c++)
        contact->frame[c] = e[c];
    if (fabs(e[2]) < STEEP)
        cst_cross3((const double[3]){0.0, 0.0, 1.0}, e, first);
    else
        cst_cross3((const double[3]){1.0, 0.0, 0.0}, e, first);
    if (e[2] != 0.0) /* in 2D already a unit vector */
        cst_normalise3(first);
    cst_cross3(e, first, second);
}
