#include "math/rotation.h"

#include <math.h>
#include <string.h>

#include "math/rotation_vector.h"

void cst_rotation_log(const double R[9], double w[3])
{
    /* four times the squares of the quaternion components; the largest component is never near 0, so the division by it is
     * accurate */
    const double square[4] = {1.0 + R[0] + R[4] + R[8], 1.0 + R[0] - R[4] - R[8], 1.0 - R[0] + R[4] - R[8],
                              1.0 - R[0] - R[4] + R[8]};
    int largest = 0;
    for (int k = 1; k < 4; ++k) {
        if (square[k] > square[largest])
            largest = k;
    }
    const double twice = sqrt(square[largest]), inverse = 0.5 / twice;
    const double x = (R[7] - R[5]) * inverse, y = (R[2] - R[6]) * inverse, z = (R[3] - R[1]) * inverse;
    const double xy = (R[1] + R[3]) * inverse, xz = (R[2] + R[6]) * inverse, yz = (R[5] + R[7]) * inverse;
    const double candidate[4][4] = {
        {0.5 * twice, x, y, z}, {x, 0.5 * twice, xy, xz}, {y, xy, 0.5 * twice, yz}, {z, xz, yz, 0.5 * twice}};
    const double *q = candidate[largest], sign = q[0] < 0.0 ? -1.0 : 1.0, sine = sqrt(cst_dot3(q + 1, q + 1));
    const double scale = sign * (sine > 0.0 ? 2.0 * atan2(sine, sign * q[0]) / sine : 2.0);
    for (int k = 0; k < 3; ++k)
        w[k] = scale * q[1 + k];
}

void cst_rotation_turn(const double w[3], double R[9])
{
    double turn[9], product[9];
    cst_rotation_vector_exp(w, turn);
    cst_product3(turn, R, product);
    memcpy(R, product, sizeof product);
}

void cst_rotation_mend(double R[9])
{
    double gram[9], product[9];
    cst_transposed_product3(R, R, gram);
    for (int k = 0; k < 9; ++k)
        gram[k] = (k % 4 == 0 ? 1.5 : 0.0) - 0.5 * gram[k];
    cst_product3(R, gram, product);
    memcpy(R, product, sizeof product);
}
