#include "render/colour_by.h"

#include <math.h>

#include "base/sorted.h"
#include "render/mesh_near.h"

const char *const cst_colour_by_names[CST_BY_COUNT + 1] = {"body", "curvature", "force", "speed", "stick", "twist", "hair", NULL};

bool cst_colour_needs_survey(cst_colour_by by)
{
    return by == CST_BY_CURVATURE || by == CST_BY_FORCE || by == CST_BY_SPEED || by == CST_BY_TWIST;
}

/* ------------------------------------------------------------------------------------------------------------------ scales */

cst_colour_scale cst_colour_scale_of(cst_colour_by by, const cst_survey *survey)
{
    const cst_spread *spread = by == CST_BY_CURVATURE ? &survey->curvature
                               : by == CST_BY_SPEED   ? &survey->speed
                               : by == CST_BY_FORCE   ? &survey->force
                               : by == CST_BY_TWIST   ? &survey->twist
                                                      : NULL;
    if (!spread)
        return (cst_colour_scale){0};
    double range = spread->typical > 0.0 ? spread->typical : spread->largest > 0.0 ? spread->largest : 1.0;
    return (cst_colour_scale){.any = true,
                              .title = by == CST_BY_CURVATURE ? "Curvature"
                                       : by == CST_BY_SPEED   ? "Speed"
                                       : by == CST_BY_TWIST   ? "Twist"
                                                              : "Contact force",
                              .unit = by == CST_BY_CURVATURE ? "1/m"
                                      : by == CST_BY_SPEED   ? "m/s"
                                      : by == CST_BY_TWIST   ? "rad/m"
                                                             : "N",
                              .low = spread->negative ? -range : 0.0,
                              .high = range,
                              .clipped = spread->largest > 1.02 * range};
}

cst_rgb cst_colour_on_scale(const cst_colour_scale *scale, const cst_theme *theme, double x)
{
    return scale->low < 0.0 ? cst_diverging_colour(theme, 2.0 * x - 1.0) : cst_sequential_colour(theme, x);
}

/* ---------------------------------------------------------------------------------------------------------------- contacts */

/* Returns the index of the value nearest to x in an increasing list. */
static int nearest(const double *list, int count, double x)
{
    const int low = cst_sorted_interval(list, count, x), high = low + (count > 1 ? 1 : 0);
    return high > low && x - list[low] > list[high] - x ? high : low;
}

/* Computes the value and colour of a contact. If several contacts belong to the same vertex, its colour shows the largest value.
 * The largest value is the strongest force, or the first of: bilateral, sliding, sticking. Returns false for a contact that is
 * not shown because its two bodies separate; if the colours show forces, only if the force is also zero. */
static bool shown_by(cst_colour_by by, const cst_colour_scale *scale, const cst_theme *theme, const cst_contact_view *contact,
                     double *value, cst_rgb *colour)
{
    const double *f = contact->force;
    double force = hypot(hypot(f[0], f[1]), f[2]);
    if (contact->contact_case == CST_CASE_TAKE_OFF && (force <= 0.0 || by == CST_BY_STICK))
        return false;
    *value = by == CST_BY_FORCE ? force : (double)contact->contact_case;
    *colour =
        by == CST_BY_FORCE ? cst_colour_on_scale(scale, theme, force / scale->high) : cst_case_colour(contact->contact_case);
    return true;
}

static void mark(int at, double value, cst_rgb colour, double *shown, cst_rgb *out)
{
    if (value > shown[at]) {
        shown[at] = value;
        out[at] = colour;
    }
}

/* Colours the vertex of a rod nearest to the contact and one vertex on either side, because a single coloured vertex would hardly
 * be visible. */
static void mark_rod(const cst_moment_item *item, const double *along, double s, double value, cst_rgb colour, double *shown,
                     cst_rgb *out)
{
    const int middle = nearest(along + item->first, item->vertices, s);
    for (int k = middle - 1; k <= middle + 1; k++)
        if (k >= 0 && k < item->vertices)
            mark(item->first + k, value, colour, shown, out);
}

static const cst_moment_item *body_of(const cst_moment *moment, uint32_t body)
{
    /* The list of drawn items usually begins with the obstacles, followed by all bodies in the order of their ids. The index of a
     * body in the list of drawn items is guessed from its id; the list is searched only if the guess is wrong. */
    int guess = moment->items - 1;
    for (int i = 0; i < moment->items; i++)
        if (moment->item[i].owner == CST_ITEM_BODY) {
            guess = i + (int)(body - moment->item[i].id);
            break;
        }
    bool hit =
        guess >= 0 && guess < moment->items && moment->item[guess].owner == CST_ITEM_BODY && moment->item[guess].id == body;
    const cst_moment_item *found = hit ? &moment->item[guess] : NULL;
    for (int i = 0; i < moment->items && !found; i++)
        if (moment->item[i].owner == CST_ITEM_BODY && moment->item[i].id == body)
            found = &moment->item[i];
    return found && found->vertices > 0 ? found : NULL;
}

