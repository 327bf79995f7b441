#include "rigid/tumbling.h"

#include <string.h>

#include "math/rotation.h"
#include "math/rotation_vector.h"
#include "math/vector3.h"

/* LONGEST_TURN (rad): largest rotation in one substep; a longer rotation is divided into several substeps (at most CUTS_MAX).
 * Each fixed-point iteration multiplies the error of the angular velocity by about the rotation angle (rad) of the substep. */
static const double LONGEST_TURN = 0.25;
enum { CUTS_MAX = 1000, ITERATIONS_MAX = 60 };

static void tumble_once(const double *mobility, const double *momentum, double h, double *R)
{
    double m[3], next[3], w[3], turn[9], product[9];
    cst_apply_transposed3(R, momentum, m);
    memcpy(next, m, sizeof next);
    /* the fixed-point iteration ends when the squared difference between two successive iterates of the angular momentum is at
     * most `enough` */
    const double enough = 1e-30 * cst_dot3(m, m);
    for (int k = 0; k < ITERATIONS_MAX; k++) {
        const double mean[3] = {0.5 * h * (m[0] + next[0]), 0.5 * h * (m[1] + next[1]), 0.5 * h * (m[2] + next[2])};
        double change[3], better[3];
        cst_apply3(mobility, mean, w);
        cst_rotation_vector_exp(w, turn);
        cst_apply_transposed3(turn, m, better);
        cst_subtract3(better, next, change);
        memcpy(next, better, sizeof next);
        if (cst_dot3(change, change) <= enough)
            break;
    }
    cst_product3(R, turn, product);
    memcpy(R, product, sizeof product);
}

void cst_tumble(const double mobility[9], double fastest, const double momentum[3], double time, double R[9])
{
    const double turn = fastest * sqrt(cst_dot3(momentum, momentum)) * fabs(time) / LONGEST_TURN;
    if (!(turn > 0.0))
        return; /* at rest, or the momentum is NaN */
    const int cuts = turn < CUTS_MAX ? 1 + (int)turn : CUTS_MAX;
    for (int i = 0; i < cuts; i++)
        tumble_once(mobility, momentum, time / cuts, R);
    cst_rotation_mend(R);
}
