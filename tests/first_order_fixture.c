#include "tests/first_order_fixture.h"

#include "friction/cadoux.h"
#include "friction/projected_gauss_seidel.h"
#include "friction/projected_gradient.h"
#include "friction/residual.h"
#include "friction/rows.h"
#include "sparse/coloring.h"

const first_order_method METHODS[METHODS_COUNT] = {{"projected Gauss-Seidel", cst_projected_gauss_seidel},
                                                   {"projected gradient", cst_projected_gradient},
                                                   {"Cadoux", cst_cadoux}};

setting begin(const cst_friction_problem *problem, bool coloured, int threads)
{
    setting s = {.system = {.threads = threads}};
    const size_t n = (size_t)problem->contacts, size = n * (size_t)problem->dim;
    cst_arena_begin(&s.arena, NULL);
    s.order = CST_TAKE(&s.arena, int32_t, n);
    s.x = CST_TAKE(&s.arena, double, size);
    s.y = CST_TAKE(&s.arena, double, size);
    assert_false(s.arena.failed);
    for (int32_t i = 0; i < problem->contacts; i++)
        s.order[i] = i;
    if (coloured)
        s.system.colours =
            cst_coloring(problem->contacts, problem->row_start, problem->column, &s.arena, s.order, &s.system.colour_start);
    s.V = cst_velocity_scale(problem->dim, problem->contacts, problem->free_velocity, problem->law);
    assert_true(cst_rows_pack(problem, s.order, s.V, &s.arena, &s.system));
    return s;
}

void end(setting *s)
{
    cst_arena_end(&s->arena);
}

double error_of(setting *s)
{
    cst_system_multiply(&s->system, s->x, s->y);
    return cst_system_error(&s->system, s->x, s->y, false);
}

void unscale(const setting *s, double *r)
{
    const int dim = s->system.dim; /* x = sqrt(w) r and weight = sqrt(w) / V */
    for (int k = 0; k < s->system.contacts; k++)
        for (int c = 0; c < dim; c++)
            r[s->order[k] * dim + c] = s->x[k * dim + c] / (s->system.weight[k] * s->V);
}

cst_method_result run(setting *s, int which, double tolerance, int max_iterations)
{
    const cst_method_settings settings = {.tolerance = tolerance, .max_iterations = max_iterations};
    const cst_method_result result = METHODS[which].solve(&s->system, &settings, &s->arena, s->x);
    assert_false(s->arena.failed);
    return result;
}

int solve(const cst_friction_problem *problem, int which, double tolerance, int max_iterations, const char *name, double *r)
{
    setting s = begin(problem, false, 1);
    const cst_method_result result = run(&s, which, tolerance, max_iterations);
    unscale(&s, r);
    const double judged = judge(problem, r, 0.0).alart_curnier;
    if (!result.converged || !(judged <= 1.01 * tolerance))
        fail_msg("%s on %s: converged %d, E %.2e (says %.2e) after %d", METHODS[which].name, name, result.converged, judged,
                 result.error, result.iterations);
    end(&s);
    return result.iterations;
}
