/* Computes the residual E: how much the impulses violate the Coulomb law. The residual depends only on the friction problem and
 * the solution, not on the solver. Symbols:
 *     `r_i`: impulse of contact i.
 *     `u = W*r+w`: contact velocities, recomputed from the impulses.
 *     `W_ii`: diagonal block of the Delassus matrix.
 *     `w`: free velocities.
 *     `V`: velocity scale.
 *
 * For each contact, the Alart-Curnier function f_AC is computed from scaled impulses and velocities; for a bilateral contact, the
 * scaled velocity replaces f_AC. The residual E is the largest norm over all contacts:
 *
 *     `E = max_i |f_AC(r'_i,u'_i)|`.
 *     `r'_i = r_i*trace(W_ii)/(dim*V)`.
 *     `u'_i = u_i/V`.
 *
 * The velocity scale V is the largest approach speed of all contacts, but at least 1e-6 times the largest free speed. The
 * approach speed of a contact is the negative normal part of its free velocity; a bilateral contact has its free speed as
 * approach speed. With the largest approach speed as velocity scale, zero impulses have the residual E = 1.
 *
 * The residual does not use the Fischer-Burmeister function, because that function multiplies errors of normal impulses by the
 * friction coefficient (docs/solvers.md, "Why the Alart-Curnier function"). */
#include "friction/residual.h"

#include <math.h>
#include <string.h>

#include "friction/cone.h"

static double norm(const double *x, int size)
{
    double sum = 0.0;
    for (int k = 0; k < size; k++)
        sum += x[k] * x[k];
    return sqrt(sum);
}

double cst_velocity_scale(int dim, int contacts, const double *free_velocity, const uint8_t *law)
{
    double approach = 0.0, largest = 0.0;
    for (int i = 0; i < contacts; i++) {
        const double *w = free_velocity + (size_t)i * (size_t)dim;
        const double size = norm(w, dim);
        const bool bilateral = law && law[i] == CST_LAW_BILATERAL;
        cst_keep_largest(&largest, size);
        cst_keep_largest(&approach, bilateral ? size : -w[0]);
    }
    const double scale = fmax(approach, 1e-6 * largest);
    return scale > 0.0 ? scale : 1.0;
}

double cst_friction_largest_velocity(const cst_friction_problem *problem)
{
    double largest = 0.0;
    for (int i = 0; i < problem->contacts; i++)
        cst_keep_largest(&largest, norm(problem->free_velocity + (size_t)i * (size_t)problem->dim, problem->dim));
    return largest;
}

void cst_residual_begin(cst_residual *out, double scale)
{
    memset(out, 0, sizeof *out);
    out->velocity_scale = scale;
    out->worst_contact = -1;
}

double cst_residual_add(cst_residual *out, int dim, int contact, double mu, bool bilateral, double w, const double *r,
                        const double *u)
{
    double r_scaled[3] = {0}, u_scaled[3] = {0}, f[3], f_fb[3], u_tilde[3];
    for (int k = 0; k < dim; k++) {
        r_scaled[k] = w * r[k] / out->velocity_scale;
        u_scaled[k] = u[k] / out->velocity_scale;
    }
    if (bilateral) {
        memcpy(f, u_scaled, sizeof f);
        memcpy(f_fb, u_scaled, sizeof f_fb);
        cst_keep_largest(&out->penetration, fabs(u_scaled[0]));
    } else {
        cst_alart_curnier(dim, mu, r_scaled, u_scaled, f);
        cst_fischer_burmeister(dim, mu, r_scaled, u_scaled, f_fb);
        cst_de_saxce(dim, mu, u_scaled, u_tilde);
        double dot = 0.0;
        for (int k = 0; k < dim; k++)
            dot += r_scaled[k] * u_tilde[k];
        cst_keep_largest(&out->complementarity, fabs(dot));
        cst_keep_largest(&out->cone_violation, norm(r_scaled + 1, dim - 1) - mu * r_scaled[0]);
        cst_keep_largest(&out->penetration, -u_scaled[0]);
    }
    double error = norm(f, dim);
    if (isnan(error))
        error = HUGE_VAL;
    if (error > out->error || out->worst_contact < 0)
        out->worst_contact = contact;
    cst_keep_largest(&out->error, error);
    cst_keep_largest(&out->fischer_burmeister, norm(f_fb, dim));
    return error;
}

void cst_residual_merge(cst_residual *out, const cst_residual *part)
{
    if (part->worst_contact >= 0 && (out->worst_contact < 0 || part->error > out->error ||
                                     (part->error == out->error && part->worst_contact < out->worst_contact)))
        out->worst_contact = part->worst_contact;
    cst_keep_largest(&out->error, part->error);
    cst_keep_largest(&out->fischer_burmeister, part->fischer_burmeister);
    cst_keep_largest(&out->cone_violation, part->cone_violation);
    cst_keep_largest(&out->penetration, part->penetration);
    cst_keep_largest(&out->complementarity, part->complementarity);
}

static double compliance(const cst_friction_problem *problem, int contact)
{
    const int dim = problem->dim;
    double trace = 0.0;
    for (int64_t e = problem->row_start[contact]; e < problem->row_start[contact + 1]; e++)
        if (problem->column[e] == contact)
            for (int k = 0; k < dim; k++)
                trace += problem->block[e * dim * dim + k * (dim + 1)];
    return trace / dim;
}

void cst_friction_residual(const cst_friction_problem *problem, const double *r, double scale, cst_residual *out)
{
    const int dim = problem->dim, n = problem->contacts;
    double largest = 0.0;
    for (int i = 0; i < n; i++)
        largest = fmax(largest, compliance(problem, i));
    if (!(largest > 0.0))
        largest = 1.0;
    cst_residual_begin(out, scale > 0.0 ? scale : cst_velocity_scale(dim, n, problem->free_velocity, problem->law));
    for (int i = 0; i < n; i++) {
        double u[3] = {0}, w = compliance(problem, i);
        /* the velocity is summed in long double: the terms of large impulses can cancel to a velocity below their rounding errors
         * in double precision */
        long double sum[3] = {0};
        for (int row = 0; row < dim; row++)
            sum[row] = problem->free_velocity[(size_t)i * (size_t)dim + (size_t)row];
        for (int64_t e = problem->row_start[i]; e < problem->row_start[i + 1]; e++) {
            const double *block = problem->block + e * dim * dim;
            const double *r_j = r + (size_t)problem->column[e] * (size_t)dim;
            for (int row = 0; row < dim; row++)
                for (int k = 0; k < dim; k++)
                    sum[row] += (long double)block[row * dim + k] * r_j[k];
        }
        for (int row = 0; row < dim; row++)
            u[row] = (double)sum[row];
        const bool bilateral = problem->law && problem->law[i] == CST_LAW_BILATERAL;
        cst_residual_add(out, dim, i, problem->mu[i], bilateral, w > 0.0 ? w : largest, r + (size_t)i * (size_t)dim, u);
    }
}
