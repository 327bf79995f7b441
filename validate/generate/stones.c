#include "generate/stones.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/quaternion.h"
#include "math/vector3.h"

typedef struct pose {
    double x[3], R[9];
} pose;

static pose pose_of(const cst_stones *stones, int32_t index)
{
    pose out = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    if (index >= 0) {
        memcpy(out.x, stones->stone[index].x, sizeof out.x);
        cst_quaternion_matrix(stones->stone[index].q, out.R);
    }
    return out;
}

static void place(const pose *at, const double *local, double *out)
{
    cst_apply3(at->R, local, out);
    for (int k = 0; k < 3; k++)
        out[k] += at->x[k];
}

/* Gap, and the contact's frame and point (the corner) in world axes. */
static double look(const cst_stones *stones, const cst_stone_contact *contact, double *frame, double *corner)
{
    const pose a = pose_of(stones, contact->a), b = pose_of(stones, contact->b);
    double on_b[3], apart[3];
    place(&a, contact->corner, corner);
    place(&b, contact->point, on_b);
    for (int k = 0; k < 3; k++)
        cst_apply3(b.R, contact->frame + 3 * k, frame + 3 * k);
    cst_subtract3(corner, on_b, apart);
    return cst_dot3(frame, apart);
}

/* The bodies: A and A v_0 + dt m g. */
static bool make_bodies(cst_stones *stones, cst_body **out)
{
    cst_body *body = CST_TAKE(&stones->step, cst_body, stones->stones);
    double *matrix = CST_TAKE(&stones->step, double, 36 * (size_t)stones->stones);
    double *rhs = CST_TAKE(&stones->step, double, 6 * (size_t)stones->stones);
    if (stones->step.failed)
        return false;
    for (int i = 0; i < stones->stones; i++, matrix += 36, rhs += 6) {
        const cst_stone *stone = stones->stone + i;
        double R[9];
        cst_quaternion_matrix(stone->q, R);
        for (int r = 0; r < 3; r++) {
            matrix[7 * r] = stone->mass;
            rhs[r] = stone->mass * (stone->v[r] + stones->dt * stones->gravity[r]);
            for (int c = 0; c < 3; c++) {
                double sum = 0.0;
                for (int k = 0; k < 3; k++)
                    sum += R[3 * r + k] * stone->moment[k] * R[3 * c + k];
                matrix[6 * (3 + r) + 3 + c] = sum;
                rhs[3 + r] += sum * stone->v[3 + c];
            }
        }
        body[i] = (cst_body){.kind = CST_BODY_DENSE, .size = 6, .matrix = matrix, .rhs = rhs};
    }
    *out = body;
    return true;
}

static cst_contact_side make_side(const cst_stones *stones, int32_t body, double sign, const double *frame, const double *corner,
                                  const int32_t *dof, double *h)
{
    if (body < 0)
        return (cst_contact_side){.body = -1};
    double arm[3], turn[3];
    cst_subtract3(corner, stones->stone[body].x, arm);
    for (int row = 0; row < 3; row++) {
        cst_cross3(arm, frame + 3 * row, turn);
        for (int k = 0; k < 3; k++) {
            h[6 * row + k] = sign * frame[3 * row + k];
            h[6 * row + 3 + k] = sign * turn[k];
        }
    }
    return (cst_contact_side){.body = body, .dofs = 6, .dof = dof, .h = h};
}

bool cst_stones_problem(cst_stones *stones, cst_body_problem *out, double **r)
{
    const size_t n = (size_t)stones->contacts;
    cst_arena *step = &stones->step;
    cst_arena_release(step, stones->empty);
    cst_body *body;
    cst_contact_side *a = CST_TAKE(step, cst_contact_side, n), *b = CST_TAKE(step, cst_contact_side, n);
    double *h = CST_TAKE(step, double, 36 * n), *offset = CST_TAKE(step, double, 3 * n), *mu = CST_TAKE(step, double, n);
    int32_t *dof = CST_TAKE(step, int32_t, 6);
    stones->row = CST_TAKE(step, int32_t, n);
    *r = CST_TAKE(step, double, 3 * n);
    if (step->failed || !make_bodies(stones, &body))
        return false;
    for (int k = 0; k < 6; k++)
        dof[k] = k;
    int count = 0;
    for (int i = 0; i < stones->contacts; i++) {
        const cst_stone_contact *contact = stones->contact + i;
        double frame[9], corner[3];
        const double gap = look(stones, contact, frame, corner);
        if (gap > stones->margin)
            continue;
        a[count] = make_side(stones, contact->a, 1.0, frame, corner, dof, h + 36 * (size_t)count);
        b[count] = make_side(stones, contact->b, -1.0, frame, corner, dof, h + 36 * (size_t)count + 18);
        offset[3 * count] = (gap > 0.0 ? gap : stones->stabilisation * gap) / stones->dt;
        mu[count] = contact->mu;
        memcpy(*r + 3 * count, contact->r, sizeof contact->r);
        stones->row[count++] = i;
    }
    *out = (cst_body_problem){.dim = 3,
                              .bodies = stones->stones,
                              .body = body,
                              .contacts = count,
                              .side_a = a,
                              .side_b = b,
                              .velocity_offset = offset,
                              .mu = mu};
    return true;
}

void cst_stones_advance(cst_stones *stones, const cst_body_problem *problem, const double *v, const double *r)
{
    for (int i = 0; i < stones->contacts; i++)
        memset(stones->contact[i].r, 0, sizeof stones->contact[i].r);
    for (int k = 0; k < problem->contacts; k++)
        memcpy(stones->contact[stones->row[k]].r, r + 3 * k, 3 * sizeof *r);
    for (int i = 0; i < stones->stones; i++) {
        cst_stone *stone = stones->stone + i;
        double turn[3], q[4], dq[4];
        memcpy(stone->v, v + 6 * i, sizeof stone->v);
        for (int k = 0; k < 3; k++) {
            stone->x[k] += stones->dt * stone->v[k];
            turn[k] = stones->dt * stone->v[3 + k];
        }
        cst_quaternion_exp(turn, dq);
        cst_quaternion_product(dq, stone->q, q);
        cst_quaternion_normalise(q);
        memcpy(stone->q, q, sizeof stone->q);
    }
}

double cst_stones_speed(const cst_stones *stones, double length)
{
    double largest = 0.0;
    for (int i = 0; i < stones->stones; i++) {
        const double *v = stones->stone[i].v;
        largest = fmax(largest, sqrt(cst_dot3(v, v)));
        largest = fmax(largest, length * sqrt(cst_dot3(v + 3, v + 3)));
    }
    return largest;
}

double cst_stones_deepest(const cst_stones *stones)
{
    double deepest = 0.0;
    for (int i = 0; i < stones->contacts; i++) {
        double frame[9], corner[3];
        deepest = fmax(deepest, -look(stones, stones->contact + i, frame, corner));
    }
    return deepest;
}

void cst_stones_free(cst_stones *stones)
{
    if (!stones)
        return;
    cst_arena_end(&stones->step);
    cst_arena arena = stones->arena;
    cst_arena_end(&arena);
}
