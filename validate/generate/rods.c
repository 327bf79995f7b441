/* Random thin rods: linked rods (linked_rod.h) of 2 to 8 links, 6 to 24 dofs, that touch at random points in random frames.
 *
 * One contact in ten is with an obstacle. Links, not rods, are drawn: a rod has contacts in proportion to its dofs, so that for
 * nu <= 1 few sets of rods have more contacts than they can follow. Feasible problems: v = 0 gives u = u_f = (gap, 0, 0) with
 * gap > 0; the free motion is random and three contacts in four approach. Stiffness and gaps are such that plain
 * Gauss-Seidel needs some hundred sweeps at mu = 0.3 and often fails at mu = 2. */
#include <math.h>

#include "base/rng.h"
#include "generate/builder.h"
#include "generate/linked_rod.h"
#include "generate/makers.h"
#include "generate/vector.h"

enum { LINKS_MIN = 2, LINKS_USUAL = 4, STREAM = 1 };

typedef struct rod_point {
    int rod; /* -1: obstacle */
    int dofs;
    double jacobian[9 * CST_LINKS_MAX]; /* (3 x dofs) */
} rod_point;

typedef struct rod_set {
    int rods;
    int links;             /* over all rods */
    int *first;            /* (rods + 1) first link of a rod */
    int *rod;              /* (links) */
    cst_linked_rod *shape; /* (rods) */
    double *moving;        /* (3 links) free velocity */
} rod_set;

static bool lay_out(cst_builder *builder, cst_rng *rng, rod_set *set, int links, int rods)
{
    links = links < 2 * LINKS_MIN ? 2 * LINKS_MIN : links;
    rods = rods < 2 ? 2 : rods;
    rods = rods > links / LINKS_MIN ? links / LINKS_MIN : rods;
    rods = rods < (links + CST_LINKS_MAX - 1) / CST_LINKS_MAX ? (links + CST_LINKS_MAX - 1) / CST_LINKS_MAX : rods;
    cst_arena *scratch = &builder->scratch;
    *set = (rod_set){.rods = rods,
                     .links = links,
                     .first = CST_TAKE(scratch, int, rods + 1),
                     .rod = CST_TAKE(scratch, int, links),
                     .shape = CST_TAKE(scratch, cst_linked_rod, rods),
                     .moving = CST_TAKE(scratch, double, 3 * (size_t)links)};
    int *size = CST_TAKE(scratch, int, rods);
    if (scratch->failed)
        return false;

    for (int i = 0; i < rods; i++)
        size[i] = LINKS_MIN;
    for (int left = links - LINKS_MIN * rods; left > 0;) {
        int i = cst_rng_integer(rng, rods);
        if (size[i] < CST_LINKS_MAX) {
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
    int links = set->first[rod + 1] - set->first[rod], size = 3 * links;
    if (!cst_builder_dense(builder, rod, size))
        return false;
    double mass = cst_rng_log_range(rng, 1, mass_ratio);
    double bend = mass * cst_rng_log_range(rng, 10, 100), twist = bend * cst_rng_range(rng, 0.5, 1);
    cst_linked_rod_draw(rng, links, set->shape + rod);
    cst_linked_rod_matrix(set->shape + rod, mass, bend, twist, builder->matrix[rod]);

    double *moving = set->moving + 3 * set->first[rod];
    for (int k = 0; k < size; k++)
        moving[k] = 0.4 * cst_rng_normal(rng);
    cst_builder_multiply(builder, rod, moving, builder->rhs[rod]);
    return true;
}

/* A random point of a link, not too near the root: there nothing moves. */
static void point_on(cst_rng *rng, const rod_set *set, int link, rod_point *out)
{
    out->rod = set->rod[link];
    int on_rod = link - set->first[out->rod];
    out->dofs = 3 * (on_rod + 1);
    cst_linked_rod_jacobian(set->shape + out->rod, on_rod, cst_rng_range(rng, on_rod == 0 ? 0.3 : 0, 1), out->jacobian);
}

static void add_velocity(const rod_set *set, const rod_point *point, double sign, double *u)
{
    if (point->rod >= 0)
        for (int a = 0; a < 3; a++)
            for (int k = 0; k < point->dofs; k++)
                u[a] += sign * point->jacobian[a * point->dofs + k] * set->moving[3 * set->first[point->rod] + k];
}

static bool attach(cst_builder *builder, int contact, char side, const rod_point *point)
{
    if (point->rod >= 0)
        return cst_builder_attach_jacobian(builder, contact, side, point->rod, point->dofs, point->jacobian);
    cst_builder_attach_obstacle(builder, contact, side);
    return true;
}

static bool make_contact(cst_builder *builder, cst_rng *rng, const rod_set *set, int contact, int link)
{
    rod_point a, b = {.rod = -1};
    point_on(rng, set, link, &a);
    if (cst_rng_uniform(rng) >= 0.1)
        do
            point_on(rng, set, cst_rng_integer(rng, set->links), &b);
        while (b.rod == a.rod);

    double normal[3], hint[3], u[3] = {0, 0, 0};
    add_velocity(set, &a, 1, u);
    add_velocity(set, &b, -1, u);
    cst_rng_direction(rng, 3, normal);
    cst_rng_direction(rng, 3, hint);
    bool approaches = cst_rng_uniform(rng) < 0.75;
    if ((cst_dot3(normal, u) < 0) != approaches)
        for (int k = 0; k < 3; k++)
            normal[k] = -normal[k];
    cst_frame3(normal, hint, builder->frame + 9 * (size_t)contact);

    double gap = 0.01 * (0.1 + cst_rng_exponential(rng));
    builder->velocity_offset[3 * contact] = builder->law[contact] == CST_LAW_BILATERAL ? 0 : gap;
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
    int links = (int)fmin(fmax(floor(n / nu + 0.5), 1), 1e8); /* 3 dofs each */

    cst_rng rng;
    cst_rng_seed(&rng, seed, STREAM);
    cst_builder builder;
    rod_set set;
    if (!cst_builder_begin(&builder, 3, seed, allocator) ||
        !lay_out(&builder, &rng, &set, links, cst_or_count(asked.bodies, links / LINKS_USUAL)) ||
        !cst_builder_bodies(&builder, set.rods) || !cst_builder_contacts(&builder, n))
        return cst_builder_abandon(&builder);
    for (int i = 0; i < set.rods; i++)
        if (!make_rod(&builder, &rng, &set, i, mass_ratio))
            return cst_builder_abandon(&builder);

    int *order = CST_TAKE(&builder.scratch, int, set.links);
    if (!order)
        return cst_builder_abandon(&builder);
    for (int k = 0; k < set.links; k++) { /* shuffled: contacts go round all links before any has two */
        int swap = cst_rng_integer(&rng, k + 1);
        order[k] = order[swap];
        order[swap] = k;
    }
    for (int i = 0; i < n; i++) {
        builder.mu[i] = mu;
        builder.law[i] = (uint8_t)(cst_rng_uniform(&rng) < bilateral ? CST_LAW_BILATERAL : CST_LAW_COULOMB);
        if (!make_contact(&builder, &rng, &set, i, order[i % set.links]))
            return cst_builder_abandon(&builder);
    }
    if (usual->known && !cst_builder_make_known(&builder, &rng, 1))
        return cst_builder_abandon(&builder);
    return cst_builder_finish(&builder, "%s nu=%.3g mu=%.3g (%d)", usual->name, (double)n / set.links, mu, n);
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
    return make(&(rods_usual){.name = "rods-nu2", .contacts = 96, .nu = 2, .mu = 0.3, .known = true}, seed, parameters,
                allocator);
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
