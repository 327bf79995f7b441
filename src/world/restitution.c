#include "world/restitution.h"

#include <math.h>

#include "base/union_find.h"
#include "world/contact_rows.h"

/* HALVINGS: number of bisection steps; the factor on restitution is a multiple of 2^-HALVINGS = 1/16. */
enum { HALVINGS = 4 };

/* NONE: the work of an impact (restitution.h) counts as zero if it is at most a sum over the contacts of two terms. The first
 * term is NONE times half of the product of normal impulse and approach velocity. The second term is the product of normal
 * impulse and the smallest velocity that the friction solver resolves. Without the tolerance NONE, rounding could make the work
 * of an elastic impact without friction positive. */
static const double NONE = 1e-6;

/* ------------------------------------------------------------------------------------------------------------------ islands */

void cst_contact_islands(const cst_layout *layout, const cst_contact_set *set, const cst_tied *tied, int32_t *island)
{
    for (int k = 0; k < layout->units; k++)
        island[k] = k;
    for (int i = 0; i < set->contacts; i++)
        if (set->row[i].b.body >= 0)
            cst_set_join(island, set->row[i].a.body, set->row[i].b.body);
    for (int i = 0; i < tied->blocks; i++)
        if (tied->side_a[i].body >= 0 && tied->side_b[i].body >= 0)
            cst_set_join(island, tied->side_a[i].body, tied->side_b[i].body);
    for (int k = 0; k < layout->units; k++)
        island[k] = cst_set_of(island, k);
}

bool cst_restitution_begin(cst_restitution *restitution, const cst_step_frame *frame, const cst_layout *layout,
                           const cst_tied *tied, const cst_velocities *velocities, cst_contact_set *set, cst_arena *arena)
{
    bool any = false;
    for (int i = 0; i < set->contacts && !any; i++)
        any = set->row[i].bounce > 0.0;
    if (!any)
        return false;
    *restitution = (cst_restitution){.frame = frame,
                                     .layout = layout,
                                     .velocities = velocities,
                                     .set = set,
                                     .island = CST_TAKE_RAW(arena, int32_t, layout->units),
                                     .share = CST_TAKE_RAW(arena, double, layout->units),
                                     .low = CST_TAKE(arena, double, layout->units),
                                     .work = CST_TAKE_RAW(arena, double, layout->units),
                                     .slack = CST_TAKE_RAW(arena, double, layout->units)};
    if (arena->failed)
        return false;
    cst_contact_islands(layout, set, tied, restitution->island);
    for (int k = 0; k < layout->units; k++)
        restitution->share[k] = 1.0;
    return true;
}

/* -------------------------------------------------------------------------------------------------------------------- works */

static int32_t island_of(const cst_restitution *restitution, int contact)
{
    return restitution->island[restitution->set->row[contact].a.body];
}

/* Returns the work r^T (u_after + u_before) / 2 of the impulse r of one contact, with the relative velocities u_before and
 * u_after of the two bodies before and after the impact. */
static double work_of(const cst_restitution *restitution, const cst_contact_row *row, const double *r, const double *u)
{
    const int dim = restitution->frame->dim;
    double before[3], work = 0.0;
    cst_contact_row_velocity(dim, restitution->layout, row, restitution->velocities->before, before);
    for (int c = 0; c < dim; c++) {
        const double after = u[c] - row->bent_way[c] + (c == 0 ? row->floor : 0.0);
        work += 0.5 * r[c] * (after + before[c] + row->drift_before[c] - row->moved[c]);
    }
    return work;
}

static void find_works(cst_restitution *restitution, const double *r, const double *u, double resolved)
{
    const cst_contact_set *set = restitution->set;
    const int dim = restitution->frame->dim;
    for (int k = 0; k < restitution->layout->units; k++)
        restitution->work[k] = restitution->slack[k] = 0.0;
    for (int i = 0; i < set->contacts; i++) {
        const int32_t island = island_of(restitution, i);
        const cst_contact_row *row = set->row + i;
        const double striking = row->bounce > 0.0 ? row->bounce / set->contact[i].restitution : 0.0;
        restitution->work[island] += work_of(restitution, row, r + dim * i, u + dim * i);
        restitution->slack[island] += r[dim * i] * (0.5 * NONE * striking + resolved);
    }
}

/* --------------------------------------------------------------------------------------------------------------------- shares */

/* Makes one bisection step for the factor on the restitution of an island (bodies connected by contacts or constraints). The
 * factor on the restitution decreases if the impact with the present factor gains energy, and increases otherwise. Returns false
 * if the bisection has ended, so that no further friction solve is needed. */
static bool next_share(cst_restitution *restitution, int island)
{
    /* change of the factor on restitution in this round of the bisection */
    const double step = ldexp(1.0, -restitution->rounds);
    double *share = restitution->share + island, *low = restitution->low + island;
    const bool good = !(restitution->work[island] > restitution->slack[island]);
    if (*share == 0.0 || (good && *share == 1.0))
        return false;
    if (good)
        *low = *share;
    if (restitution->rounds <= HALVINGS)
        *share += good ? step : -step;
    else if (good)
        return false;
    else
        *share = *low;
    return restitution->rounds <= HALVINGS + 1;
}

bool cst_restitution_lower(cst_restitution *restitution, const double *r, const double *u, double resolved)
{
    cst_contact_set *set = restitution->set;
    bool again = false;
    find_works(restitution, r, u, resolved);
    restitution->rounds++;
    for (int k = 0; k < restitution->layout->units; k++)
        if (restitution->island[k] == k && restitution->rounds <= HALVINGS + 1)
            again = next_share(restitution, k) || again;
    for (int i = 0; i < set->contacts; i++) {
        cst_contact_row *row = set->row + i;
        if (row->bounce > 0.0)
            row->floor = fmax(row->rest, restitution->share[island_of(restitution, i)] * row->bounce) - row->turned;
    }
    return again;
}
