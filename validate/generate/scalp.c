/* Fibonacci's spiral on the half sphere: root i of n is at height z = 1 - (i + 1/2) / n and at the angle pi (1 + sqrt 5) i. The frame
 * is the least rotation that takes the z axis to the normal, so it turns smoothly from root to root. */
#include "generate/scalp.h"

#include <math.h>

#include "math/vector3.h"

static const double PI = 3.14159265358979323846;

cst_hair_root cst_hair_root_of(int hair, int hairs, double radius)
{
    const double z = 1.0 - (hair + 0.5) / hairs, angle = PI * (1.0 + sqrt(5.0)) * hair, rho = sqrt(1.0 - z * z);
    const double t[3] = {rho * cos(angle), rho * sin(angle), z};
    const double d1[3] = {1.0 - t[0] * t[0] / (1.0 + z), -t[0] * t[1] / (1.0 + z), -t[0]};
    double d2[3];
    cst_cross3(t, d1, d2);
    cst_hair_root root;
    for (int k = 0; k < 3; k++) {
        root.position[k] = radius * t[k];
        root.frame[3 * k] = t[k];
        root.frame[3 * k + 1] = d1[k];
        root.frame[3 * k + 2] = d2[k];
    }
    return root;
}
