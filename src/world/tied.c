#include "world/tied.h"

#include <math.h>
#include <string.h>

#include "world/joined_parts.h"

/* ------------------------------------------------------------------------------------------------------------------ rows */

/* Returns the length (m) of a rod or fiber; 0 for other bodies. */
static double length_of(const cst_body_model *body)
{
    const cst_body_surface *surface = body->class->surface;
    if (surface->pieces && surface->pieces(body->self) > 0) {
        cst_curve_piece piece = {0};
        surface->piece(body->self, 0, &piece);
        return piece.owner_length;
    }
    if (surface->arcs && surface->arcs(body->self) > 0) {
        cst_arc arc = {0};
        surface->arc(body->self, 0, &arc);
        return arc.owner_length;
    }
    return 0.0;
}

static double length_at(const cst_objects *objects, const cst_constraint *constraint)
{
    double length = length_of(objects->model + constraint->body[0]);
    if (constraint->body[1] >= 0)
        length = fmax(length, length_of(objects->model + constraint->body[1]));
    return length > 0.0 ? length : 1.0;
}

static bool holds_rotation(const cst_joined_rows *held)
{
    return held->constraint->kind == CST_CONSTRAINT_CLAMPED || held->constraint->kind == CST_CONSTRAINT_GUIDED;
}

static int place_rows(const cst_joined_rows *held)
{
    const int dim = held->constraint->dim;
    return held->rows - (holds_rotation(held) ? 2 * dim - 3 : 0);
}

/* Fills the array `h` (dim x dofs) with the Jacobian rows of a block of constraint rows, for one of the two bodies that the
 * constraint joins. */
static void fill_side(const cst_tied_block *block, const cst_joined_rows *held, const cst_joined_part *part, int dim, double *h)
{
    memset(h, 0, sizeof(double) * (size_t)(dim * part->dofs));
    for (int row = 0; row < block->rows; row++)
        for (int k = 0; k < part->dofs; k++)
            h[row * part->dofs + k] = block->length * part->g[(block->row - held->first + row) * part->dofs + k];
}

static void fill_block(const cst_joined_group *group, const cst_joined_rows *held, const cst_layout *layout, int dim, int at,
                       double *h, cst_tied *out)
{
    const cst_tied_block *block = out->block + at;
    for (int side = 0; side < 2; side++) {
        const cst_joined_part *part = held->part[side];
        cst_contact_side *to = (side == 0 ? out->side_a : out->side_b) + at;
        *to = (cst_contact_side){.body = -1};
        if (!part || part->dofs == 0) /* a point that cannot move */
            continue;
        fill_side(block, held, part, dim, h);
        *to = (cst_contact_side){
            .body = layout->unit_of[group->member[part->member]], .dofs = part->dofs, .dof = part->dof, .h = h};
        h += dim * part->dofs;
    }
    for (int row = 0; row < dim; row++)
        out->offset[at * dim + row] = row < block->rows ? -block->length * group->g[block->row + row] : 0.0;
}

/* Returns the number of blocks into which the rows of a constraint are grouped (one or two), and adds the number of Jacobian
 * entries of these blocks to *numbers. */
static int size_of(const cst_joined_rows *held, int64_t *numbers)
{
    const int blocks = holds_rotation(held) ? 2 : 1;
    for (int side = 0; side < 2; side++)
        if (held->part[side])
            *numbers += (int64_t)blocks * held->constraint->dim * held->part[side]->dofs;
    return blocks;
}

static int64_t numbers_of(const cst_joined_rows *held, int dim)
{
    int64_t numbers = 0;
    for (int side = 0; side < 2; side++)
        numbers += held->part[side] ? dim * held->part[side]->dofs : 0;
    return numbers;
}

bool cst_tied_make(const cst_joined *joined, const cst_objects *objects, const cst_layout *layout, int dim, cst_arena *arena,
                   cst_tied *out)
{
    int64_t numbers = 0;
    *out = (cst_tied){0};
    for (int k = 0; k < joined->groups; k++)
        for (int h = 0; h < joined->group[k].constraints && joined->group[k].tied; h++)
            out->blocks += size_of(joined->group[k].held + h, &numbers);
    if (out->blocks == 0)
        return true;
    out->block = CST_TAKE_RAW(arena, cst_tied_block, out->blocks);
    out->side_a = CST_TAKE_RAW(arena, cst_contact_side, out->blocks);
    out->side_b = CST_TAKE_RAW(arena, cst_contact_side, out->blocks);
    out->offset = CST_TAKE_RAW(arena, double, dim * out->blocks);
    double *h = CST_TAKE_RAW(arena, double, numbers);
    if (arena->failed)
        return false;
    int at = 0;
    for (int32_t k = 0; k < joined->groups; k++) {
        const cst_joined_group *group = joined->group + k;
        for (int c = 0; c < group->constraints && group->tied; c++) {
            const cst_joined_rows *held = group->held + c;
            const int places = place_rows(held);
            out->block[at] = (cst_tied_block){.group = k, .row = held->first, .rows = places, .length = 1.0};
            fill_block(group, held, layout, dim, at++, h, out);
            h += numbers_of(held, dim);
            if (!holds_rotation(held))
                continue;
            out->block[at] = (cst_tied_block){.group = k,
                                              .row = held->first + places,
                                              .rows = held->rows - places,
                                              .length = length_at(objects, held->constraint)};
            fill_block(group, held, layout, dim, at++, h, out);
            h += numbers_of(held, dim);
        }
    }
    return true;
}

