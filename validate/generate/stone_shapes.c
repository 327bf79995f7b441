/* Card houses, arches, walls and stacks for stones.h. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "generate/stones.h"
#include "math/quaternion.h"
#include "math/vector3.h"

static const double PI = 3.14159265358979323846;
static const double DT = 0.005, GRAVITY = 9.81, STABILISATION = 0.2, DENSITY = 2000.0;

static cst_stones *begin(int stones, int contacts)
{
    cst_arena arena;
    cst_arena_begin(&arena, NULL);
    cst_stones *out = CST_TAKE(&arena, cst_stones, 1);
    cst_stone *stone = CST_TAKE(&arena, cst_stone, stones);
    cst_stone_contact *contact = CST_TAKE(&arena, cst_stone_contact, contacts);
    if (arena.failed) {
        cst_arena_end(&arena);
        return NULL;
    }
    *out = (cst_stones){
        .stone = stone, .contact = contact, .dt = DT, .gravity = {0.0, 0.0, -GRAVITY}, .stabilisation = STABILISATION};
    out->arena = arena;
    cst_arena_begin(&out->step, NULL);
    out->empty = cst_arena_mark_now(&out->step);
    return out;
}

/* A box of the given half sides, turned by `angle` about y (from z to x). Returns its number. */
static int add_box(cst_stones *stones, double x, double y, double z, double angle, const double *half)
{
    cst_stone *stone = stones->stone + stones->stones;
    const double turn[3] = {0.0, angle, 0.0}, squares = cst_dot3(half, half);
    *stone = (cst_stone){.mass = 8.0 * DENSITY * half[0] * half[1] * half[2], .x = {x, y, z}};
    for (int k = 0; k < 3; k++)
        stone->moment[k] = stone->mass / 3.0 * (squares - half[k] * half[k]);
    cst_quaternion_exp(turn, stone->q);
    return stones->stones++;
}

static void to_local(const cst_stones *stones, int32_t index, const double *point, double *local, double *R)
{
    memcpy(R, (double[]){1, 0, 0, 0, 1, 0, 0, 0, 1}, 9 * sizeof *R);
    memcpy(local, point, 3 * sizeof *local);
    if (index < 0)
        return;
    double apart[3];
    cst_quaternion_matrix(stones->stone[index].q, R);
    cst_subtract3(point, stones->stone[index].x, apart);
    cst_apply_transposed3(R, apart, local);
}

/* Corner of a, where it is now, against a face of b through it moved back by `open` along the normal (from b to a). The first
 * tangent is along y. */
static void add_contact(cst_stones *stones, int32_t a, int32_t b, const double *corner, double nx, double nz, double mu,
                        double open)
{
    cst_stone_contact *contact = stones->contact + stones->contacts++;
    const double frame[9] = {nx, 0.0, nz, 0.0, 1.0, 0.0, -nz, 0.0, nx};
    double R[9], on_b[3];
    *contact = (cst_stone_contact){.a = a, .b = b, .mu = mu};
    to_local(stones, a, corner, contact->corner, R);
    memcpy(on_b, corner, sizeof on_b);
    cst_add3(-open, frame, on_b);
    to_local(stones, b, on_b, contact->point, R);
    for (int k = 0; k < 3; k++)
        cst_apply_transposed3(R, frame + 3 * k, contact->frame + 3 * k);
}

/* The two ends, at y = +-half, of an edge at (x, z). */
static void add_edge(cst_stones *stones, int32_t a, int32_t b, double x, double z, double half, double nx, double nz, double mu,
                     double open)
{
    for (int side = -1; side <= 1; side += 2)
        add_contact(stones, a, b, (const double[]){x, side * half, z}, nx, nz, mu, open);
}

/* ------------------------------------------------------------------------------------------------------------- card house */

cst_stones *cst_card_house(int storeys, double mu, double drop)
{
    static const double LENGTH = 0.1, DEPTH = 0.06, THICK = 0.002, LEAN = 0.4, ROOM = 0.01;
    const int leaning = storeys * (storeys + 1), flat = storeys * (storeys - 1) / 2;
    cst_stones *out = begin(leaning + flat, 2 * leaning + leaning + 2 * 2 * flat);
    if (!out)
        return NULL;
    snprintf(out->name, sizeof out->name, "card house of %d storeys, mu %g", storeys, mu);
    const double s = sin(LEAN), c = cos(LEAN), spacing = 2.0 * LENGTH * s + ROOM, half_depth = 0.5 * DEPTH;
    const double upright[3] = {0.5 * THICK, half_depth, 0.5 * LENGTH};
    const double lying[3] = {0.5 * spacing - 0.0005, half_depth, 0.5 * THICK};
    double z = 0.0;
    int first_flat = -1; /* of the storey below */
    for (int level = 0; level < storeys; level++) {
        const int frames = storeys - level, first = out->stones;
        const double x_first = 0.5 * spacing * level, top = z + LENGTH * c;
        for (int f = 0; f < frames; f++) {
            const double x = x_first + spacing * f;
            const int32_t under = level > 0 ? first_flat + f : -1;
            for (int side = -1; side <= 1; side += 2) { /* left: leans to the right */
                const double to = -side;                /* from foot to apex */
                const double centre_x = x + side * (0.5 * LENGTH * s + 0.5 * THICK * c),
                             centre_z = z + 0.5 * LENGTH * c + 0.5 * THICK * s;
                const int card = add_box(out, centre_x, 0.0, centre_z, to * LEAN, upright);
                add_edge(out, card, under, x + side * LENGTH * s, z, half_depth, 0.0, 1.0, mu, drop);
            }
            add_edge(out, first + 2 * f, first + 2 * f + 1, x, top, half_depth, -1.0, 0.0, mu, drop);
        }
        z = top + THICK * s;
        first_flat = out->stones;
        for (int f = 0; f + 1 < frames; f++) {
            const double x = x_first + spacing * (f + 0.5);
            const int card = add_box(out, x, 0.0, z + 0.5 * THICK, 0.0, lying);
            for (int side = -1; side <= 1; side += 2)
                add_edge(out, first + 2 * f + (side < 0 ? 1 : 2), card, x + side * (0.5 * spacing - THICK * c), z, half_depth,
                         0.0, -1.0, mu, drop);
        }
        z += THICK;
    }
    out->margin = 0.5 * THICK;
    return out;
}

