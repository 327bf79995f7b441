/* Rods are drawn as tubes with their true radius, but at least two points (the unit of line widths) thick. In the plane, disks,
 * polygons and half-planes are flat and lie behind the rods; flat obstacles are hatched, as in a technical drawing. */
#include "render/picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "render/contact_marks.h"
#include "render/grid.h"
#include "render/hair.h"
#include "render/picture_items.h"
#include "render/shadow.h"

#define HATCH_DEPTH 42.0f /* points: depth of a half-plane's hatching */
#define HATCH_STEP 7.0f
#define EDGE 1.4f
#define STICKS_OUT 0.03 /* a ball is drawn at a bend if the corners of the two tubes protrude by more than STICKS_OUT pixels */
#define RIM 1.2         /* points by which the radius of a rim exceeds the radius of its tube */
/* In 3D, a tube that is thick enough (RIM_LEAST) has a rim, a dark outline that is drawn as a wider tube behind it. At a bend of
 * a curve, the tubes of the rim (the dark outline) are lengthened RIM_LONGER times as much as the tubes of the curve. The tubes
 * of the curve are lengthened just enough to close the gap at a bend that is seen from the side. The tubes of the rim must also
 * close the gap at bends seen from other directions. */
#define RIM_LONGER 3.0
#define RIM_LEAST 2.0  /* points: tubes with a smaller radius have no rim */
#define RIM_LIGHT 0.3f /* share of the tube's colour */
#define STRIPE_STRENGTH 0.62f

/* Depths given to flat shapes in planar scenes, larger than the depths of all curves, so that curves are drawn in front. */
static const double DEPTH_ENDLESS = 3e30, DEPTH_OBSTACLE = 2e30, DEPTH_RIGID = 1e30;

struct cst_picture {
    cst_raster *raster;
    int room;
    cst_rgb *colour;
    double *scratch; /* (2 room) */
    int side_room;
    float *sides; /* of the grid */
    float *depth; /* depths seen from the light, for shadows (CST_SHADOW_NUMBERS numbers); NULL: not drawn yet */
};

double cst_picture_density(int width, int height)
{
    return fmax(0.75, sqrt(width / 1280.0 * height / 720.0));
}

cst_picture *cst_picture_new(int threads)
{
    cst_raster *raster = cst_raster_new(threads);
    cst_picture *picture = raster ? calloc(1, sizeof *picture) : NULL;
    if (picture)
        picture->raster = raster;
    else
        cst_raster_free(raster);
    return picture;
}

void cst_picture_free(cst_picture *picture)
{
    if (!picture)
        return;
    cst_raster_free(picture->raster);
    free(picture->colour);
    free(picture->scratch);
    free(picture->sides);
    free(picture->depth);
    free(picture);
}

static void pixel_of(const cst_drawing_of *d, int vertex, double *x, double *y)
{
    double place[3];
    cst_view_place(d->view, cst_drawn_place(d, vertex), place);
    cst_view_pixel(d->view, place, x, y);
}

/* ------------------------------------------------------------------------------------------------------------------ curves */

/* Returns the bend at vertex b: the angle between the segments a-b and b-c. */
static double bend(const double *a, const double *b, const double *c)
{
    double dot = 0.0, first = 0.0, second = 0.0;
    for (int k = 0; k < 3; k++) {
        double p = b[k] - a[k], q = c[k] - b[k];
        dot += p * q;
        first += p * p;
        second += q * q;
    }
    return acos(fmin(fmax(dot / sqrt(fmax(first * second, 1e-300)), -1.0), 1.0));
}

/* The joint of two tubes at a vertex of a curve. At a slight bend by the angle b, both tubes of radius r are lengthened by r
 * tan(b / 2), which closes the gap between them. At a slight bend by the angle b, the corners of the lengthened tubes of radius r
 * protrude by about r b^2 / 8. A sharp bend or the end of a curve is closed by a ball. */
typedef struct joint {
    double radius, longer;
    bool ball;
} joint;

static joint joint_at(const cst_drawing_of *d, const cst_moment_item *item, int k)
{
    const int n = item->vertices, here = item->first + k, next = item->first + (k + 1) % n,
              previous = item->first + (k + n - 1) % n;
    const bool loop = item->closed && n > 2;
    double place[3];
    cst_view_place(d->view, cst_drawn_place(d, here), place);
    double metres = cst_view_metres(d->view, place[2]);
    joint made = {.radius = fmax(d->moment->radius[here], d->style->density * metres), .ball = true};
    if (loop || (k > 0 && k < n - 1)) {
        double angle = bend(cst_drawn_place(d, previous), cst_drawn_place(d, here), cst_drawn_place(d, next));
        made.ball = !(made.radius * angle * angle / 8.0 <= STICKS_OUT * metres);
        made.longer = made.ball ? 0.0 : made.radius * tan(0.5 * angle);
    }
    return made;
}

