#include "export/export_shapes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cache/spread.h"
#include "export/export_contacts.h"
#include "export/export_draw.h"
#include "export/export_names.h"

/* The export treats a mesh in 3D as rigid if it has 18 state values, the number of a rigid body (docs/cache.md). */
enum { RIGID_STATES = 18 };

static bool no_memory(const cst_complaint *to)
{
    return cst_complain(to, "not enough memory");
}

/* ---------------------------------------------------------------------------------------------------------------- objects */

static bool is_fiber(const cst_cache_item *item)
{
    return item->owner == CST_ITEM_BODY && item->as == CST_DRAWN_CURVE;
}

/* Returns the index of the combined object to which a fiber belongs, or -1 if this object does not exist yet. If fibers are
 * combined, all open fibers form one object, and all closed fibers another. */
static int find_group(const cst_export_shapes *shapes, const cst_cache_item *item)
{
    for (int i = 0; i < shapes->objects; i++)
        if (shapes->object[i].id == 0 && shapes->object[i].closed == item->closed)
            return i;
    return -1;
}

static bool has_directors(const cst_cache_item *item)
{
    const double *d = item->vertices > 0 ? item->vertex->director : NULL;
    return d && (d[0] != 0.0 || d[1] != 0.0 || d[2] != 0.0);
}

static int add_object(cst_export_shapes *shapes, const cst_cache *cache, const cst_cache_item *item, bool group, char **names)
{
    const bool obstacle = item->owner == CST_ITEM_OBSTACLE;
    const char *wanted = group      ? (item->closed ? "rings" : "fibers")
                         : obstacle ? cst_cache_obstacle_name(cache, item->id)
                                    : cst_cache_body_name(cache, item->id);
    char *name = cst_export_name(wanted, obstacle ? "obstacle" : "body", item->id, names, shapes->objects);
    if (!name)
        return -1;
    names[shapes->objects] = name;
    shapes->object[shapes->objects] = (cst_export_object){
        .name = name,
        .owner = item->owner,
        .id = group ? 0 : item->id,
        .faces = cst_export_draws_faces(shapes->dim, item->as),
        .closed = item->closed || item->as == CST_DRAWN_HOLLOW_DISK,
        .deforms = !obstacle && ((item->as == CST_DRAWN_CURVE && item->vertices > 2) ||
                                 (item->as == CST_DRAWN_MESH && item->states != RIGID_STATES)),
        .directed = is_fiber(item) && has_directors(item),
    };
    return shapes->objects++;
}

/* Decides which fibers are exported, and whether they become separate objects or are combined (find_group). */
static bool make_objects(cst_export_shapes *shapes, const cst_cache *cache, const cst_cache_frame *first, int every_fiber,
                         char **names)
{
    int fibers = 0, fiber = 0;
    for (int i = 0; i < first->items; i++)
        fibers += is_fiber(&first->item[i]);
    const bool together = (fibers + every_fiber - 1) / every_fiber > CST_EXPORT_CURVES_APART;
    for (int i = 0; i < first->items; i++) {
        const cst_cache_item *item = &first->item[i];
        const bool curve = is_fiber(item), group = curve && together;
        int object = -1;
        if (!curve || fiber++ % every_fiber == 0) {
            object = group ? find_group(shapes, item) : -1;
            if (object < 0 && (object = add_object(shapes, cache, item, group, names)) < 0)
                return false;
            shapes->object[object].items++;
        }
        shapes->item[i] = (cst_export_item){item->owner, item->id, item->as, item->closed, object, 0, 0};
        if (item->owner == CST_ITEM_BODY && item->id <= (uint32_t)shapes->bodies && object >= 0)
            shapes->body_item[item->id] = i;
    }
    return true;
}

static void order_items(cst_export_shapes *shapes)
{
    int at = 0;
    for (int o = 0; o < shapes->objects; o++) {
        shapes->object[o].first_item = at;
        at += shapes->object[o].items;
        shapes->object[o].items = 0;
    }
    for (int i = 0; i < shapes->items; i++) {
        if (shapes->item[i].object < 0)
            continue;
        cst_export_object *object = &shapes->object[shapes->item[i].object];
        shapes->order[object->first_item + object->items++] = i;
    }
}

/* Computes the centre and the diagonal of the bounding box of all bodies and bounded obstacles. */
static void find_reach(cst_export_shapes *shapes, const cst_cache_frame *first)
{
    cst_bounds box = {0};
    for (int i = 0; i < first->items; i++)
        for (int k = 0; first->item[i].as != CST_DRAWN_HALF_PLANE && k < first->item[i].vertices; k++)
            cst_bounds_add(&box, first->item[i].vertex[k].position, first->item[i].vertex[k].radius);
    double diagonal = 0.0;
    for (int axis = 0; box.any && axis < 3; axis++) {
        shapes->center[axis] = 0.5 * (box.low[axis] + box.high[axis]);
        diagonal = hypot(diagonal, box.high[axis] - box.low[axis]);
    }
    shapes->reach = diagonal > 0.0 && isfinite(diagonal) ? diagonal : 1.0;
}

bool cst_export_shapes_begin(cst_export_shapes *shapes, const cst_cache *cache, const cst_cache_frame *first, int every_fiber,
                             const cst_complaint *to)
{
    const cst_cache_info *info = cst_cache_about(cache);
    const size_t items = (size_t)first->items + 1;
    *shapes = (cst_export_shapes){.dim = info->dim, .items = first->items, .bodies = info->bodies};
    shapes->object = calloc(items, sizeof *shapes->object);
    shapes->item = calloc(items, sizeof *shapes->item);
    shapes->order = calloc(items, sizeof *shapes->order);
    shapes->body_item = malloc(((size_t)info->bodies + 1) * sizeof *shapes->body_item);
    char **names = calloc(items, sizeof *names);
    bool ok = shapes->object && shapes->item && shapes->order && shapes->body_item && names;
    for (int i = 0; ok && i <= info->bodies; i++)
        shapes->body_item[i] = -1;
    ok = ok && make_objects(shapes, cache, first, every_fiber, names);
    free(names);
    if (!ok)
        return no_memory(to);
    order_items(shapes);
    find_reach(shapes, first);
    return true;
}

