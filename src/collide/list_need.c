#include "collide/list_need.h"

#include <math.h>

#include "math/vector3.h"

static inline double larger(double a, double b)
{
    return a > b ? a : b;
}

/* Returns the largest squared difference, over all points of a centreline piece, between the actual displacement and the
 * predicted displacement `f*was->way`. `d`: actual displacements at parts + 1 equally spaced points. The function treats the
 * actual displacement as linear between the equally spaced points, and the predicted displacement as constant along each capsule.
 * The difference of the two displacements is therefore largest at an equally spaced point or at an end of a capsule. */
static double most_off(const double (*d)[3], int parts, const cst_group_was *was, double f)
{
    double most = 0.0, sum = 0.0;
    for (int j = 0; j < was->count; ++j) {
        const double from = (double)j / was->count * parts, to = (j + 1.0) / was->count * parts, at = (j + 0.5) / was->count;
        double way[3];
        cst_group_way_at(was, at, way);
        for (double u = from; u <= to; u = u == to ? INFINITY : fmin(to, floor(u) + 1.0)) {
            const int i = u < parts - 1 ? (int)u : parts - 1;
            double square = 0.0;
            for (int k = 0; k < 3; ++k) {
                const double off = d[i][k] + (u - i) * (d[i + 1][k] - d[i][k]) - f * way[k];
                square += off * off;
            }
            most = larger(most, square);
            sum += square;
        }
    }
    return most + 0.0 * sum;
}

/* `|x - f*y|^2` */
static inline double off_by(const double *x, double f, const double *y)
{
    double square = 0.0;
    for (int k = 0; k < 3; ++k)
        square += (x[k] - f * y[k]) * (x[k] - f * y[k]);
    return square;
}

static void moved_since(const cst_group_course *is, const cst_group_was *was, double moved[CST_QUARTERS + 1][3])
{
    for (int i = 0; i <= CST_QUARTERS; ++i)
        cst_subtract3(is->at[i], was->at[i], moved[i]);
}

cst_list_need cst_list_need_of(const cst_group_course *is, const cst_group_was *was, double drift, const cst_list_since *past)
{
    double moved[CST_QUARTERS + 1][3], m = 0.0, e = 0.0, sum = 0.0;
    moved_since(is, was, moved);
    for (int i = 0; i <= CST_QUARTERS; ++i) {
        const double off = off_by(moved[i], past->time, was->way[i]);
        m = larger(m, off);
        sum += off;
    }
    for (int i = 0; i <= CST_QUARTERS; ++i) {
        double goes[3];
        for (int k = 0; k < 3; ++k)
            goes[k] = is->way->way[0][k] + (double)i / CST_QUARTERS * (is->way->way[1][k] - is->way->way[0][k]);
        const double off = off_by(goes, past->step, was->way[i]);
        e = larger(e, off);
        sum += off;
    }
    const double here = is->reach + sqrt(m) + drift + fabs(past->time) * was->half;
    return (cst_list_need){.here = here, .step = here + sqrt(e) + past->step * was->half + is->way->spread + 0.0 * sum};
}

cst_list_need cst_list_need_exactly(const cst_group_course *is, const cst_group_was *was, double drift,
                                    const cst_list_since *past)
{
    double moved[CST_QUARTERS + 1][3];
    moved_since(is, was, moved);
    const double m = most_off((const double(*)[3])moved, CST_QUARTERS, was, past->time);
    const double e = most_off((const double(*)[3])is->way->way, 1, was, past->step);
    const double here = is->reach + sqrt(m) + drift;
    return (cst_list_need){.here = here, .step = here + sqrt(e) + is->way->spread};
}