static void draw_piece(const cst_drawing_of *d, int here, int next, const joint *at, const joint *to, cst_rgb colour,
                       cst_rgb next_colour, cst_shading shading)
{
    const double *a = cst_drawn_place(d, here), *b = cst_drawn_place(d, next);
    double p[3], q[3], length = sqrt(pow(b[0] - a[0], 2) + pow(b[1] - a[1], 2) + pow(b[2] - a[2], 2));
    if (!(length > 0.0))
        return;
    for (int c = 0; c < 3; c++) {
        p[c] = a[c] - at->longer / length * (b[c] - a[c]);
        q[c] = b[c] + to->longer / length * (b[c] - a[c]);
    }
    cst_raster_tube(d->raster, p, q, at->radius, to->radius, colour, next_colour, shading);
}

static void draw_rim(const cst_drawing_of *d, int here, int next, const joint *at, const joint *to, cst_rgb colour,
                     cst_rgb next_colour)
{
    double place[3];
    cst_view_place(d->view, cst_drawn_place(d, here), place);
    double metres = d->style->density * cst_view_metres(d->view, place[2]), wider = RIM * metres;
    if (!d->space || d->depths || fmin(at->radius, to->radius) < RIM_LEAST * metres)
        return;
    const joint wide[2] = {{at->radius + wider, RIM_LONGER * at->longer * (1.0 + wider / at->radius), at->ball},
                           {to->radius + wider, RIM_LONGER * to->longer * (1.0 + wider / to->radius), to->ball}};
    const cst_rgb dark[2] = {{RIM_LIGHT * colour.r, RIM_LIGHT * colour.g, RIM_LIGHT * colour.b},
                             {RIM_LIGHT * next_colour.r, RIM_LIGHT * next_colour.g, RIM_LIGHT * next_colour.b}};
    if (here == next)
        cst_raster_ball(d->raster, cst_drawn_place(d, here), wide[0].radius, dark[0], CST_SHADING_RIM);
    else
        draw_piece(d, here, next, &wide[0], &wide[1], dark[0], dark[1], CST_SHADING_RIM);
}

/* Draws a stripe on the surface of a fiber along its director, which makes the twist visible. */
static void mark_stripe(const cst_drawing_of *d, int here, int next)
{
    const double *a = d->moment->director + 3 * (size_t)here, *b = d->moment->director + 3 * (size_t)next;
    cst_marking stripe = {.kind = CST_MARKING_STRIPE, .colour = d->theme->dark ? d->theme->ink : d->theme->paper};
    bool any = false;
    for (int k = 0; k < 3; k++) {
        stripe.axis[0][k] = a[k];
        stripe.axis[1][k] = b[k];
        any = any || a[k] != 0.0;
    }
    stripe.colour = cst_rgb_mix(d->colour[here], stripe.colour, STRIPE_STRENGTH);
    cst_raster_mark(d->raster, any && d->space && !d->depths ? &stripe : NULL);
}

static void draw_curve(const cst_drawing_of *d, const cst_moment_item *item)
{
    const int n = item->vertices;
    const bool loop = item->closed && n > 2, obstacle = item->owner == CST_ITEM_OBSTACLE;
    const cst_rgb own = cst_rgb_mix(d->theme->matter, d->theme->ink, 0.35f);
    const cst_shading shading = d->space ? CST_SHADING_LIT : CST_SHADING_RIBBON;
    joint at = joint_at(d, item, 0);
    for (int k = 0; k < n; k++) {
        int here = item->first + k, next = item->first + (k + 1) % n;
        cst_rgb colour = obstacle ? own : d->colour[here], next_colour = obstacle ? own : d->colour[next];
        mark_stripe(d, here, k == n - 1 && !loop ? here : next);
        if (at.ball) {
            cst_raster_ball(d->raster, cst_drawn_place(d, here), at.radius, colour, shading);
            draw_rim(d, here, here, &at, &at, colour, colour);
        }
        if (k == n - 1 && !loop)
            break;
        joint to = joint_at(d, item, (k + 1) % n);
        draw_piece(d, here, next, &at, &to, colour, next_colour, shading);
        draw_rim(d, here, next, &at, &to, colour, next_colour);
        at = to;
    }
    cst_raster_mark(d->raster, NULL);
}

