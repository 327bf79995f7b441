#include "friction/body_check.h"

#include <math.h>

#include "base/complaint.h"
#include "base/threads.h"

enum { PARALLEL_BODIES = 32, PARALLEL_CONTACTS = 512 };

static bool all_finite(const double *value, int64_t count)
{
    for (int64_t k = 0; k < count; k++)
        if (!isfinite(value[k]))
            return false;
    return true;
}

/* Checks the block sparsity pattern of a nodal matrix: the start indices of the rows do not decrease, the columns increase and
 * are in range, and every row has a diagonal block. */
static bool check_nodal_pattern(const cst_body *body, int dim, int at, const cst_complaint *to)
{
    const int nodes = body->size / dim;
    if (body->size % dim != 0)
        return cst_complain(to, "body %d: %d dofs are not a number of nodes in %dD", at, body->size, dim);
    if (!body->row_start || !body->column)
        return cst_complain(to, "body %d: a nodal matrix without row_start or column", at);
    if (body->row_start[0] != 0)
        return cst_complain(to, "body %d: row_start begins at %lld", at, (long long)body->row_start[0]);
    for (int i = 0; i < nodes; i++) {
        bool diagonal = false;
        if (body->row_start[i + 1] < body->row_start[i])
            return cst_complain(to, "body %d: row_start decreases after node %d", at, i);
        for (int64_t e = body->row_start[i]; e < body->row_start[i + 1]; e++) {
            const int32_t column = body->column[e];
            if (column < 0 || column >= nodes)
                return cst_complain(to, "body %d: node %d is coupled to node %d of %d", at, i, column, nodes);
            if (e > body->row_start[i] && column <= body->column[e - 1])
                return cst_complain(to, "body %d: the columns of node %d are not increasing", at, i);
            diagonal |= column == i;
        }
        if (!diagonal)
            return cst_complain(to, "body %d: node %d has no diagonal block", at, i);
    }
    return true;
}

/* Checks that all entries of a banded matrix are finite. The unused values that a banded matrix stores left of column 0 in its
 * first rows are not checked. */
static bool band_finite(const cst_body *body)
{
    const int64_t width = (int64_t)body->bandwidth + 1;
    for (int64_t i = 0; i < body->size; i++) {
        const int64_t outside = i < body->bandwidth ? body->bandwidth - i : 0;
        if (!all_finite(body->matrix + i * width + outside, width - outside))
            return false;
    }
    return true;
}

static bool dense_finite(const cst_body *body)
{
    for (int64_t i = 0; i < body->size; i++)
        if (!all_finite(body->matrix + i * body->size, i + 1))
            return false;
    return true;
}

static bool check_body(const cst_body_problem *problem, int at, const cst_complaint *to)
{
    const cst_body *body = problem->body + at;
    const int dim = problem->dim;
    if (body->size < 1)
        return cst_complain(to, "body %d: %d dofs", at, body->size);
    if (!body->rhs || !all_finite(body->rhs, body->size))
        return cst_complain(to, "body %d: the right-hand side is missing or not finite", at);
    if (body->kind == CST_BODY_SOLVE)
        return body->solve ? true : cst_complain(to, "body %d: no solve function", at);
    if (!body->matrix)
        return cst_complain(to, "body %d: no matrix", at);
    bool finite = false;
    switch (body->kind) {
    case CST_BODY_DENSE:
        finite = dense_finite(body);
        break;
    case CST_BODY_BAND:
        if (body->bandwidth < 0)
            return cst_complain(to, "body %d: bandwidth %d", at, body->bandwidth);
        finite = band_finite(body);
        break;
    case CST_BODY_NODAL:
        if (!check_nodal_pattern(body, dim, at, to))
            return false;
        finite = all_finite(body->matrix, body->row_start[body->size / dim] * dim * dim);
        break;
    default:
        return cst_complain(to, "body %d: unknown kind %d", at, (int)body->kind);
    }
    return finite ? true : cst_complain(to, "body %d: the matrix is not finite", at);
}

