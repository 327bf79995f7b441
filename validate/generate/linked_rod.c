#include "generate/linked_rod.h"

#include <string.h>

#include "generate/vector.h"

void cst_linked_rod_draw(cst_rng *rng, int links, cst_linked_rod *rod)
{
    double along[3], hint[3];
    rod->links = links;
    cst_rng_direction(rng, 3, along);
    cst_rng_direction(rng, 3, hint);
    memset(rod->joint[0], 0, sizeof rod->joint[0]);
    for (int e = 0; e < links; e++) {
        cst_frame3(along, hint, rod->axis[e][0]);
        for (int k = 0; k < 3; k++) {
            rod->joint[e + 1][k] = rod->joint[e][k] + along[k];
            along[k] += 0.3 * cst_rng_normal(rng);
        }
        cst_normalise3(along);
    }
}

void cst_linked_rod_jacobian(const cst_linked_rod *rod, int link, double s, double *jacobian)
{
    int columns = 3 * (link + 1);
    double x[3], arm[3], column[3];
    for (int k = 0; k < 3; k++)
        x[k] = rod->joint[link][k] + s * (rod->joint[link + 1][k] - rod->joint[link][k]);
    for (int e = 0; e <= link; e++)
        for (int k = 0; k < 3; k++) {
            for (int c = 0; c < 3; c++)
                arm[c] = x[c] - rod->joint[e][c];
            cst_cross3(rod->axis[e][k], arm, column);
            for (int c = 0; c < 3; c++)
                jacobian[c * columns + 3 * e + k] = column[c];
        }
}

void cst_linked_rod_matrix(const cst_linked_rod *rod, double mass, double bend, double twist, double *matrix)
{
    int size = 3 * rod->links;
    double jacobian[9 * CST_LINKS_MAX];
    for (int i = 0; i < size; i++)
        matrix[i * size + i] = i % 3 == 0 ? twist : bend;
    for (int link = 0; link < rod->links; link++)
        for (int half = 0; half < 2; half++) {
            int columns = 3 * (link + 1);
            cst_linked_rod_jacobian(rod, link, half == 0 ? 0.25 : 0.75, jacobian);
            for (int i = 0; i < columns; i++)
                for (int j = 0; j < columns; j++)
                    for (int c = 0; c < 3; c++)
                        matrix[i * size + j] += 0.5 * mass * jacobian[c * columns + i] * jacobian[c * columns + j];
        }
}