/* -------------------------------------------------------------------------------------------------------------------- flat */

static cst_flat_paint paint_of(const cst_drawing_of *d, const cst_moment_item *item)
{
    float density = (float)d->style->density;
    bool obstacle = item->owner == CST_ITEM_OBSTACLE;
    cst_flat_paint paint = {.fill = obstacle ? d->theme->matter : d->colour[item->first],
                            .edge = d->theme->ink,
                            .edge_width = EDGE * density,
                            .hatch = obstacle ? 0.55f : 0.0f,
                            .hatch_step = HATCH_STEP * density};
    if (item->as == CST_DRAWN_HALF_PLANE || item->as == CST_DRAWN_HOLLOW_DISK)
        paint.fade = HATCH_DEPTH * density;
    return paint;
}

static void draw_flat_disk(const cst_drawing_of *d, const cst_moment_item *item)
{
    cst_flat_paint paint = paint_of(d, item);
    double x, y, to_x, to_y, radius = d->view->focal * d->moment->radius[item->first];
    pixel_of(d, item->first, &x, &y);
    if (item->as == CST_DRAWN_HOLLOW_DISK) {
        cst_raster_hollow(d->raster, x, y, radius, DEPTH_ENDLESS, &paint);
        return;
    }
    if (item->owner == CST_ITEM_BODY && item->vertices > 1) {
        pixel_of(d, item->first + 1, &to_x, &to_y);
        double length = hypot(to_x - x, to_y - y);
        if (length > 0.0) {
            paint.spoke[0] = (float)((to_x - x) / length);
            paint.spoke[1] = (float)((to_y - y) / length);
        }
    }
    cst_raster_disk(d->raster, x, y, fmax(radius, d->style->density), item->owner == CST_ITEM_BODY ? DEPTH_RIGID : DEPTH_OBSTACLE,
                    &paint);
}

static void draw_half_plane(const cst_drawing_of *d, const cst_moment_item *item)
{
    const cst_flat_paint paint = paint_of(d, item);
    double x, y, to_x, to_y;
    if (item->vertices < 2)
        return;
    pixel_of(d, item->first, &x, &y);
    pixel_of(d, item->first + 1, &to_x, &to_y);
    cst_raster_half_plane(d->raster, x, y, to_x - x, to_y - y, DEPTH_ENDLESS, &paint);
}

static void draw_outline(const cst_drawing_of *d, const cst_moment_item *item)
{
    const cst_flat_paint paint = paint_of(d, item);
    double *corner = d->scratch;
    for (int k = 0; k < item->vertices; k++)
        pixel_of(d, item->first + k, &corner[2 * k], &corner[2 * k + 1]);
    cst_raster_polygon(d->raster, corner, item->vertices, d->view->focal * d->moment->radius[item->first],
                       item->owner == CST_ITEM_BODY ? DEPTH_RIGID : DEPTH_OBSTACLE, &paint);
}

static bool draw_item(const cst_drawing_of *d, const cst_moment_item *item)
{
    const bool space = d->space;
    if (item->vertices < 1)
        return true;
    switch (item->as) {
    case CST_DRAWN_CURVE:
        if (d->hairs > 0 && cst_hair_item(item))
            cst_draw_hair(d, item);
        else
            draw_curve(d, item);
        break;
    case CST_DRAWN_DISK:
        if (space)
            cst_draw_ball(d, item);
        else
            draw_flat_disk(d, item);
        break;
    case CST_DRAWN_HOLLOW_DISK:
        if (!space)
            draw_flat_disk(d, item);
        break;
    case CST_DRAWN_HALF_PLANE:
        if (space)
            cst_draw_plane(d, item);
        else
            draw_half_plane(d, item);
        break;
    case CST_DRAWN_OUTLINE:
        if (!space)
            draw_outline(d, item);
        break;
    case CST_DRAWN_MESH:
        return cst_draw_mesh(d, item);
    }
    return true;
}

/* ----------------------------------------------------------------------------------------------------------------- picture */

static bool make_room(cst_picture *picture, int vertices, int sides)
{
    if (sides > picture->side_room) {
        free(picture->sides);
        picture->sides = malloc((size_t)sides * sizeof *picture->sides);
        picture->side_room = picture->sides ? sides : 0;
    }
    if (!picture->sides)
        return false;
    if (vertices <= picture->room && picture->colour)
        return true;
    free(picture->colour);
    free(picture->scratch);
    picture->colour = malloc(((size_t)vertices + 1) * sizeof *picture->colour);
    picture->scratch = malloc(((size_t)vertices + 1) * 2 * sizeof *picture->scratch);
    picture->room = picture->colour && picture->scratch ? vertices : 0;
    return picture->colour && picture->scratch;
}

