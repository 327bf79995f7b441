#include "export/export_contacts.h"

#include <math.h>
#include <string.h>

static int nearest_point(const cst_export_shapes *shapes, const cst_export_item *item, const double place[3])
{
    int best = -1;
    double least = INFINITY;
    for (int k = item->first_point; k < item->first_point + item->points; k++) {
        const double *p = shapes->point + 3 * (size_t)k;
        const double x = p[0] - place[0], y = p[1] - place[1], z = p[2] - place[2], square = x * x + y * y + z * z;
        if (square < least) {
            least = square;
            best = k;
        }
    }
    return best;
}

static void count_on(cst_export_shapes *shapes, uint32_t body, const cst_contact_view *contact)
{
    const int index = body <= (uint32_t)shapes->bodies ? shapes->body_item[body] : -1;
    const int point = index >= 0 ? nearest_point(shapes, &shapes->item[index], contact->position) : -1;
    if (point < 0)
        return;
    const double *f = contact->force, force = hypot(hypot(f[0], f[1]), f[2]);
    const int32_t state = (int32_t)contact->contact_case;
    shapes->force[point] += isfinite(force) ? force : 0.0;
    if (state > shapes->state[point])
        shapes->state[point] = state;
}

void cst_export_contacts(cst_export_shapes *shapes, const cst_cache_frame *frame)
{
    memset(shapes->force, 0, (size_t)shapes->points * sizeof *shapes->force);
    memset(shapes->state, 0, (size_t)shapes->points * sizeof *shapes->state);
    for (int i = 0; i < frame->contacts; i++) {
        const cst_contact_view *contact = &frame->contact[i];
        count_on(shapes, contact->a.body, contact);
        if (contact->b.body != 0 && contact->b.body != contact->a.body)
            count_on(shapes, contact->b.body, contact);
    }
}