/* Colours the mesh vertices nearest to contacts. If memory runs out, the mesh keeps its colour. */
static void mark_mesh(cst_colour_by by, const cst_moment *moment, const cst_moment_item *item, const cst_colour_scale *scale,
                      const cst_theme *theme, double *shown, cst_rgb *out)
{
    cst_mesh_near *near = NULL;
    for (int i = 0; i < moment->contacts; i++) {
        const cst_contact_view *contact = &moment->contact[i];
        double value;
        cst_rgb colour;
        if ((contact->a.body != item->id && contact->b.body != item->id) || !shown_by(by, scale, theme, contact, &value, &colour))
            continue;
        if (!near)
            near = cst_mesh_near_new(moment->position + 3 * (size_t)item->first, item->vertices);
        if (!near)
            return;
        mark(item->first + cst_mesh_near_find(near, contact->position), value, colour, shown, out);
    }
    cst_mesh_near_free(near);
}

static void mark_contacts(cst_colour_by by, const cst_moment *moment, const cst_survey *survey, const cst_theme *theme,
                          double *scratch, cst_rgb *out)
{
    const cst_colour_scale scale = cst_colour_scale_of(by, survey);
    double *along = scratch, *shown = scratch + moment->vertices;
    for (int i = 0; i < moment->items; i++) {
        const cst_moment_item *item = &moment->item[i];
        double s = 0.0;
        for (int k = item->first; k < item->first + item->vertices; k++) {
            const double *p = moment->position + 3 * (size_t)k;
            if (k > item->first)
                s += hypot(hypot(p[0] - p[-3], p[1] - p[-2]), p[2] - p[-1]);
            along[k] = s;
            shown[k] = 0.0;
        }
    }
    for (int i = 0; i < moment->contacts; i++) {
        const cst_contact_view *contact = &moment->contact[i];
        const uint32_t body[2] = {contact->a.body, contact->b.body};
        const double s[2] = {contact->s_a, contact->s_b};
        double value;
        cst_rgb colour;
        if (!shown_by(by, &scale, theme, contact, &value, &colour))
            continue;
        for (int side = 0; side < 2; side++) {
            const cst_moment_item *item = body[side] ? body_of(moment, body[side]) : NULL;
            if (item && item->as == CST_DRAWN_CURVE)
                mark_rod(item, along, s[side], value, colour, shown, out);
        }
    }
    for (int i = 0; i < moment->items; i++)
        if (moment->item[i].owner == CST_ITEM_BODY && moment->item[i].as == CST_DRAWN_MESH && moment->item[i].vertices > 0)
            mark_mesh(by, moment, &moment->item[i], &scale, theme, shown, out);
}

/* ---------------------------------------------------------------------------------------------------------------- vertices */

static cst_rgb colour_of_value(const cst_colour_scale *scale, const cst_theme *theme, double value)
{
    return cst_colour_on_scale(scale, theme, (value - scale->low) / (scale->high - scale->low));
}

void cst_colour_vertices(cst_colour_by by, cst_hair_tone hair, const cst_moment *moment, const cst_survey *survey,
                         const cst_theme *theme, double *scratch, cst_rgb *out)
{
    const cst_colour_scale scale = cst_colour_scale_of(by, survey);
    for (int i = 0; i < moment->items; i++) {
        const cst_moment_item *item = &moment->item[i];
        for (int k = item->first; k < item->first + item->vertices; k++) {
            if (item->owner == CST_ITEM_OBSTACLE)
                out[k] = theme->matter;
            else if (by == CST_BY_BODY || (by == CST_BY_HAIR && item->as != CST_DRAWN_CURVE))
                out[k] = cst_body_colour(item->id);
            else if (by == CST_BY_HAIR)
                out[k] = cst_hair_colour(hair, item->id);
            else if (item->as == CST_DRAWN_MESH && by == CST_BY_SPEED)
                out[k] = colour_of_value(&scale, theme, moment->speed[k]);
            else if (item->as != CST_DRAWN_CURVE && !(item->as == CST_DRAWN_MESH && (by == CST_BY_FORCE || by == CST_BY_STICK)))
                out[k] = theme->rigid;
            else if (by == CST_BY_CURVATURE)
                out[k] = colour_of_value(&scale, theme, moment->curvature[k]);
            else if (by == CST_BY_TWIST)
                out[k] = colour_of_value(&scale, theme, moment->twist[k]);
            else if (by == CST_BY_SPEED)
                out[k] = colour_of_value(&scale, theme, moment->speed[k]);
            else
                out[k] = theme->plain;
        }
    }
    if (by == CST_BY_FORCE || by == CST_BY_STICK)
        mark_contacts(by, moment, survey, theme, scratch, out);
}
