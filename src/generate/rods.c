/* Random thin rods.
 *
 * A rod is a chain (chain.h) of 2 to 8 nodes with k_s / m in 3..100 and k_b / m in 0.1..3, so that W has stiff and soft
 * directions. Contacts join random points
 * of random pairs of rods in random frames, one in ten an obstacle. Nodes, not rods, are drawn: a rod has contacts in proportion to
 * its dofs, and for nu <= 1 few sets of rods have more contacts than they can follow.
 *
 * Feasible problems: v = 0 gives u = u_f = (gap, 0, 0) with gap > 0. The free motion is random; two contacts in three approach. */
#include <math.h>

#include "base/rng.h"
#include "generate/builder.h"
#include "generate/chain.h"
#include "generate/makers.h"
#include "generate/vector.h"

enum { NODES_MIN = 2, NODES_MAX = 8, NODES_USUAL = 4, STREAM = 1 };

typedef struct rod_point {
    int rod;           /* -1: obstacle */
    int32_t node[2];
    double weight[2];
} rod_point;

typedef struct rod_set {
    int rods;
    int nodes;      /* over all rods */
    int *first;     /* (rods + 1) first node of a rod */
    int *rod;       /* (nodes) */
    double *mass;   /* (rods) of a node */
    double *moving; /* (nodes x 3) free velocity */
} rod_set;

static bool lay_out(cst_builder *builder, cst_rng *rng, rod_set *set, int nodes, int rods)
{
    nodes = nodes < 2 * NODES_MIN ? 2 * NODES_MIN : nodes;
    rods = rods < 2 ? 2 : rods;
    rods = rods > nodes / NODES_MIN ? nodes / NODES_MIN : rods;
    rods = rods < (nodes + NODES_MAX - 1) / NODES_MAX ? (nodes + NODES_MAX - 1) / NODES_MAX : rods;
    cst_arena *scratch = &builder->scratch;
    *set = (rod_set){.rods = rods,
                     .nodes = nodes,
                     .first = CST_TAKE(scratch, int, rods + 1),
                     .rod = CST_TAKE(scratch, int, nodes),
                     .mass = CST_TAKE(scratch, double, rods),
                     .moving = CST_TAKE(scratch, double, 3 * nodes)};
    int *size = CST_TAKE(scratch, int, rods);
    if (scratch->failed)
        return false;

    for (int i = 0; i < rods; i++)
        size[i] = NODES_MIN;
    for (int left = nodes - NODES_MIN * rods; left > 0;) {
        int i = cst_rng_integer(rng, rods);
        if (size[i] < NODES_MAX) {
            size[i]++;
            left--;
        }
    }
    for (int i = 0; i < rods; i++) {
        set->first[i + 1] = set->first[i] + size[i];
        for (int k = set->first[i]; k < set->first[i + 1]; k++)
            set->rod[k] = i;
    }
    return true;
}

static bool make_rod(cst_builder *builder, cst_rng *rng, rod_set *set, int rod, double mass_ratio)
{
    int nodes = set->first[rod + 1] - set->first[rod], size = 3 * nodes;
    if (!cst_builder_dense(builder, rod, size))
        return false;
    double mass = cst_rng_log_range(rng, 1, mass_ratio), tangent[3 * NODES_MAX];
    double stretch = mass * cst_rng_log_range(rng, 3, 100), bend = mass * cst_rng_log_range(rng, 0.1, 3);
    set->mass[rod] = mass;
    cst_rng_direction(rng, 3, tangent);
    for (int e = 1; e + 1 < nodes; e++) {
        double *t = tangent + 3 * e;
        for (int a = 0; a < 3; a++)
            t[a] = t[a - 3] + 0.3 * cst_rng_normal(rng);
        cst_normalise3(t);
    }
    cst_chain_matrix(nodes, mass, stretch, bend, tangent, builder->matrix[rod]);

    /* free motion: as a whole and node by node */
    double drift[3], *moving = set->moving + 3 * set->first[rod];
    for (int a = 0; a < 3; a++)
        drift[a] = cst_rng_normal(rng);
    for (int k = 0; k < size; k++)
        moving[k] = drift[k % 3] + 0.5 * cst_rng_normal(rng);
    cst_builder_multiply(builder, rod, moving, builder->rhs[rod]);
    return true;
}

/* A random point of a segment that ends in the given node. */
static rod_point point_near(cst_rng *rng, const rod_set *set, int node)
{
    int rod = set->rod[node], k = node - set->first[rod], nodes = set->first[rod + 1] - set->first[rod];
    int segment = k == 0 ? 0 : k == nodes - 1 ? k - 1 : k - cst_rng_integer(rng, 2);
    double s = cst_rng_uniform(rng);
    return (rod_point){.rod = rod, .node = {segment, segment + 1}, .weight = {1 - s, s}};
}

static void add_velocity(const rod_set *set, const rod_point *point, double sign, double *u)
{
    if (point->rod >= 0)
        for (int k = 0; k < 2; k++)
            for (int a = 0; a < 3; a++)
                u[a] += sign * point->weight[k] * set->moving[3 * (set->first[point->rod] + point->node[k]) + a];
}

static double point_compliance(const rod_set *set, const rod_point *point)
{
    if (point->rod < 0)
        return 0;
    return (point->weight[0] * point->weight[0] + point->weight[1] * point->weight[1]) / set->mass[point->rod];
}

static bool attach(cst_builder *builder, int contact, char side, const rod_point *point)
{
    return cst_builder_attach_nodes(builder, contact, side, point->rod, point->rod < 0 ? 0 : 2, point->node, point->weight);
}

