#include "generate/chain.h"

static void add_stencil(double *matrix, int size, int node, int count, const double *coefficient, const double tensor[3][3])
{
    for (int p = 0; p < count; p++)
        for (int q = 0; q < count; q++)
            for (int a = 0; a < 3; a++)
                for (int b = 0; b < 3; b++)
                    matrix[(3 * (node + p) + a) * size + 3 * (node + q) + b] += coefficient[p] * coefficient[q] * tensor[a][b];
}

void cst_chain_matrix(int nodes, double mass, double stretch, double bend, const double *tangent, double *matrix)
{
    int size = 3 * nodes;
    for (int i = 0; i < size; i++)
        matrix[i * size + i] = mass;
    for (int e = 0; e + 1 < nodes; e++) {
        double tensor[3][3];
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++)
                tensor[a][b] = stretch * tangent[3 * e + a] * tangent[3 * e + b];
        add_stencil(matrix, size, e, 2, (const double[]){-1, 1}, tensor);
    }
    const double isotropic[3][3] = {{bend, 0, 0}, {0, bend, 0}, {0, 0, bend}};
    for (int e = 0; e + 2 < nodes; e++)
        add_stencil(matrix, size, e, 3, (const double[]){1, -2, 1}, isotropic);
}