void cst_export_shapes_free(cst_export_shapes *shapes)
{
    for (int i = 0; i < shapes->objects; i++)
        free(shapes->object[i].name);
    free(shapes->object);
    free(shapes->item);
    free(shapes->order);
    free(shapes->body_item);
    free(shapes->point);
    free(shapes->radius);
    free(shapes->director);
    free(shapes->force);
    free(shapes->state);
    free(shapes->part);
    free(shapes->corner);
    *shapes = (cst_export_shapes){0};
}

/* ----------------------------------------------------------------------------------------------------------------- frames */

static bool alike(const cst_export_shapes *shapes, const cst_cache_frame *frame, const cst_complaint *to)
{
    bool same = frame->items == shapes->items;
    for (int i = 0; i < frame->items && same; i++) {
        const cst_cache_item *now = &frame->item[i];
        const cst_export_item *then = &shapes->item[i];
        same = now->owner == then->owner && now->id == then->id && now->as == then->as && now->closed == then->closed;
    }
    return same ||
           cst_complain(to, "at %g s there are other bodies than in the first frame; export the two parts apart (--from, --to)",
                        frame->time);
}

static bool grow(int wanted, int *room, int arrays, void **array[], const size_t *size)
{
    if (wanted <= *room && *array[0])
        return true;
    for (int i = 0; i < arrays; i++) {
        free(*array[i]);
        *array[i] = malloc(((size_t)wanted + 1) * size[i]);
        if (!*array[i])
            return false;
    }
    *room = wanted;
    return true;
}

static bool make_room(cst_export_shapes *shapes, const cst_cache_frame *frame, const cst_complaint *to)
{
    int64_t points = 0, parts = 0, corners = 0;
    for (int i = 0; i < frame->items; i++) {
        if (shapes->item[i].object < 0)
            continue;
        const cst_export_size size = cst_export_draw_size(shapes->dim, &frame->item[i]);
        points += size.points;
        parts += size.parts;
        corners += size.corners;
    }
    if (points > INT32_MAX / 4 || corners > INT32_MAX / 4)
        return cst_complain(to, "the frame at %g s has more points than can be counted; try --every-fiber", frame->time);
    shapes->points = (int)points;
    shapes->parts = (int)parts;
    shapes->corners = (int)corners;
    void **point[] = {(void **)&shapes->point, (void **)&shapes->radius, (void **)&shapes->director, (void **)&shapes->force,
                      (void **)&shapes->state};
    const size_t point_size[] = {3 * sizeof(double), sizeof(double), 3 * sizeof(double), sizeof(double), sizeof(int32_t)};
    void **part[] = {(void **)&shapes->part}, **corner[] = {(void **)&shapes->corner};
    const size_t int_size = sizeof(int32_t);
    return (grow(shapes->points, &shapes->room_points, 5, point, point_size) &&
            grow(shapes->parts, &shapes->room_parts, 1, part, &int_size) &&
            grow(shapes->corners, &shapes->room_corners, 1, corner, &int_size)) ||
           no_memory(to);
}

static bool all_finite(const double *value, int count)
{
    for (int i = 0; i < count; i++)
        if (!isfinite(value[i]))
            return false;
    return true;
}

bool cst_export_shapes_fill(cst_export_shapes *shapes, const cst_cache_frame *frame, const cst_complaint *to)
{
    if (!alike(shapes, frame, to) || !make_room(shapes, frame, to))
        return false;
    cst_export_drawing at = {.shapes = shapes};
    for (int o = 0; o < shapes->objects; o++) {
        cst_export_object *object = &shapes->object[o];
        object->first_point = at.points;
        object->first_part = at.parts;
        object->first_corner = at.corners;
        for (int i = 0; i < object->items; i++) {
            const int index = shapes->order[object->first_item + i];
            cst_export_item *item = &shapes->item[index];
            item->first_point = at.points;
            cst_export_draw(&at, &frame->item[index], at.points - object->first_point);
            item->points = at.points - item->first_point;
        }
        object->points = at.points - object->first_point;
        object->parts = at.parts - object->first_part;
        object->corners = at.corners - object->first_corner;
        if (!all_finite(shapes->point + 3 * (size_t)object->first_point, 3 * object->points) ||
            !all_finite(shapes->radius + object->first_point, object->points))
            return cst_complain(to, "at %g s %s has a position that is not finite; export what is before (--to)", frame->time,
                                object->name);
    }
    cst_export_contacts(shapes, frame);
    return true;
}

bool cst_export_object_box(const cst_export_shapes *shapes, const cst_export_object *object, double low[3], double high[3])
{
    cst_bounds box = {0};
    for (int k = object->first_point; k < object->first_point + object->points; k++)
        cst_bounds_add(&box, shapes->point + 3 * (size_t)k, object->faces ? 0.0 : shapes->radius[k]);
    memcpy(low, box.low, sizeof box.low);
    memcpy(high, box.high, sizeof box.high);
    return box.any;
}

bool cst_export_object_even(const cst_export_shapes *shapes, const cst_export_object *object)
{
    const double *radius = shapes->radius + object->first_point;
    for (int k = 1; k < object->points; k++)
        if (radius[k] != radius[0])
            return false;
    return object->points > 0;
}
