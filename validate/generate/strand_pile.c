/* Hair-like assemblies: the friction problem of strands that lie on each other (strand.h), in SI units.
 *
 *     A = B^T (M + (dt^2 + dt tau)(K_stretch + K_bend)) B   on the free control points: an implicit mass-spring chain of the samples,
 *     rhs = B^T M (velocity + dt (gravity + inertial acceleration)),     u_f = (max(gap, 0) + slack, 0, 0) / dt.
 *
 * Moving: v = 0 gives u = u_f with u_N > 0, so a solution exists. Settled ("rest"): instead of gravity, the load of impulses drawn
 * in the cones of the touching contacts, rhs = -H^T r_held + a slow velocity, without clearance: held by friction, some contacts
 * about to slip. After the hair-like problems of Daviet et al. 2011; parameters are those of a guide strand of 50 hairs, with a
 * softened stretch unless asked otherwise. */
#include <math.h>

#include "base/rng.h"
#include "generate/builder.h"
#include "generate/makers.h"
#include "generate/strand.h"
#include "generate/vector.h"
#include "generate/wave.h"

enum { STREAM = 4, NODES_MIN = 4, NODES_MAX = 32, MODES = 6, STRANDS_MIN = 8 };
static const double DENSITY = 50 * 6.53e-6, BENDING = 50 * 7.04e-9; /* kg/m, N m^2 */
static const double DT = 2e-3, TAU = 1e-3;                          /* s: step, Rayleigh damping */
static const double GRAVITY = 9.81, ACCELERATION = -5;              /* m/s^2: down z; along x, of a head that starts */
static const double MARGIN = 3e-4;                                  /* m: contacts are looked for this far ahead */
static const double MU_STRANDS = 0.3, MU_HEAD = 0.5;
static const double CONTACTS_PER_STRAND = 10.8;

typedef struct pile_usual {
    const char *name;
    bool rest;
    double stretch;  /* N */
    double slack;    /* m */
    double velocity; /* m/s: smooth field */
    double jitter;   /* m/s: every strand for itself */
} pile_usual;

typedef struct wave_mode {
    double per_metre[3], amplitude[3], phase;
} wave_mode;

static double *sample(const cst_strand_set *set, int strand, int i)
{
    return set->x + 3 * ((int64_t)strand * set->samples + i);
}

/* masses (samples) and lengths (samples - 1) of the chain */
static void chain(const cst_strand_set *set, int strand, double *mass, double *length)
{
    for (int i = 0; i < set->samples; i++)
        mass[i] = 0;
    for (int i = 0; i + 1 < set->samples; i++) {
        const double *p = sample(set, strand, i);
        double e[3] = {p[3] - p[0], p[4] - p[1], p[5] - p[2]};
        length[i] = sqrt(cst_dot3(e, e));
        mass[i] += 0.5 * DENSITY * length[i];
        mass[i + 1] += 0.5 * DENSITY * length[i];
    }
}

/* matrix += sum over free control points p, q of row_p row_q (isotropic I + axial t t^T) */
static void add_outer(const cst_strand_set *set, const double *row, double isotropic, double axial, const double *t,
                      double *matrix)
{
    int size = 3 * set->nodes;
    for (int p = 0; p < set->nodes; p++) {
        if (row[CST_STRAND_CLAMPED + p] == 0)
            continue;
        for (int q = 0; q < set->nodes; q++) {
            double w = row[CST_STRAND_CLAMPED + p] * row[CST_STRAND_CLAMPED + q];
            if (w == 0)
                continue;
            for (int a = 0; a < 3; a++)
                for (int b = 0; b < 3; b++)
                    matrix[(3 * p + a) * size + 3 * q + b] += w * ((a == b ? isotropic : 0) + axial * t[a] * t[b]);
        }
    }
}

