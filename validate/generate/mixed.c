/* Rods resting on a sheet: contacts of sheet and ground, of rods and sheet nodes, and of rods that cross, so that dense and nodal
 * bodies meet in one problem. Feasible as all of these: v = 0 gives u = (gap / dt, 0, 0). */
#include <math.h>

#include "base/rng.h"
#include "generate/builder.h"
#include "generate/chain.h"
#include "generate/makers.h"
#include "generate/sheet.h"
#include "generate/vector.h"

enum { STREAM = 6, ROD_NODES = 4, TOUCHES_MAX = 16 };
static const double DT = 5e-3, GRAVITY = 9.81; /* s, m/s^2 */
static const double STRETCH = 50;              /* N/m, of the sheet */

typedef struct lying_rod {
    double middle[2], direction[2]; /* in the plane */
    double half;                    /* length, m */
    double mass;                    /* of a node, kg */
} lying_rod;

typedef struct touching {
    int a, b;        /* rod or sheet node; b: -1 the ground */
    double s_a, s_b; /* place on a rod, -1 .. 1 */
    enum { NODE_GROUND, ROD_NODE, ROD_ROD } kind;
} touching;

/* The sheet is body 0, rod i body 1 + i. */
static bool make_rod(cst_builder *builder, const cst_sheet *sheet, int body, lying_rod *rod, cst_rng *rng)
{
    double width = sheet->spacing * (sheet->across - 1), height = sheet->spacing * (sheet->along - 1), tangent[3 * ROD_NODES];
    cst_rng_direction(rng, 2, rod->direction);
    rod->half = 0.5 * sheet->spacing * cst_rng_range(rng, 3, 7);
    rod->middle[0] = cst_rng_range(rng, 0.2, 0.8) * width;
    rod->middle[1] = cst_rng_range(rng, 0.2, 0.8) * height;
    rod->mass = sheet->mass * cst_rng_log_range(rng, 1, 10);
    if (!cst_builder_dense(builder, body, 3 * ROD_NODES))
        return false;
    for (int e = 0; e + 1 < ROD_NODES; e++) {
        for (int k = 0; k < 3; k++)
            tangent[3 * e + k] = (k < 2 ? rod->direction[k] : 0) + 0.05 * cst_rng_normal(rng);
        cst_normalise3(tangent + 3 * e);
    }
    double stretch = rod->mass * cst_rng_log_range(rng, 10, 100), bend = rod->mass * cst_rng_log_range(rng, 0.3, 3);
    cst_chain_matrix(ROD_NODES, rod->mass, stretch, bend, tangent, builder->matrix[body]);
    double drift[3];
    for (int k = 0; k < 3; k++)
        drift[k] = 0.1 * cst_rng_normal(rng) - (k == 2 ? DT * GRAVITY : 0);
    for (int k = 0; k < 3 * ROD_NODES; k++)
        builder->rhs[body][k] = rod->mass * (drift[k % 3] + 0.05 * cst_rng_normal(rng));
    return true;
}

static bool attach_rod(cst_builder *builder, int contact, char side, int body, double s)
{
    double place = 0.5 * (s + 1) * (ROD_NODES - 1);
    int32_t first = (int32_t)place < ROD_NODES - 2 ? (int32_t)place : ROD_NODES - 2;
    const int32_t node[2] = {first, first + 1};
    const double weight[2] = {1 - (place - first), place - first};
    return cst_builder_attach_nodes(builder, contact, side, body, 2, node, weight);
}

/* Nodes of the sheet within 0.6 of a spacing of the rod. */
static int touches_of_rod(const cst_sheet *sheet, const lying_rod *rod, int index, touching *out)
{
    int count = 0;
    for (int node = 0; node < sheet->nodes && count < TOUCHES_MAX; node++) {
        double d[2] = {sheet->x[3 * node] - rod->middle[0], sheet->x[3 * node + 1] - rod->middle[1]};
        double along = (d[0] * rod->direction[0] + d[1] * rod->direction[1]) / rod->half;
        double off = fabs(d[0] * rod->direction[1] - d[1] * rod->direction[0]);
        if (fabs(along) <= 1 && off < 0.6 * sheet->spacing)
            out[count++] = (touching){.a = index, .b = node, .s_a = along, .kind = ROD_NODE};
    }
    return count;
}

