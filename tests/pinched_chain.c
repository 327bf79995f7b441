#include "tests/pinched_chain.h"

#include <stdlib.h>

#include "base/rng.h"

static const double HEAVY = 1e4;

static const double LIGHT_MASS[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
static const double HEAVY_MASS[9] = {1e4, 0, 0, 0, 1e4, 0, 0, 0, 1e4};
static const int32_t DOF[3] = {0, 1, 2};
static const double UP[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, DOWN[9] = {-1, 0, 0, 0, -1, 0, 0, 0, -1};

cst_pinched_chain cst_pinched_chain_new(int n)
{
    const int light = n + 1, bodies = light + n, contacts = light + 2 * n;
    cst_pinched_chain c = {.body = calloc((size_t)bodies, sizeof *c.body),
                           .a = calloc((size_t)contacts, sizeof *c.a),
                           .b = calloc((size_t)contacts, sizeof *c.b),
                           .rhs = calloc(3 * (size_t)bodies, sizeof *c.rhs),
                           .offset = calloc(3 * (size_t)contacts, sizeof *c.offset),
                           .mu = calloc((size_t)contacts, sizeof *c.mu)};
    cst_rng rng;
    cst_rng_seed(&rng, 7, 0);
    for (int k = 0; k < bodies; k++) {
        const bool heavy = k >= light && (k - light) % 10 == 5;
        const double mass = heavy ? HEAVY : 1.0;
        c.body[k] =
            (cst_body){.kind = CST_BODY_DENSE, .size = 3, .matrix = heavy ? HEAVY_MASS : LIGHT_MASS, .rhs = c.rhs + 3 * k};
        c.rhs[3 * k] = -mass * cst_rng_range(&rng, 0.5, 1.0); /* falls */
        for (int e = 1; e < 3; e++)
            c.rhs[3 * k + e] = mass * cst_rng_range(&rng, -0.5, 0.5); /* and slides */
    }
    for (int i = 0; i < contacts; i++) {
        const int above = i - light;
        c.mu[i] = 0.3;
        if (above < 0) {
            c.a[i] = (cst_contact_side){i, 3, DOF, UP};
            c.b[i].body = -1;
        } else {
            c.a[i] = (cst_contact_side){light + above / 2, 3, DOF, UP};
            c.b[i] = (cst_contact_side){above / 2 + above % 2, 3, DOF, DOWN};
        }
    }
    c.problem = (cst_body_problem){.dim = 3,
                                   .bodies = bodies,
                                   .body = c.body,
                                   .contacts = contacts,
                                   .side_a = c.a,
                                   .side_b = c.b,
                                   .velocity_offset = c.offset,
                                   .mu = c.mu};
    return c;
}

void cst_pinched_chain_free(cst_pinched_chain *chain)
{
    free(chain->body);
    free(chain->a);
    free(chain->b);
    free(chain->rhs);
    free(chain->offset);
    free(chain->mu);
}

cst_friction_report cst_pinched_chain_solve(const cst_pinched_chain *chain, cst_form form, double tolerance, int threads,
                                            double *r)
{
    cst_friction_options options = cst_friction_options_default();
    cst_friction_report report;
    options.solver = CST_SOLVER_ACCELERATED;
    options.form = form;
    options.tolerance = tolerance;
    options.threads = threads;
    cst_friction_solve_bodies(&chain->problem, &options, r, NULL, NULL, &report);
    return report;
}