static void strand_matrix(const cst_strand_set *set, int strand, const double *mass, const double *length, double stretch,
                          double *matrix)
{
    static const double none[3] = {0, 0, 0};
    int m = set->samples, controls = set->controls;
    double h = DT * DT + DT * TAU, row[NODES_MAX + CST_STRAND_CLAMPED];
    for (int i = 0; i < m; i++)
        add_outer(set, set->basis + i * controls, mass[i], 0, none, matrix);
    for (int i = 0; i + 1 < m; i++) {
        const double *p = sample(set, strand, i), *b = set->basis + i * controls;
        double t[3] = {p[3] - p[0], p[4] - p[1], p[5] - p[2]};
        cst_normalise3(t);
        for (int j = 0; j < controls; j++)
            row[j] = b[controls + j] - b[j];
        add_outer(set, row, 0, h * stretch / length[i], t, matrix);
    }
    for (int i = 0; i + 2 < m; i++) {
        const double *b = set->basis + i * controls;
        double mean = 0.5 * (length[i] + length[i + 1]);
        for (int j = 0; j < controls; j++)
            row[j] = b[2 * controls + j] - 2 * b[controls + j] + b[j];
        add_outer(set, row, h * BENDING / (mean * mean * mean), 0, none, matrix);
    }
}

static void velocity_at(const wave_mode *mode, const double *x, double *v)
{
    for (int k = 0; k < MODES; k++) {
        double wave = cst_wave(cst_dot3(x, mode[k].per_metre) + mode[k].phase);
        for (int a = 0; a < 3; a++)
            v[a] += mode[k].amplitude[a] * wave;
    }
}

static void draw_modes(cst_rng *rng, double velocity, wave_mode *mode)
{
    for (int k = 0; k < MODES; k++) {
        cst_rng_direction(rng, 3, mode[k].per_metre);
        double wavelength = cst_rng_range(rng, 0.15, 0.4);
        mode[k].phase = cst_rng_uniform(rng);
        for (int a = 0; a < 3; a++) {
            mode[k].per_metre[a] /= wavelength;
            mode[k].amplitude[a] = velocity / sqrt(MODES) * cst_rng_normal(rng);
        }
    }
}

/* rhs = B^T M V; the velocity grows from the root over the first 10 cm */
static void strand_momentum(const cst_strand_set *set, int strand, const double *mass, const wave_mode *mode,
                            const pile_usual *usual, cst_rng *rng, double *rhs)
{
    double own[3];
    for (int a = 0; a < 3; a++)
        own[a] = usual->jitter * cst_rng_normal(rng);
    for (int i = 0; i < set->samples; i++) {
        double v[3] = {own[0], own[1], own[2]}, grown = fmin(set->length * i / (set->samples - 1) / 0.1, 1);
        velocity_at(mode, sample(set, strand, i), v);
        for (int a = 0; a < 3; a++)
            v[a] *= grown;
        if (!usual->rest) {
            v[0] += DT * ACCELERATION;
            v[2] -= DT * GRAVITY;
        }
        for (int p = 0; p < set->nodes; p++)
            for (int a = 0; a < 3; a++)
                rhs[3 * p + a] += set->basis[i * set->controls + CST_STRAND_CLAMPED + p] * mass[i] * v[a];
    }
}

static bool make_strands(cst_builder *builder, const cst_strand_set *set, const pile_usual *usual, cst_rng *rng,
                         double *mean_mass)
{
    wave_mode mode[MODES];
    draw_modes(rng, usual->velocity, mode);
    double *mass = CST_TAKE(&builder->scratch, double, set->samples);
    double *length = CST_TAKE(&builder->scratch, double, set->samples);
    if (!mass || !length)
        return false;
    double total = 0;
    for (int i = 0; i < set->strands; i++) {
        if (!cst_builder_dense(builder, i, 3 * set->nodes))
            return false;
        chain(set, i, mass, length);
        strand_matrix(set, i, mass, length, usual->stretch, builder->matrix[i]);
        strand_momentum(set, i, mass, mode, usual, rng, builder->rhs[i]);
        for (int k = 0; k < set->samples; k++)
            total += mass[k];
    }
    *mean_mass = total / ((double)set->strands * set->samples);
    return true;
}

static bool attach(cst_builder *builder, const cst_strand_set *set, int contact, char side, int strand, int at, double s)
{
    int32_t node[NODES_MAX];
    double weight[NODES_MAX];
    int count = 0;
    const double *row = set->basis + at * set->controls + CST_STRAND_CLAMPED;
    for (int j = 0; j < set->nodes; j++) {
        double w = (1 - s) * row[j] + s * row[set->controls + j];
        if (w != 0) {
            node[count] = j;
            weight[count++] = w;
        }
    }
    /* a point of the clamped root does not move: an obstacle */
    return cst_builder_attach_nodes(builder, contact, side, strand, count, node, weight);
}

