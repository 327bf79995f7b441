#include "world/fixed_point.h"

#include <math.h>
#include <string.h>

bool cst_fixed_point_begin(cst_fixed_point *iteration, int size, cst_arena *arena)
{
    *iteration =
        (cst_fixed_point){.size = size, .answer = CST_TAKE(arena, double, size), .change = CST_TAKE(arena, double, size)};
    for (int k = 0; k < CST_FIXED_POINT_DEPTH; k++) {
        iteration->answers[k] = CST_TAKE(arena, double, size);
        iteration->changes[k] = CST_TAKE(arena, double, size);
    }
    return !arena->failed;
}

static double dot(const double *x, const double *y, int size)
{
    double sum = 0.0;
    for (int i = 0; i < size; i++)
        sum += x[i] * y[i];
    return sum;
}

/* Stores at index 0, for Anderson acceleration (fixed_point.h), the difference of the last two results f_k and the difference of
 * the last two changes d_k = f_k - v_k. The oldest two differences are dropped. */
static void remember(cst_fixed_point *iteration, const double *guess, const double *v)
{
    const int last = CST_FIXED_POINT_DEPTH - 1;
    double *answers = iteration->answers[last], *changes = iteration->changes[last];
    for (int k = last; k > 0; k--) {
        iteration->answers[k] = iteration->answers[k - 1];
        iteration->changes[k] = iteration->changes[k - 1];
    }
    iteration->answers[0] = answers;
    iteration->changes[0] = changes;
    for (int i = 0; i < iteration->size; i++) {
        const double change = v[i] - guess[i];
        answers[i] = v[i] - iteration->answer[i];
        changes[i] = change - iteration->change[i];
        iteration->answer[i] = v[i];
        iteration->change[i] = change;
    }
    if (iteration->begun && iteration->kept < CST_FIXED_POINT_DEPTH)
        iteration->kept++;
    iteration->begun = true;
}

/* Computes the coefficients a_j of Anderson acceleration (fixed_point.h) from the normal equations by a Cholesky
 * factorisation. A stored difference of successive changes d_k that depends linearly on the more recent differences gets the
 * coefficient 0. */
static void least_squares(const cst_fixed_point *iteration, double *a)
{
    /* smallest accepted pivot of the normal equations, as a fraction of the diagonal entry */
    static const double DEPENDENT = 1e-8;
    enum { N = CST_FIXED_POINT_DEPTH };
    const int n = iteration->kept;
    double L[N][N] = {{0}}, y[N] = {0};
    bool used[N] = {false};
    for (int i = 0; i < n; i++) {
        const double *di = iteration->changes[i];
        const double whole = dot(di, di, iteration->size);
        double right = dot(di, iteration->change, iteration->size), left = whole;
        for (int j = 0; j < i; j++) {
            double sum = dot(di, iteration->changes[j], iteration->size);
            for (int k = 0; k < j; k++)
                sum -= L[i][k] * L[j][k];
            L[i][j] = used[j] ? sum / L[j][j] : 0.0;
            left -= L[i][j] * L[i][j];
            right -= L[i][j] * y[j];
        }
        used[i] = left > DEPENDENT * whole;
        L[i][i] = used[i] ? sqrt(left) : 1.0;
        y[i] = used[i] ? right / L[i][i] : 0.0;
        if (!used[i])
            memset(L[i], 0, sizeof(double) * (size_t)i);
    }
    for (int i = n - 1; i >= 0; i--) {
        a[i] = y[i];
        for (int j = i + 1; j < n; j++)
            a[i] -= L[j][i] * a[j];
        a[i] = used[i] ? a[i] / L[i][i] : 0.0;
    }
}

void cst_fixed_point_next(cst_fixed_point *iteration, bool accelerate, const double *guess, double *v)
{
    double a[CST_FIXED_POINT_DEPTH] = {0};
    remember(iteration, guess, v);
    if (!accelerate)
        return;
    least_squares(iteration, a);
    for (int k = 0; k < iteration->kept; k++)
        for (int i = 0; i < iteration->size; i++)
            v[i] -= a[k] * iteration->answers[k][i];
}