static bool make_contact(cst_builder *builder, cst_rng *rng, const rod_set *set, int contact, int node, double *compliance)
{
    rod_point a = point_near(rng, set, node), b = {.rod = -1};
    if (cst_rng_uniform(rng) >= 0.1)
        do
            b = point_near(rng, set, cst_rng_integer(rng, set->nodes));
        while (b.rod == a.rod);

    double normal[3], hint[3], u[3] = {0, 0, 0};
    add_velocity(set, &a, 1, u);
    add_velocity(set, &b, -1, u);
    cst_rng_direction(rng, 3, normal);
    cst_rng_direction(rng, 3, hint);
    bool approaches = cst_rng_uniform(rng) < 2.0 / 3;
    if ((cst_dot3(normal, u) < 0) != approaches)
        for (int k = 0; k < 3; k++)
            normal[k] = -normal[k];
    cst_frame3(normal, hint, builder->frame + 9 * contact);

    double gap = 0.05 * (0.1 + cst_rng_exponential(rng));
    builder->velocity_offset[3 * contact] = builder->law[contact] == CST_LAW_BILATERAL ? 0 : gap;
    compliance[contact] = point_compliance(set, &a) + point_compliance(set, &b);
    return attach(builder, contact, 'a', &a) && attach(builder, contact, 'b', &b);
}

typedef struct rods_usual {
    const char *name;
    int contacts;
    double nu, mu, bilateral;
    bool known;
} rods_usual;

static cst_generated *make(const rods_usual *usual, uint64_t seed, const cst_family_parameters *parameters,
                           const cst_allocator *allocator)
{
    cst_family_parameters asked = cst_asked(parameters);
    int n = cst_or_count(asked.contacts, usual->contacts);
    double nu = cst_or_positive(asked.nu, usual->nu), mu = cst_or_not_negative(asked.mu, usual->mu);
    double bilateral = cst_or_not_negative(asked.bilateral, usual->bilateral);
    double mass_ratio = fmax(1, cst_or_positive(asked.mass_ratio, 3));
    int nodes = (int)fmin(fmax(floor(n / nu + 0.5), 1), 1e8);

    cst_rng rng;
    cst_rng_seed(&rng, seed, STREAM);
    cst_builder builder;
    rod_set set;
    if (!cst_builder_begin(&builder, 3, seed, allocator) ||
        !lay_out(&builder, &rng, &set, nodes, cst_or_count(asked.bodies, nodes / NODES_USUAL)) ||
        !cst_builder_bodies(&builder, set.rods) || !cst_builder_contacts(&builder, n))
        return cst_builder_abandon(&builder);
    for (int i = 0; i < set.rods; i++)
        if (!make_rod(&builder, &rng, &set, i, mass_ratio))
            return cst_builder_abandon(&builder);

    int *order = CST_TAKE(&builder.scratch, int, set.nodes);
    double *compliance = CST_TAKE(&builder.scratch, double, n);
    if (!order || !compliance)
        return cst_builder_abandon(&builder);
    for (int k = 0; k < set.nodes; k++) { /* shuffled, so that contacts go round all nodes once before any has two */
        int swap = cst_rng_integer(&rng, k + 1);
        order[k] = order[swap];
        order[swap] = k;
    }
    for (int i = 0; i < n; i++) {
        builder.mu[i] = mu;
        builder.law[i] = (uint8_t)(cst_rng_uniform(&rng) < bilateral ? CST_LAW_BILATERAL : CST_LAW_COULOMB);
        if (!make_contact(&builder, &rng, &set, i, order[i % set.nodes], compliance))
            return cst_builder_abandon(&builder);
    }
    if (usual->known && !cst_builder_make_known(&builder, &rng, compliance, 1))
        return cst_builder_abandon(&builder);
    return cst_builder_finish(&builder, "%s nu=%.3g mu=%.3g (%d)", usual->name, 3.0 * n / (3.0 * set.nodes), mu, n);
}

CST_MAKER(cst_make_rods)
{
    return make(&(rods_usual){.name = "rods", .contacts = 24, .nu = 0.5, .mu = 0.3}, seed, parameters, allocator);
}

CST_MAKER(cst_make_rods_nu1)
{
    return make(&(rods_usual){.name = "rods-nu1", .contacts = 48, .nu = 1, .mu = 0.3}, seed, parameters, allocator);
}

CST_MAKER(cst_make_rods_nu2)
{
    return make(&(rods_usual){.name = "rods-nu2", .contacts = 96, .nu = 2, .mu = 0.3, .known = true}, seed, parameters, allocator);
}

CST_MAKER(cst_make_mu2)
{
    return make(&(rods_usual){.name = "mu2", .contacts = 24, .nu = 0.5, .mu = 2}, seed, parameters, allocator);
}

CST_MAKER(cst_make_mu100)
{
    return make(&(rods_usual){.name = "mu100", .contacts = 24, .nu = 0.5, .mu = 100}, seed, parameters, allocator);
}

CST_MAKER(cst_make_frictionless)
{
    return make(&(rods_usual){.name = "frictionless", .contacts = 24, .nu = 0.5, .mu = 0}, seed, parameters, allocator);
}

CST_MAKER(cst_make_bilateral)
{
    return make(&(rods_usual){.name = "bilateral", .contacts = 24, .nu = 0.5, .mu = 0.3, .bilateral = 0.25}, seed, parameters,
                allocator);
}