static bool check_side(const cst_body_problem *problem, const cst_contact_side *side, int contact, char name,
                       const cst_complaint *to)
{
    if (side->body == -1)
        return true;
    if (side->body < -1 || side->body >= problem->bodies)
        return cst_complain(to, "contact %d, side %c: there is no body %d", contact, name, side->body);
    const int size = problem->body[side->body].size;
    if (side->dofs < 1 || !side->dof || !side->h)
        return cst_complain(to, "contact %d, side %c: touches no dof of body %d", contact, name, side->body);
    for (int k = 0; k < side->dofs; k++) {
        if (side->dof[k] < 0 || side->dof[k] >= size)
            return cst_complain(to, "contact %d, side %c: dof %d is not in body %d (%d dofs)", contact, name, side->dof[k],
                                side->body, size);
        if (k > 0 && side->dof[k] <= side->dof[k - 1])
            return cst_complain(to, "contact %d, side %c: dofs are not increasing", contact, name);
    }
    if (!all_finite(side->h, (int64_t)problem->dim * side->dofs))
        return cst_complain(to, "contact %d, side %c: h is not finite", contact, name);
    return true;
}

static bool check_contact(const cst_body_problem *problem, int at, const cst_complaint *to)
{
    const uint8_t law = problem->law ? problem->law[at] : (uint8_t)CST_LAW_COULOMB;
    if (law != CST_LAW_COULOMB && law != CST_LAW_BILATERAL)
        return cst_complain(to, "contact %d: unknown law %d", at, law);
    if (law == CST_LAW_COULOMB && !(problem->mu[at] >= 0.0 && isfinite(problem->mu[at])))
        return cst_complain(to, "contact %d: mu = %g", at, problem->mu[at]);
    if (!all_finite(problem->velocity_offset + (int64_t)at * problem->dim, problem->dim))
        return cst_complain(to, "contact %d: the velocity offset is not finite", at);
    return check_side(problem, problem->side_a + at, at, 'A', to) && check_side(problem, problem->side_b + at, at, 'B', to);
}

static bool check(const cst_body_problem *problem, int threads, const cst_complaint *to)
{
    if (problem->dim != 2 && problem->dim != 3)
        return cst_complain(to, "dim is %d; 2 or 3 is meant", problem->dim);
    if (problem->bodies < 0 || (problem->bodies > 0 && !problem->body))
        return cst_complain(to, "%d bodies, and no array of them", problem->bodies);
    if (problem->contacts < 0)
        return cst_complain(to, "%d contacts", problem->contacts);
    if (problem->contacts > 0 && (!problem->side_a || !problem->side_b || !problem->velocity_offset || !problem->mu))
        return cst_complain(to, "%d contacts, and an array of them is missing", problem->contacts);
    /* the error message describes the first invalid body or contact, for any number of threads */
    const int for_bodies = cst_threads_for(threads, problem->bodies, PARALLEL_BODIES);
    const int for_contacts = cst_threads_for(threads, problem->contacts, PARALLEL_CONTACTS);
    (void)for_bodies; /* unused in a build without OpenMP */
    (void)for_contacts;
    int wrong = problem->bodies;
#pragma omp parallel for schedule(static) num_threads(for_bodies) reduction(min : wrong)
    for (int at = 0; at < problem->bodies; at++)
        if (at < wrong && !check_body(problem, at, &(cst_complaint){0}))
            wrong = at;
    if (wrong < problem->bodies)
        return check_body(problem, wrong, to);
    wrong = problem->contacts;
#pragma omp parallel for schedule(static) num_threads(for_contacts) reduction(min : wrong)
    for (int at = 0; at < problem->contacts; at++)
        if (at < wrong && !check_contact(problem, at, &(cst_complaint){0}))
            wrong = at;
    return wrong == problem->contacts || check_contact(problem, wrong, to);
}

cst_status cst_body_problem_check(const cst_body_problem *problem, int threads, char *message, size_t message_size)
{
    return check(problem, threads, &(cst_complaint){message, message_size}) ? CST_SOLVED : CST_BAD_PROBLEM;
}