void cst_tied_take_impulses(const cst_tied *tied, const cst_joined *joined, int dim, const double *r)
{
    for (int k = 0; k < tied->blocks; k++) {
        const cst_tied_block *block = tied->block + k;
        for (int row = 0; row < block->rows; row++)
            joined->group[block->group].lambda[block->row + row] = block->length * r[k * dim + row];
    }
}

/* ----------------------------------------------------------------------------------------------------------- free motion */

/* Returns the largest velocity error (m/s) of the constraints of tied groups at the velocities v. */
static double largest_miss(const cst_tied *tied, const cst_layout *layout, int dim, const double *v)
{
    double largest = 0.0;
    for (int k = 0; k < tied->blocks; k++) {
        const cst_contact_side *side[2] = {tied->side_a + k, tied->side_b + k};
        double square = 0.0;
        for (int row = 0; row < dim; row++) {
            double u = tied->offset[k * dim + row];
            for (int s = 0; s < 2; s++)
                for (int d = 0; side[s]->body >= 0 && d < side[s]->dofs; d++)
                    u += side[s]->h[row * side[s]->dofs + d] * v[layout->unit[side[s]->body].start + side[s]->dof[d]];
            square += u * u;
        }
        largest = fmax(largest, sqrt(square));
    }
    return largest;
}

/* Numbers the bodies on which constraints of tied groups act, in the order in which their velocities are stored, and returns
 * their number. `*dofs`: output, the total number of dofs of the numbered bodies. */
static int number_units(const cst_tied *tied, const cst_layout *layout, int *dofs)
{
    int bodies = 0;
    *dofs = 0;
    for (int k = 0; k < layout->units; k++)
        tied->number[k] = -1;
    for (int k = 0; k < tied->blocks; k++)
        for (int side = 0; side < 2; side++) {
            const int32_t unit = (side == 0 ? tied->side_a : tied->side_b)[k].body;
            if (unit >= 0)
                tied->number[unit] = 0;
        }
    for (int k = 0; k < layout->units; k++)
        if (tied->number[k] == 0) {
            tied->number[k] = bodies++;
            *dofs += layout->unit[k].size;
        }
    return bodies;
}

/* Copies the velocities of the bodies of tied groups from the array `all` to the compact array `list`, or back if `back` is
 * true. */
static void copy_velocities(const cst_tied *tied, const cst_layout *layout, double *all, double *list, bool back)
{
    for (int k = 0; k < layout->units; k++) {
        const cst_unit *unit = layout->unit + k;
        if (tied->number[k] < 0)
            continue;
        memcpy(back ? all + unit->start : list, back ? list : all + unit->start, sizeof(double) * (size_t)unit->size);
        list += unit->size;
    }
}

cst_status cst_tied_free_motion(cst_tied *tied, const cst_objects *objects, const cst_layout *layout, int threads, int dim,
                                cst_arena *arena, double *v)
{
    const int n = tied->blocks;
    if (n == 0)
        return CST_SOLVED;
    cst_arena_release(arena, (cst_arena_mark){0});
    arena->failed = false;
    tied->held_back = largest_miss(tied, layout, dim, v);
    tied->number = CST_TAKE_RAW(arena, int32_t, layout->units);
    cst_contact_side *side_a = CST_TAKE_RAW(arena, cst_contact_side, n), *side_b = CST_TAKE_RAW(arena, cst_contact_side, n);
    double *mu = CST_TAKE(arena, double, n);
    uint8_t *law = CST_TAKE_RAW(arena, uint8_t, n);
    if (arena->failed)
        return CST_OUT_OF_MEMORY;
    int dofs;
    const int bodies = number_units(tied, layout, &dofs);
    cst_body *body = CST_TAKE(arena, cst_body, bodies);
    double *list = CST_TAKE_RAW(arena, double, dofs);
    if (arena->failed)
        return CST_OUT_OF_MEMORY;
    for (int k = 0; k < layout->units; k++)
        if (tied->number[k] >= 0) {
            cst_body_fetch_struct(objects->model, objects->bodies, layout->unit[k].body + 2);
            const cst_body_model *model = objects->model + layout->unit[k].body;
            model->class->dynamics->describe(model->self, body + tied->number[k]);
        }
    for (int k = 0; k < n; k++) {
        side_a[k] = cst_side_renumbered(tied->side_a + k, tied->number);
        side_b[k] = cst_side_renumbered(tied->side_b + k, tied->number);
        law[k] = CST_LAW_BILATERAL;
    }
    tied->problem = (cst_body_problem){.dim = dim,
                                       .bodies = bodies,
                                       .body = body,
                                       .contacts = n,
                                       .side_a = side_a,
                                       .side_b = side_b,
                                       .velocity_offset = tied->offset,
                                       .mu = mu,
                                       .law = law};
    copy_velocities(tied, layout, v, list, false);
    const cst_status status = cst_tied_motion_find(&tied->problem, list, threads, arena, &tied->motion);
    if (status == CST_SOLVED)
        copy_velocities(tied, layout, v, tied->motion.v, true);
    return status;
}