/* Returns the bounding box of all bodies during the whole run; it also contains the obstacles, unless they make the box much
 * larger. Without data of the whole run, returns the bounding box at the time of this picture. */
static cst_bounds box_around(const cst_moment *moment, const cst_survey *survey)
{
    cst_bounds bodies = survey->bodies, surroundings = survey->surroundings;
    if (!survey->made)
        cst_moment_bounds(moment, &bodies, &surroundings);
    return cst_bounds_to_show(&bodies, &surroundings);
}

static bool any_plane(const cst_moment *moment)
{
    for (int i = 0; i < moment->items; i++)
        if (moment->item[i].as == CST_DRAWN_HALF_PLANE)
            return true;
    return false;
}

/* False without memory. */
static bool draw_items(const cst_drawing_of *d)
{
    bool ok = true;
    for (int obstacles = 1; obstacles >= 0; obstacles--) /* bodies are drawn over obstacles */
        for (int i = 0; i < d->moment->items && ok; i++)
            if ((d->moment->item[i].owner == CST_ITEM_OBSTACLE) == obstacles)
                ok = draw_item(d, &d->moment->item[i]);
    return ok;
}

/* False without memory. */
static bool draw_shadow(cst_picture *picture, const cst_drawing_of *d, const cst_bounds *box, cst_shadow *out)
{
    if (!picture->depth)
        picture->depth = malloc(CST_SHADOW_NUMBERS * sizeof *picture->depth);
    if (!picture->depth)
        return false;
    *out = (cst_shadow){cst_shadow_view(box), picture->depth};
    cst_drawing_of from_above = *d;
    from_above.view = &out->view;
    from_above.depths = true;
    cst_raster_begin(picture->raster, &out->view);
    return draw_items(&from_above) && cst_raster_depths(picture->raster, picture->depth);
}

bool cst_picture_draw(cst_picture *picture, const cst_moment *moment, const cst_survey *survey, const cst_picture_style *style,
                      const cst_view *view, uint32_t *pixel, size_t stride)
{
    const cst_theme *theme = cst_theme_of(style->dark);
    if (!make_room(picture, moment->vertices, (int)(view->width + view->height)))
        return false;
    cst_colour_vertices(style->colour_by, style->hair, moment, survey, theme, picture->scratch, picture->colour);

    const cst_bounds box = box_around(moment, survey);
    const double reach = 1.6 * hypot(hypot(box.high[0] - box.low[0], box.high[1] - box.low[1]), box.high[2] - box.low[2]);
    const double ground[3] = {0.5 * (box.low[0] + box.high[0]), 0.5 * (box.low[1] + box.high[1]), box.low[2]};
    double middle[3];
    cst_view_place(view, ground, middle);
    const int fibers = cst_hair_count(moment);
    const bool space = view->perspective, hair = space && (fibers >= CST_HAIR_FIBERS || style->colour_by == CST_BY_HAIR);
    const bool own_ground = space && any_plane(moment);
    cst_grid grid =
        cst_grid_make(view, theme, !style->plain && !own_ground, 100.0 * style->density * cst_view_metres(view, middle[2]),
                      style->density, ground, fmax(reach, 1e-9), picture->sides);
    const cst_drawing_of d = {.raster = picture->raster,
                              .moment = moment,
                              .theme = theme,
                              .style = style,
                              .view = view,
                              .colour = picture->colour,
                              .scratch = picture->scratch,
                              .space = space,
                              .center = {ground[0], ground[1], 0.5 * (box.low[2] + box.high[2])},
                              .reach = fmax(reach, 1e-9),
                              .spacing = style->plain ? 0.0 : grid.spacing,
                              .hairs = hair ? cst_hairs_each(fibers) : 0};
    cst_shadow shadow;
    if (space && !draw_shadow(picture, &d, &box, &shadow))
        return false;
    cst_raster_begin(picture->raster, view);
    cst_raster_cast(picture->raster, space ? &shadow : NULL);
    grid.shadow = space ? &shadow : NULL;
    if (!draw_items(&d))
        return false;
    if (style->contacts)
        cst_contact_marks_draw(picture->raster, moment, survey, theme, view, style->density);
    return cst_raster_draw(picture->raster, &(cst_background){cst_grid_colour, &grid}, pixel, stride);
}