/* ------------------------------------------------------------------------------------------------------------------- arch */

cst_stones *cst_stone_arch(int count, double mu, double drop)
{
    static const double RADIUS = 2.0, THICK = 0.5, DEPTH = 0.5;
    cst_stones *out = begin(count, 4 * (count + 1));
    if (!out)
        return NULL;
    snprintf(out->name, sizeof out->name, "arch of %d stones, mu %g", count, mu);
    const double step = PI / count;
    const double half[3] = {0.5 * RADIUS * step, 0.5 * DEPTH, 0.5 * THICK};
    for (int k = 0; k < count; k++) {
        const double angle = PI - (k + 0.5) * step; /* from the left end */
        add_box(out, RADIUS * cos(angle), 0.0, RADIUS * sin(angle), 0.5 * PI - angle, half);
    }
    for (int joint = 0; joint <= count; joint++) {
        const double angle = PI - joint * step;
        for (int end = -1; end <= 1; end += 2) {
            const double radius = RADIUS + 0.5 * end * THICK;
            /* the normal points to the stone that comes after; the last joint is turned round, the ground is always side b */
            const bool last = joint == count;
            const double turn = last ? -1.0 : 1.0;
            add_edge(out, last ? count - 1 : joint, last ? -1 : joint - 1, radius * cos(angle), radius * sin(angle), half[1],
                     turn * sin(angle), -turn * cos(angle), mu, drop);
        }
    }
    out->margin = 0.05;
    return out;
}

/* --------------------------------------------------------------------------------------------------------- wall and stack */

/* Corners of the rectangle x_low..x_high between the upper block a and b. */
static void add_bed(cst_stones *stones, int32_t a, int32_t b, double x_low, double x_high, double half_y, double z, double mu,
                    double open)
{
    add_edge(stones, a, b, x_low, z, half_y, 0.0, 1.0, mu, open);
    add_edge(stones, a, b, x_high, z, half_y, 0.0, 1.0, mu, open);
}

/* Odd courses have half a brick at each end. */
static void brick_ends(int columns, int row, int brick, double *low, double *high)
{
    static const double BRICK = 0.24, JOINT = 0.002;
    const double pitch = BRICK + JOINT, shift = row & 1 ? -0.5 * pitch : 0.0;
    *low = fmax(0.0, shift + pitch * brick);
    *high = fmin(pitch * columns - JOINT, shift + pitch * brick + BRICK);
}

cst_stones *cst_brick_wall(int columns, int rows, double mu, double drop)
{
    static const double HALF_Y = 0.05, HALF_Z = 0.03, LEAST = 0.01;
    cst_stones *out = begin((columns + 1) * rows, 4 * (2 * columns + 2) * rows);
    if (!out)
        return NULL;
    snprintf(out->name, sizeof out->name, "wall of %d x %d bricks, mu %g", columns, rows, mu);
    for (int row = 0, first = 0, under = 0; row < rows; row++, under = first, first = out->stones)
        for (int k = 0; k < columns + (row & 1); k++) {
            double low, high, z = 2.0 * HALF_Z * row;
            brick_ends(columns, row, k, &low, &high);
            const int brick =
                add_box(out, 0.5 * (low + high), 0.0, z + HALF_Z, 0.0, (const double[]){0.5 * (high - low), HALF_Y, HALF_Z});
            if (row == 0)
                add_bed(out, brick, -1, low, high, HALF_Y, z, mu, drop);
            for (int other = 0; row > 0 && other < columns + ((row - 1) & 1); other++) {
                double from, to;
                brick_ends(columns, row - 1, other, &from, &to);
                if (fmin(high, to) > fmax(low, from) + LEAST)
                    add_bed(out, brick, under + other, fmax(low, from), fmin(high, to), HALF_Y, z, mu, drop);
            }
        }
    out->margin = 0.01;
    return out;
}

cst_stones *cst_box_stack(int count, double mu, double mass_ratio, double drop)
{
    static const double HALF = 0.25;
    cst_stones *out = begin(count, 4 * count);
    if (!out)
        return NULL;
    snprintf(out->name, sizeof out->name, "stack of %d boxes, mu %g, masses 1:%g", count, mu, mass_ratio);
    double before = 0.0;
    for (int k = 0; k < count; k++) {
        const double x = 0.02 * sin(2.4 * k), z = 2.0 * HALF * k;
        const int box = add_box(out, x, 0.0, z + HALF, 0.0, (const double[]){HALF, HALF, HALF});
        const double heavier = count > 1 ? pow(mass_ratio, (double)k / (count - 1)) : 1.0;
        out->stone[box].mass *= heavier;
        for (int c = 0; c < 3; c++)
            out->stone[box].moment[c] *= heavier;
        const double low = k > 0 ? fmax(x, before) : x, high = k > 0 ? fmin(x, before) : x;
        add_bed(out, box, k - 1, low - HALF, high + HALF, HALF, z, mu, drop);
        before = x;
    }
    out->margin = 0.02;
    return out;
}
