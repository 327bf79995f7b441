/* Cloth-like sheets as nodal bodies: a grid of nodes joined by springs,
 *
 *     A = M + dt^2 K,   K = sum_springs k t t^T (x) (1, -1)(1, -1)^T,
 *
 * in stretch (nearest neighbours), shear (diagonals) and, isotropic and weak, bend (second neighbours), as 3 x 3 block CSR. */
#ifndef CST_GENERATE_SHEET_H
#define CST_GENERATE_SHEET_H

#include "base/rng.h"
#include "generate/builder.h"

enum { CST_SHEET_MODES = 4 };

typedef struct cst_sheet {
    int across, along; /* nodes in x and y; node j * across + i */
    int nodes;
    double spacing; /* m */
    double mass;    /* of a node, kg */
    double *x;      /* (nodes x 3) m */
} cst_sheet;

/* Uneven ground z = g(x, y), a few centimetres from crest to crest. */
typedef struct cst_ground {
    double per_metre[CST_SHEET_MODES][2], amplitude[CST_SHEET_MODES], phase[CST_SHEET_MODES];
} cst_ground;

void cst_ground_draw(cst_rng *rng, cst_ground *ground);
double cst_ground_height(const cst_ground *ground, double x, double y);
void cst_ground_normal(const cst_ground *ground, double x, double y, double *normal);

/* About `nodes` nodes, at least 3 x 3, on the ground. With fold, the last two fifths lie folded back on the rest. */
bool cst_sheet_lay(cst_sheet *sheet, int nodes, bool fold, const cst_ground *ground, cst_rng *rng, cst_arena *arena);

/* Body `body` of the builder: matrix, and rhs = M (velocity + dt gravity) with a random smooth velocity. stretch in N/m. */
bool cst_sheet_body(cst_builder *builder, int body, const cst_sheet *sheet, double stretch, double dt, cst_rng *rng);

/* Contact of a node (side 'a') with an obstacle: frame of random tangents, u_f = (gap / dt, 0, 0) with a random small gap. */
bool cst_sheet_touch_obstacle(cst_builder *builder, int contact, int body, int node, const double *normal, double mu, double dt,
                              cst_rng *rng);

/* The frame, friction and gap only; the sides are the caller's. */
void cst_sheet_set_contact(cst_builder *builder, int contact, const double *normal, double mu, double dt, cst_rng *rng);

#endif