/* Impulse held by a touching contact: anywhere in its cone. */
static void draw_held(cst_rng *rng, double mu, double impulse, double *r)
{
    double direction[2];
    cst_rng_direction(rng, 2, direction);
    r[0] = impulse * cst_rng_exponential(rng);
    double tangential = mu * r[0] * sqrt(cst_rng_uniform(rng));
    r[1] = tangential * direction[0];
    r[2] = tangential * direction[1];
}

static bool make_contacts(cst_builder *builder, const cst_strand_set *set, const cst_strand_contact *contact, int n, double mu,
                          const pile_usual *usual, cst_rng *rng, double held_impulse)
{
    int *offset = cst_builder_offsets(builder);
    if (!offset || !cst_builder_contacts(builder, n))
        return false;
    double *held = CST_TAKE(&builder->scratch, double, offset[set->strands]);
    if (!held)
        return false;
    for (int i = 0; i < n; i++) {
        const cst_strand_contact *c = contact + i;
        cst_frame3_of_normal(c->normal, builder->frame + 9 * (int64_t)i);
        builder->mu[i] = mu >= 0 ? mu : c->strand_b < 0 ? MU_HEAD : MU_STRANDS;
        builder->velocity_offset[3 * i] = (fmax(c->gap, 0) + usual->slack) / DT;
        bool ok = attach(builder, set, i, 'a', c->strand_a, c->sample_a, c->s_a);
        if (c->strand_b < 0)
            cst_builder_attach_obstacle(builder, i, 'b');
        else
            ok = ok && attach(builder, set, i, 'b', c->strand_b, c->sample_b, c->s_b);
        if (!ok)
            return false;
        if (usual->rest && c->gap <= 0) {
            double r[3];
            draw_held(rng, builder->mu[i], held_impulse, r);
            cst_builder_add_impulse(builder, offset, i, r, held);
        }
    }
    for (int i = 0; i < set->strands; i++)
        for (int k = 0; k < builder->body[i].size; k++)
            builder->rhs[i][k] -= held[offset[i] + k];
    return true;
}

static cst_generated *make(const pile_usual *family, uint64_t seed, const cst_family_parameters *parameters,
                           const cst_allocator *allocator)
{
    cst_family_parameters asked = cst_asked(parameters);
    pile_usual usual = *family;
    usual.stretch = cst_or_positive(asked.stretch, usual.stretch);
    usual.slack = cst_or_not_negative(asked.slack, usual.slack);
    int nodes = cst_or_count(asked.nodes, 8);
    nodes = nodes < NODES_MIN ? NODES_MIN : nodes > NODES_MAX ? NODES_MAX : nodes;
    int from_contacts = asked.contacts > 0 ? (int)ceil(asked.contacts / CONTACTS_PER_STRAND) : 144;
    int strands = cst_or_count(asked.bodies, from_contacts);
    strands = strands < STRANDS_MIN ? STRANDS_MIN : strands;

    cst_rng rng;
    cst_rng_seed(&rng, seed, STREAM);
    cst_builder builder;
    cst_strand_set set;
    double mean_mass = 0;
    if (!cst_builder_begin(&builder, 3, seed, allocator) || !cst_builder_bodies(&builder, strands) ||
        !cst_strand_shape(&set, strands, nodes, &rng, &builder.scratch) ||
        !make_strands(&builder, &set, &usual, &rng, &mean_mass))
        return cst_builder_abandon(&builder);
    int n;
    const cst_strand_contact *contact = cst_strand_contacts(&set, MARGIN, &builder.scratch, &n);
    if (!contact || !make_contacts(&builder, &set, contact, n, asked.mu, &usual, &rng, mean_mass * GRAVITY * DT))
        return cst_builder_abandon(&builder);
    return cst_builder_finish(&builder, "%s %d strands (%d)", usual.name, strands, n);
}

CST_MAKER(cst_make_strands)
{
    return make(&(pile_usual){.name = "strands", .stretch = 2, .slack = 5e-6, .velocity = 0.1, .jitter = 0.002}, seed, parameters,
                allocator);
}

CST_MAKER(cst_make_strands_rest)
{
    return make(&(pile_usual){.name = "strands-rest", .rest = true, .stretch = 2, .velocity = 0.005}, seed, parameters,
                allocator);
}

CST_MAKER(cst_make_strands_stiff)
{
    return make(&(pile_usual){.name = "strands-stiff", .stretch = 880, .velocity = 0.1, .jitter = 0.002}, seed, parameters,
                allocator);
}