/* Middles m and directions d of two lines: m_a + s_a h_a d_a = m_b + s_b h_b d_b. */
static bool crossing(const lying_rod *a, const lying_rod *b, double *s_a, double *s_b)
{
    double det = a->direction[0] * b->direction[1] - a->direction[1] * b->direction[0];
    if (fabs(det) < 0.1)
        return false;
    double d[2] = {b->middle[0] - a->middle[0], b->middle[1] - a->middle[1]};
    *s_a = (d[0] * b->direction[1] - d[1] * b->direction[0]) / det / a->half;
    *s_b = (d[0] * a->direction[1] - d[1] * a->direction[0]) / det / b->half;
    return fabs(*s_a) <= 1 && fabs(*s_b) <= 1;
}

static bool make_touch(cst_builder *builder, const cst_sheet *sheet, const cst_ground *ground, const touching *touch, int contact,
                       double mu, cst_rng *rng)
{
    double normal[3];
    for (int k = 0; k < 3; k++)
        normal[k] = 0.05 * cst_rng_normal(rng) + (k == 2 ? 1 : 0);
    cst_normalise3(normal);
    if (touch->kind == NODE_GROUND) {
        cst_ground_normal(ground, sheet->x[3 * touch->a], sheet->x[3 * touch->a + 1], normal);
        return cst_sheet_touch_obstacle(builder, contact, 0, touch->a, normal, mu, DT, rng);
    }
    cst_sheet_set_contact(builder, contact, normal, mu, DT, rng);
    if (!attach_rod(builder, contact, 'a', 1 + touch->a, touch->s_a))
        return false;
    if (touch->kind == ROD_ROD)
        return attach_rod(builder, contact, 'b', 1 + touch->b, touch->s_b);
    const int32_t node = touch->b;
    const double whole = 1;
    return cst_builder_attach_nodes(builder, contact, 'b', 0, 1, &node, &whole);
}

CST_MAKER(cst_make_mixed)
{
    cst_family_parameters asked = cst_asked(parameters);
    double mu = cst_or_not_negative(asked.mu, 0.3);
    cst_rng rng;
    cst_rng_seed(&rng, seed, STREAM);
    cst_ground ground;
    cst_ground_draw(&rng, &ground);
    cst_builder builder;
    cst_sheet sheet;
    if (!cst_builder_begin(&builder, 3, seed, allocator) ||
        !cst_sheet_lay(&sheet, cst_or_count(asked.nodes, cst_or_count(asked.contacts, 80)), false, &ground, &rng,
                       &builder.scratch))
        return cst_builder_abandon(&builder);
    int rods = asked.bodies > 1 ? asked.bodies - 1 : 1 + sheet.nodes / 14;
    lying_rod *rod_of = CST_TAKE(&builder.scratch, lying_rod, rods);
    touching *touches = CST_TAKE(&builder.scratch, touching, (size_t)sheet.nodes + (size_t)rods * (TOUCHES_MAX + (size_t)rods));
    bool ok = rod_of && touches && cst_builder_bodies(&builder, 1 + rods) &&
              cst_sheet_body(&builder, 0, &sheet, cst_or_positive(asked.stretch, STRETCH), DT, &rng);
    for (int i = 0; ok && i < rods; i++)
        ok = make_rod(&builder, &sheet, 1 + i, rod_of + i, &rng);
    if (!ok)
        return cst_builder_abandon(&builder);

    int n = 0;
    for (int node = 0; node < sheet.nodes; node++)
        if (cst_rng_uniform(&rng) < 0.5)
            touches[n++] = (touching){.a = node, .b = -1, .kind = NODE_GROUND};
    for (int i = 0; i < rods; i++) {
        n += touches_of_rod(&sheet, rod_of + i, i, touches + n);
        for (int j = 0; j < i; j++) {
            touches[n] = (touching){.a = i, .b = j, .kind = ROD_ROD};
            n += crossing(rod_of + i, rod_of + j, &touches[n].s_a, &touches[n].s_b);
        }
    }
    ok = cst_builder_contacts(&builder, n);
    for (int i = 0; ok && i < n; i++)
        ok = make_touch(&builder, &sheet, &ground, touches + i, i, mu, &rng);
    if (!ok)
        return cst_builder_abandon(&builder);
    return cst_builder_finish(&builder, "mixed %d nodes %d rods mu=%.3g (%d)", sheet.nodes, rods, mu, n);
}
