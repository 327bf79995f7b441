/* Warns about settings that are valid but probably wrong: friction, restitution, contact margin, solver and time step. */
#include <math.h>
#include <stdio.h>

#include "examine/subject.h"
#include "scene/values.h"

static const double STICKY = 5.0; /* largest friction coefficient that gives no warning (rubber on rubber has 1 to 2) */
/* largest tolerance of the friction solver that gives no warning; it allows velocity errors of one percent of the approach
 * velocity */
static const double COARSE = 1e-2;
static const double COARSE_STEP = 1e-3; /* largest tolerance of an iterated time step that gives no warning */
enum { FEW_ITERATIONS = 100, MANY_ITERATIONS = 200 };

static void look_at_mu(cst_subject *subject, const cst_json *node, const char *key, double mu)
{
    if (mu > STICKY)
        cst_find(&subject->findings, "friction", node, key,
                 "a coefficient of %.3g is more than any pair of materials has (rubber on rubber 1 to 2)\nwrite mu itself, not "
                 "percent or degrees; what shall not slide at all is joined by a constraint",
                 mu);
}

static void look_at_bounce(cst_subject *subject, const cst_json *node, const char *key, double restitution)
{
    if (restitution > 0.0 && subject->def->time_step.quasi_static)
        cst_find(&subject->findings, "restitution-quasi-static", node, key,
                 "a restitution of %.3g has no effect: quasi-static steps forget all velocities, nothing bounces\nleave it out, "
                 "or set time_step.quasi_static to false",
                 restitution);
}

static void look_at_surface(cst_subject *subject, const cst_json *node)
{
    const cst_json *friction = cst_given(node, "friction");
    double most = 0.0;
    for (const cst_json *own = friction && friction->kind == CST_JSON_ARRAY ? friction->first : NULL; own; own = own->next)
        most = fmax(most, own->number);
    look_at_mu(subject, node, "friction", friction && friction->kind == CST_JSON_NUMBER ? friction->number : most);
    look_at_bounce(subject, node, "restitution", cst_get_real_or(node, "restitution", 0.0));
}

static void look_at_list(cst_subject *subject, const cst_json *list)
{
    for (const cst_json *node = list ? list->first : NULL; node; node = node->next)
        look_at_surface(subject, node);
}

static void look_at_solver(cst_subject *subject)
{
    const cst_friction_options *solver = &subject->def->friction;
    const cst_json *node = cst_given(subject->root, "solver");
    if (solver->tolerance > COARSE)
        cst_find(&subject->findings, "solver-tolerance", node, "tolerance",
                 "steps are taken with a violation of the friction law of up to %.3g of the approach speed\nuse 1e-6 for "
                 "pictures, 1e-8 (the default) for measurements",
                 solver->tolerance);
    if (solver->max_iterations < FEW_ITERATIONS)
        cst_find(&subject->findings, "solver-iterations", node, "max_iterations",
                 "%d iterations rarely reach a tolerance of %.0e\nleave it at 100000: a solver stops as soon as it is there",
                 solver->max_iterations, solver->tolerance);
}

static void look_at_time_step(cst_subject *subject)
{
    const cst_time_step *step = &subject->def->time_step;
    const cst_json *node = cst_given(subject->root, "time_step");
    if (step->iterations > MANY_ITERATIONS)
        cst_find(&subject->findings, "step-iterations", node, "iterations",
                 "%d Newton iterations for a step: what has not converged after 30 will not\nuse 30, and a smaller dt or "
                 "adaptive steps",
                 step->iterations);
    if (step->iterations > 1 && step->iteration_tolerance > COARSE_STEP)
        cst_find(&subject->findings, "step-tolerance", node, "tolerance",
                 "an iterated step that stops at a change of %.3g has not converged\nuse 1e-10 (the default), or iterations = 1",
                 step->iteration_tolerance);
    const bool deep = step->penetration_limit > 1.0;
    if (step->adaptive && (deep || (step->motion_limit > 10.0 && !step->quasi_static)))
        cst_find(&subject->findings, "limits", node, deep ? "penetration_limit" : "motion_limit",
                 "with a limit of %.3g radii a body may be on the other side before its step is halved\nuse 0.01 for "
                 "penetration_limit, 0.5 for motion_limit (the defaults)",
                 deep ? step->penetration_limit : step->motion_limit);
}

static void look_at_contact(cst_subject *subject)
{
    const cst_contact_rules *rules = &subject->def->contact;
    const cst_json *node = cst_given(subject->root, "contact");
    if (rules->margin > subject->thinnest)
        cst_find(&subject->findings, "margin", node, "margin",
                 "gaps below %.3g m become contacts, and the thinnest body has a radius of %.3g m: what is far apart is solved "
                 "as if it touched\nleave it out: it is then chosen from radii and speeds",
                 rules->margin, subject->thinnest);
}

void cst_look_at_settings(cst_subject *subject)
{
    const cst_json *root = subject->root, *friction = cst_given(root, "friction");
    if (friction && friction->kind == CST_JSON_NUMBER)
        look_at_mu(subject, root, "friction", friction->number);
    if (friction && friction->kind == CST_JSON_OBJECT) {
        look_at_mu(subject, friction, "default", cst_get_real(friction, "default"));
        look_at_bounce(subject, friction, "restitution", cst_get_real(friction, "restitution"));
        look_at_list(subject, cst_given(friction, "pairs"));
    }
    look_at_list(subject, cst_given(root, "materials"));
    look_at_list(subject, cst_given(root, "obstacles"));
    for (int i = 0; i < subject->kinds; i++)
        look_at_surface(subject, subject->kind[i].node);
    look_at_solver(subject);
    look_at_time_step(subject);
    look_at_contact(subject);
}
