/* Bending energy from second derivatives. A patch is a triangle with the opposite nodes of its three neighbours. The six nodes of
 * a patch define one quadratic map x(u, v) from the material to 3D. The second derivatives of the quadratic map are linear in the
 * node positions, so the bending energy W of a patch has a constant matrix:
 *     `W = a/2 (D11|x_uu|^2+D22|x_vv|^2+4 D33|x_uv|^2)`.
 *     `D33 = max(B_45-(D11+D22)/4, 0)`.
 *     `a`: area of the triangle.
 *     `D11`: stiffness, bending about v.
 *     `D22`: stiffness, bending about u.
 *     `B_45`: stiffness at 45 degrees.
 *
 * If the material is not stretched, each second derivative of the quadratic map is a component of the curvature tensor times the
 * surface normal. At a free edge of the sheet, the second derivative of the quadratic map across the edge is set to zero. With a
 * zero second derivative across it, a free edge has no bending moment, because the energy does not couple the curvatures across
 * and along the edge (Poisson's ratio 0). If a sheet has the shape of a quadratic map, its bending energy is exact on every mesh,
 * except at free edges.
 *
 * The quadratic energy of inextensible surfaces is from Bergou et al., A quadratic bending model for inextensible surfaces, SGP
 * 2006. The patch of a triangle and its three neighbours is from Flores and Onate, Improvements in the membrane behaviour of the
 * three node rotation-free BST shell triangle, Computer Methods in Applied Mechanics and Engineering 194, 2005. */
#include <math.h>
#include <string.h>

#include "cloth/bending.h"
#include "cloth/element.h"

enum { NODES = 6 };

/* CONIC: if a pivot of the 6 x 6 matrix whose inverse gives the quadratic map is smaller than CONIC, the six nodes of the patch
 * count as points of one conic, and define no quadratic map. The 6 x 6 matrix of a patch is computed from node coordinates
 * divided by the square root of the triangle's area. */
static const double CONIC = 1e-8;

typedef struct patch_rest {
    double K[NODES * NODES]; /* matrix of the bending energy */
} patch_rest;

static double evaluate(const void *of, const double *x, double *gradient, double *hessian, bool projected)
{
    const double *K = ((const patch_rest *)of)->K;
    double sum = 0.0, force[3 * NODES];
    (void)projected; /* the matrix K is positive semi-definite */
    for (int a = 0; a < NODES; ++a)
        for (int k = 0; k < 3; ++k) {
            force[3 * a + k] = 0.0;
            for (int b = 0; b < NODES; ++b)
                /* The entries of each row of the bending matrix add up to 0. The bending forces are computed from differences of
                 * node positions, so that large coordinates cause no rounding errors. */
                force[3 * a + k] += K[NODES * a + b] * (x[3 * b + k] - x[k]);
            sum += 0.5 * force[3 * a + k] * (x[3 * a + k] - x[k]);
        }
    if (gradient)
        memcpy(gradient, force, sizeof force);
    if (hessian) {
        memset(hessian, 0, sizeof(double) * 9 * NODES * NODES);
        for (int a = 0; a < NODES; ++a)
            for (int b = 0; b < NODES; ++b)
                for (int k = 0; k < 3; ++k)
                    hessian[3 * NODES * (3 * a + k) + 3 * b + k] = K[NODES * a + b];
    }
    return sum;
}

/* ----------------------------------------------------------------------------------------------------------------- patch */

/* Fills one row of the 6 x 6 matrix whose inverse gives the quadratic map of a patch: the row of the node at the point `at`. The
 * row of a node holds the coefficients that give the node's position from x, x_u, x_v, x_uu, x_uv and x_vv (position and
 * derivatives) at the centre of the triangle. */
static void row_of_place(const double *at, double *row)
{
    const double u = at[0], v = at[1], value[NODES] = {1.0, u, v, 0.5 * u * u, u * v, 0.5 * v * v};
    memcpy(row, value, sizeof value);
}

/* Fills one row of the 6 x 6 matrix whose inverse gives the quadratic map of a patch: the row of the free edge from a to b. The
 * row of a free edge holds the coefficients that give the second derivative of the quadratic map across the edge from x_uu, x_uv
 * and x_vv. */
static void row_of_edge(const double *a, const double *b, double *row)
{
    const double u = b[1] - a[1], v = a[0] - b[0], square = u * u + v * v;
    const double value[NODES] = {0.0, 0.0, 0.0, u * u / square, 2.0 * u * v / square, v * v / square};
    memcpy(row, value, sizeof value);
}

