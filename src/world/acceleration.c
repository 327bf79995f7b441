#include "world/acceleration.h"

#include <math.h>
#include <string.h>

bool cst_acceleration_begin(cst_acceleration *acceleration, int size, cst_arena *arena)
{
    *acceleration =
        (cst_acceleration){.size = size, .answer = CST_TAKE(arena, double, size), .change = CST_TAKE(arena, double, size)};
    for (int k = 0; k < CST_ACCELERATION_DEPTH; k++) {
        acceleration->answers[k] = CST_TAKE(arena, double, size);
        acceleration->changes[k] = CST_TAKE(arena, double, size);
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

/* The latest differences first; the oldest make room. */
static void remember(cst_acceleration *acceleration, const double *guess, const double *v)
{
    const int last = CST_ACCELERATION_DEPTH - 1;
    double *answers = acceleration->answers[last], *changes = acceleration->changes[last];
    for (int k = last; k > 0; k--) {
        acceleration->answers[k] = acceleration->answers[k - 1];
        acceleration->changes[k] = acceleration->changes[k - 1];
    }
    acceleration->answers[0] = answers;
    acceleration->changes[0] = changes;
    for (int i = 0; i < acceleration->size; i++) {
        const double change = v[i] - guess[i];
        answers[i] = v[i] - acceleration->answer[i];
        changes[i] = change - acceleration->change[i];
        acceleration->answer[i] = v[i];
        acceleration->change[i] = change;
    }
    if (acceleration->begun && acceleration->kept < CST_ACCELERATION_DEPTH)
        acceleration->kept++;
    acceleration->begun = true;
}

/* Gram-Schmidt on the differences of changes, latest first: those that depend on later ones are left out. a (kept). */
static void least_squares(const cst_acceleration *acceleration, double *a)
{
    static const double DEPENDENT = 1e-8; /* of the square of a length */
    enum { N = CST_ACCELERATION_DEPTH };
    const int n = acceleration->kept;
    double L[N][N] = {{0}}, y[N] = {0};
    bool used[N] = {false};
    for (int i = 0; i < n; i++) {
        const double *di = acceleration->changes[i];
        const double whole = dot(di, di, acceleration->size);
        double right = dot(di, acceleration->change, acceleration->size), left = whole;
        for (int j = 0; j < i; j++) {
            double sum = dot(di, acceleration->changes[j], acceleration->size);
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

void cst_acceleration_next(cst_acceleration *acceleration, bool accelerate, const double *guess, double *v)
{
    double a[CST_ACCELERATION_DEPTH] = {0};
    remember(acceleration, guess, v);
    if (!accelerate)
        return;
    least_squares(acceleration, a);
    for (int k = 0; k < acceleration->kept; k++)
        for (int i = 0; i < acceleration->size; i++)
            v[i] -= a[k] * acceleration->answers[k][i];
}
