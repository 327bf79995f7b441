/* A problem from its answer.
 *
 * (r, u) is drawn in the law contact by contact. For any velocity v,
 *
 *     rhs = A v - H^T r,   u_f = u - H v     give     w = u_f + H A^-1 rhs = u - W r,
 *
 * so r solves u = W r + w whatever the rank of W. The bodies are factored only for the size of the impulses. */
#include "generate/builder.h"

#include <math.h>
#include <string.h>

#include "sparse/envelope_cholesky.h"

static double length(int n, const double *x)
{
    double sum = 0;
    for (int k = 0; k < n; k++)
        sum += x[k] * x[k];
    return sqrt(sum);
}

static void draw_in_law(cst_rng *rng, int dim, double mu, bool bilateral, double impulse, double velocity, double *r, double *u)
{
    for (int k = 0; k < dim; k++)
        r[k] = u[k] = 0;
    if (bilateral) {
        for (int k = 0; k < dim; k++)
            r[k] = impulse * cst_rng_normal(rng);
        return;
    }
    double which = cst_rng_uniform(rng);
    double direction[2] = {cst_rng_uniform(rng) < 0.5 ? -1 : 1, 0};
    if (dim == 3)
        cst_rng_direction(rng, 2, direction);
    if (which < 0.3) { /* take-off */
        u[0] = velocity * cst_rng_exponential(rng);
        for (int k = 1; k < dim; k++)
            u[k] = velocity * cst_rng_normal(rng);
    } else if (which < 0.7) { /* stick, anywhere in the cone */
        r[0] = impulse * (0.1 + cst_rng_exponential(rng));
        double share = dim == 3 ? sqrt(cst_rng_uniform(rng)) : cst_rng_uniform(rng);
        for (int k = 1; k < dim; k++)
            r[k] = mu * r[0] * share * direction[k - 1];
    } else { /* slide */
        r[0] = impulse * (0.1 + cst_rng_exponential(rng));
        double speed = velocity * (0.01 + cst_rng_exponential(rng));
        for (int k = 1; k < dim; k++) {
            r[k] = mu * r[0] * direction[k - 1];
            u[k] = -speed * direction[k - 1];
        }
    }
}

/* Distance to the nearest case of the disjunctive law, with r and u in units of `impulse` and `velocity`. */
static double law_distance(int dim, double mu, bool bilateral, double impulse, double velocity, const double *r, const double *u)
{
    double r_n = r[0] / impulse, r_t = length(dim - 1, r + 1) / impulse;
    double u_n = u[0] / velocity, u_t = length(dim - 1, u + 1) / velocity;
    if (bilateral)
        return hypot(u_n, u_t);
    double dot = 0;
    for (int k = 1; k < dim; k++)
        dot += r[k] * u[k];
    double misaligned = mu > 0 ? fabs(r_t * u_t + dot / (impulse * velocity)) : 0;
    double take_off = fmax(hypot(r_n, r_t), -u_n);
    double stick = fmax(fmax(r_t - mu * r_n, -r_n), hypot(u_n, u_t));
    double slide = fmax(fmax(fabs(r_t - mu * r_n), -r_n), fmax(fabs(u_n), misaligned));
    return fmin(take_off, fmin(stick, slide));
}

static bool factor(cst_builder *builder, int body, cst_envelope *factor)
{
    const cst_body *b = builder->body + body;
    if (!cst_envelope_begin(&builder->scratch, b->size, factor) || !cst_envelope_open(&builder->scratch, factor))
        return false;
    for (int i = 0; i < b->size; i++)
        memcpy(cst_envelope_row(factor, i), b->matrix + (size_t)i * (size_t)b->size, ((size_t)i + 1) * sizeof(double));
    return cst_envelope_factor(factor) < 0;
}

/* trace(H A^-1 H^T) of one side: |L^-1 h|^2 over its rows; x (size of the body) is scratch */
static double side_trace(const cst_builder *builder, const cst_contact_side *side, const cst_envelope *factors, double *x)
{
    if (side->body < 0)
        return 0;
    int size = builder->body[side->body].size;
    double trace = 0;
    for (int row = 0; row < builder->dim; row++) {
        memset(x, 0, (size_t)size * sizeof *x);
        for (int k = 0; k < side->dofs; k++)
            x[side->dof[k]] = side->h[row * side->dofs + k];
        cst_envelope_forward(factors + side->body, 1, size, 0, x);
        for (int k = 0; k < size; k++)
            trace += x[k] * x[k];
    }
    return trace;
}

/* w_i (contacts): the mean diagonal of W_ii; NULL without memory */
static double *compliances(cst_builder *builder, const int *offset)
{
    cst_envelope *factors = CST_TAKE(&builder->scratch, cst_envelope, builder->bodies);
    double *compliance = CST_TAKE(&builder->scratch, double, builder->contacts);
    double *x = CST_TAKE(&builder->scratch, double, offset[builder->bodies]);
    if (!factors || !compliance || !x)
        return NULL;
    for (int b = 0; b < builder->bodies; b++)
        if (!factor(builder, b, factors + b))
            return NULL;
    for (int i = 0; i < builder->contacts; i++)
        compliance[i] =
            (side_trace(builder, builder->side_a + i, factors, x) + side_trace(builder, builder->side_b + i, factors, x)) /
            builder->dim;
    return compliance;
}

bool cst_builder_make_known(cst_builder *builder, cst_rng *rng, double velocity)
{
    int dim = builder->dim, n = builder->contacts;
    int *offset = cst_builder_offsets(builder);
    double *compliance = offset ? compliances(builder, offset) : NULL;
    if (!compliance)
        return false;
    size_t dofs = (size_t)offset[builder->bodies];
    double *r = CST_TAKE(&builder->arena, double, n *dim);
    double *u = CST_TAKE(&builder->arena, double, n *dim);
    double *v = CST_TAKE(&builder->arena, double, dofs);
    double *f = CST_TAKE(&builder->scratch, double, dofs);
    if (!r || !u || !v || !f)
        return false;

    for (size_t k = 0; k < dofs; k++)
        v[k] = velocity * cst_rng_normal(rng);
    for (int i = 0; i < n; i++) {
        double *r_i = r + dim * i;
        draw_in_law(rng, dim, builder->mu[i], builder->law[i] == CST_LAW_BILATERAL, velocity / compliance[i], velocity, r_i,
                    u + dim * i);
        cst_builder_add_impulse(builder, offset, i, r_i, f);
    }
    for (int b = 0; b < builder->bodies; b++) {
        double *rhs = builder->rhs[b];
        cst_builder_multiply(builder, b, v + offset[b], rhs);
        for (int k = 0; k < builder->body[b].size; k++)
            rhs[k] -= f[offset[b] + k];
    }

    double worst = 0;
    for (int i = 0; i < n; i++) {
        double moved[3], *u_i = u + dim * i, *u_f = builder->velocity_offset + dim * i;
        cst_builder_relative_velocity(builder, offset, i, v, moved);
        for (int k = 0; k < dim; k++) {
            u_f[k] = u_i[k] - moved[k];
            u_i[k] = moved[k] + u_f[k]; /* as a solver will see it: rounded */
        }
        worst = fmax(worst, law_distance(dim, builder->mu[i], builder->law[i] == CST_LAW_BILATERAL, velocity / compliance[i],
                                         velocity, r + dim * i, u_i));
    }
    builder->out->known_r = r;
    builder->out->known_u = u;
    builder->out->known_v = v;
    builder->out->known_error = worst;
    return worst <= 1e-12;
}
