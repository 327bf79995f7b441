#include "friction/contact_errors.h"

#include <math.h>
#include <string.h>

enum { PARALLEL_MIN = 512 }; /* contacts */

bool cst_contact_errors_begin(cst_system *system, bool fischer_burmeister, cst_arena *arena, cst_contact_errors *out)
{
    const size_t n = (size_t)system->contacts;
    *out = (cst_contact_errors){.system = system,
                                .fischer_burmeister = fischer_burmeister,
                                .y = CST_TAKE_RAW(arena, double, n *(size_t)system->dim),
                                .error = CST_TAKE_RAW(arena, double, n),
                                .mark = CST_TAKE(arena, uint8_t, n),
                                .list = CST_TAKE_RAW(arena, int32_t, n),
                                .column = CST_TAKE_RAW(arena, int32_t, n)};
    return !arena->failed;
}

static double largest_of(const cst_contact_errors *errors)
{
    const int n = errors->system->contacts;
    double largest = 0.0;
    for (int i = 0; i < n; i++)
        largest = errors->error[i] > largest ? errors->error[i] : largest;
    return largest;
}

static void measure(cst_contact_errors *errors, const double *x, int contact)
{
    const size_t at = (size_t)contact * (size_t)errors->system->dim;
    errors->error[contact] =
        cst_system_contact_error(errors->system, contact, x + at, errors->y + at, errors->fischer_burmeister);
}

double cst_contact_errors_find(cst_contact_errors *errors, const double *x)
{
    const cst_system *system = errors->system;
    cst_system_multiply(errors->system, x, errors->y);
#pragma omp parallel for schedule(static) num_threads(system->threads) if (system->contacts >= PARALLEL_MIN)
    for (int i = 0; i < system->contacts; i++)
        measure(errors, x, i);
    return largest_of(errors);
}

/* Marks a contact and all contacts coupled with it, and appends those that had no mark to the list. Returns the new length of the
 * list. */
static int mark_coupled(cst_contact_errors *errors, int contact, int count)
{
    const int length = errors->system->coupling->row(errors->system, contact, errors->column, NULL);
    for (int k = -1; k < length; k++) {
        const int32_t other = k < 0 ? contact : errors->column[k];
        if (errors->mark[other])
            continue;
        errors->mark[other] = 1;
        errors->list[count++] = other;
    }
    return count;
}

static void clear_marks(cst_contact_errors *errors, int count)
{
    for (int k = 0; k < count; k++)
        errors->mark[errors->list[k]] = 0;
}

double cst_contact_errors_update(cst_contact_errors *errors, const double *x, const int32_t *changed, int count)
{
    cst_system *system = errors->system;
    int rows = 0;
    /* With a coupling through the bodies, a velocity is computed from the states of its bodies, which are sums over all contacts
     * of a body; they are computed for all bodies at once. */
    if (system->coupling->begin)
        return cst_contact_errors_find(errors, x);
    for (int k = 0; k < count; k++)
        rows = mark_coupled(errors, changed[k], rows);
#pragma omp parallel for schedule(static) num_threads(system->threads) if (rows >= PARALLEL_MIN)
    for (int k = 0; k < rows; k++) {
        cst_system_contact_velocity(system, errors->list[k], x, errors->y + (size_t)errors->list[k] * (size_t)system->dim);
        measure(errors, x, errors->list[k]);
    }
    clear_marks(errors, rows);
    return largest_of(errors);
}

int cst_contact_errors_above(cst_contact_errors *errors, double least, const int32_t *among, int among_count, int most,
                             int32_t *list)
{
    const int from = among ? among_count : errors->system->contacts;
    int above = 0, marked = 0, listed = 0;
    for (int k = 0; k < from; k++)
        above += errors->error[among ? among[k] : k] > least;
    if (above > most)
        return -1;
    for (int k = 0; k < from; k++) {
        const int32_t contact = among ? among[k] : k;
        if (errors->error[contact] > least)
            marked = mark_coupled(errors, contact, marked);
    }
    for (int k = 0; k < from; k++)
        listed += errors->mark[among ? among[k] : k];
    if (listed <= most) {
        listed = 0;
        for (int k = 0; k < from; k++) {
            const int32_t contact = among ? among[k] : k;
            if (errors->mark[contact])
                list[listed++] = contact;
        }
    } else {
        listed = -1;
    }
    clear_marks(errors, marked);
    return listed;
}