/* Inverts the 6 x 6 matrix M, which is overwritten, and returns the smallest pivot. */
static double invert(double M[NODES][NODES], double out[NODES][NODES])
{
    double least = HUGE_VAL;
    for (int i = 0; i < NODES; ++i)
        for (int j = 0; j < NODES; ++j)
            out[i][j] = i == j ? 1.0 : 0.0;
    for (int c = 0; c < NODES; ++c) {
        int best = c;
        for (int i = c + 1; i < NODES; ++i)
            best = fabs(M[i][c]) > fabs(M[best][c]) ? i : best;
        const double pivot = M[best][c];
        least = fmin(least, fabs(pivot));
        if (!(fabs(pivot) > 0.0))
            return 0.0;
        for (int j = 0; j < NODES; ++j) {
            const double m = M[best][j] / pivot, o = out[best][j] / pivot;
            M[best][j] = M[c][j];
            out[best][j] = out[c][j];
            M[c][j] = m;
            out[c][j] = o;
        }
        for (int i = 0; i < NODES; ++i) {
            const double factor = i == c ? 0.0 : M[i][c];
            for (int j = 0; j < NODES && factor != 0.0; ++j) {
                M[i][j] -= factor * M[c][j];
                out[i][j] -= factor * out[c][j];
            }
        }
    }
    return least;
}

/* Computes the weights of the six nodes of a patch in the second derivatives (uu, uv, vv) of its quadratic map. At a free edge,
 * the triangle has no neighbour, and the node that the neighbour would add to the patch has the weight 0. Returns false if the
 * six nodes of the patch define no quadratic map. */
static bool second_derivatives(const cst_sheet_mesh *mesh, int triangle, double by[3][NODES])
{
    const double size = sqrt(mesh->area[triangle]);
    double place[NODES][2], middle[2] = {0.0, 0.0}, M[NODES][NODES], inverse[NODES][NODES];
    for (int k = 0; k < 3; ++k) {
        memcpy(place[k], mesh->rest + 2 * mesh->corner[3 * triangle + k], sizeof place[k]);
        middle[0] += place[k][0] / 3.0;
        middle[1] += place[k][1] / 3.0;
        if (mesh->beside[3 * triangle + k] >= 0)
            cst_sheet_unfold(mesh, triangle, k, place[3 + k]);
    }
    for (int a = 0; a < NODES; ++a) {
        if (a >= 3 && mesh->beside[3 * triangle + a - 3] < 0) {
            row_of_edge(place[a - 3], place[(a - 2) % 3], M[a]);
            continue;
        }
        const double at[2] = {(place[a][0] - middle[0]) / size, (place[a][1] - middle[1]) / size};
        row_of_place(at, M[a]);
    }
    if (!(invert(M, inverse) > CONIC))
        return false;
    for (int d = 0; d < 3; ++d)
        for (int a = 0; a < NODES; ++a)
            by[d][a] = a >= 3 && mesh->beside[3 * triangle + a - 3] < 0 ? 0.0 : inverse[3 + d][a] / (size * size);
    return true;
}

static void set_patch(const cst_sheet_mesh *mesh, int triangle, const double *stiffness, double by[3][NODES], patch_rest *rest,
                      int32_t *node)
{
    for (int k = 0; k < 3; ++k) {
        const int32_t h = mesh->hinge_of[3 * triangle + k];
        /* if a neighbouring triangle is missing, its node has the weight 0, so any valid node number can be stored for it */
        node[k] = node[3 + k] = mesh->face[3 * triangle + k];
        if (h >= 0)
            node[3 + k] = mesh->hinge[h].node[mesh->hinge[h].triangle[0] == triangle ? 3 : 2];
    }
    for (int a = 0; a < NODES; ++a)
        for (int b = 0; b < NODES; ++b) {
            double sum = 0.0;
            for (int d = 0; d < 3; ++d)
                sum += stiffness[d] * by[d][a] * by[d][b];
            rest->K[NODES * a + b] = mesh->area[triangle] * sum;
        }
}

static bool make(const cst_sheet_mesh *mesh, const cst_fabric *fabric, cst_arena *arena, cst_element_set *out,
                 const cst_complaint *to)
{
    const double D22 = fabric->bend[0][0], D11 = fabric->bend[2][0], D33 = fabric->bend[1][0] - 0.25 * (D11 + D22);
    const double stiffness[3] = {D11, 4.0 * fmax(D33, 0.0), D22};
    if (!cst_element_take(arena, &cst_bending_quadratic, mesh->triangles, NODES, sizeof(patch_rest), out))
        return cst_complain(to, "sheet: out of memory");
    for (int i = 0; i < mesh->hinges; ++i)
        if (mesh->hinge[i].angle != 0.0)
            return cst_complain(to, "sheet: quadratic bending is flat at rest: bent_at_rest is for the hinge model");
    for (int i = 0; i < mesh->triangles; ++i) {
        double by[3][NODES];
        if (!second_derivatives(mesh, i, by))
            return cst_complain(
                to,
                "sheet: triangle %d and the tips of its neighbours lie on a conic, and have no second derivatives: move a "
                "vertex, or use the hinge model",
                i);
        set_patch(mesh, i, stiffness, by, (patch_rest *)out->rest + i, out->node + (size_t)i * NODES);
    }
    return true;
}

const cst_element_model cst_bending_quadratic = {"quadratic", make, evaluate};
