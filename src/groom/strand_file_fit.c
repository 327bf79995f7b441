#include "groom/strand_file_fit.h"

#include <math.h>
#include <string.h>

#include "base/sorted.h"
#include "math/vector3.h"

/* A polyline in world coordinates. `x`: points. `gone`: arc length (m) from the first point of the strand to each point. */
typedef struct line {
    double *x, *gone;
    int points;
} line;

static void place(const cst_strand_placing *p, const double *from, double *to)
{
    double turned[3];
    cst_apply3(p->R, from, turned);
    memcpy(to, p->position, 3 * sizeof *to);
    cst_add3(p->scale, turned, to);
}

static bool take_line(const cst_strand_file *file, int number, const cst_strand_placing *placing, cst_arena *scratch, line *out)
{
    const int first = file->first[number];
    *out = (line){.points = file->first[number + 1] - first};
    out->x = CST_TAKE(scratch, double, 3 * (size_t)out->points);
    out->gone = CST_TAKE(scratch, double, out->points);
    if (!out->x || !out->gone)
        return false;
    for (int i = 0; i < out->points; i++) {
        place(placing, file->point + 3 * (size_t)(first + i), out->x + 3 * i);
        if (i > 0) {
            double step[3];
            cst_subtract3(out->x + 3 * i, out->x + 3 * (i - 1), step);
            out->gone[i] = out->gone[i - 1] + sqrt(cst_dot3(step, step));
        }
    }
    return true;
}

static void at_length(const line *l, double s, double *x)
{
    const int low = cst_sorted_interval(l->gone, l->points, s), high = low + 1;
    const double step = l->gone[high] - l->gone[low], share = step > 0.0 ? (s - l->gone[low]) / step : 0.0;
    for (int k = 0; k < 3; k++)
        x[k] = l->x[3 * low + k] + share * (l->x[3 * high + k] - l->x[3 * low + k]);
}

/* Computes the tangents at the first and the last joint of a strand. At an end of the strand, the tangent is that of the
 * circular arc that starts with the tangent of the neighbouring joint and passes through the end. */
static void end_tangent(const double *joint, int elements, double *tangent)
{
    for (int end = 0; end < 2; end++) {
        const int at = end ? elements : 0, next = end ? elements - 1 : 1;
        double chord[3];
        cst_subtract3(joint + 3 * elements, joint + 3 * (elements - 1), chord);
        if (!end)
            cst_subtract3(joint + 3, joint, chord);
        if (!(cst_normalise3(chord) > 0.0) || elements < 2)
            return;
        const double *t = tangent + 3 * next, twice = 2.0 * cst_dot3(chord, t);
        if (twice > 0.0)
            for (int k = 0; k < 3; k++)
                tangent[3 * at + k] = twice * chord[k] - t[k];
    }
}

bool cst_strand_of_file(const cst_strand_file *file, int number, int elements, const cst_strand_placing *placing, bool widths,
                        cst_arena *scratch, cst_strand *out, double *error)
{
    const cst_arena_mark mark = cst_arena_mark_now(scratch);
    const size_t joints = (size_t)elements + 1;
    line l;
    double *joint = CST_TAKE(scratch, double, 3 * joints), *tangent = CST_TAKE(scratch, double, 3 * joints),
           *work = CST_TAKE(scratch, double, 6 * joints);
    *error = 0.0;
    if (!take_line(file, number, placing, scratch, &l) || !work)
        return false;
    const double length = l.gone[l.points - 1], half = 0.5 * length / elements;
    if (!(length > 0.0 && isfinite(length))) {
        *error = NAN;
        return false;
    }
    for (int i = 0; i <= elements; i++) {
        const double s = length * i / elements;
        double before[3], after[3], *t = tangent + 3 * i;
        at_length(&l, s, joint + 3 * i);
        at_length(&l, fmax(s - half, 0.0), before);
        at_length(&l, fmin(s + half, length), after);
        cst_subtract3(after, before, t);
        if (!(cst_normalise3(t) > 0.0)) /* the polyline turns back on itself */
            memcpy(t, i > 0 ? t - 3 : (const double[]){0.0, 0.0, -1.0}, 3 * sizeof *t);
    }
    end_tangent(joint, elements, tangent);
    out->length = length;
    cst_strand_fit(out, elements, joint, tangent, work);
    cst_strand_points(out, elements, 1, work);
    for (int i = 0; i <= elements; i++) {
        double off[3];
        cst_subtract3(work + 3 * i, joint + 3 * i, off);
        *error = fmax(*error, sqrt(cst_dot3(off, off)));
    }
    double radius = 0.0;
    for (int i = 0; i < l.points; i++)
        radius += placing->scale * file->radius[file->first[number] + i] / l.points;
    out->radius = widths ? radius : 0.0;
    cst_arena_release(scratch, mark);
    return true;
}
