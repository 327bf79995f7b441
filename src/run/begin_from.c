#include "run/begin_from.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "capstan/cache.h"

static const double same_place = 1e-9; /* two positions of a clamped root count as equal up to this distance (m) */

static bool refuse(char *message, size_t size, const char *run, const char *name, const char *why)
{
    snprintf(message, size, "%s: cannot begin as it ended: %s%s%s", run, name, *name ? " " : "", why);
    return false;
}

static bool root_of(const cst_world *world, cst_body_id body, double *x)
{
    double force[3], moment[3];
    const cst_place root = {.body = body};
    return cst_world_root_force(world, body, force, moment) && cst_world_place_space(world, &root, x, NULL, NULL, NULL);
}

static bool set_body(cst_world *world, const cst_cache_item *item, const char *run, char *message, size_t size)
{
    const cst_body_id body = item->id;
    const char *name = cst_world_body_name(world, body);
    double before[3] = {0}, after[3] = {0};
    const bool clamped = root_of(world, body, before);
    char why[256] = "";
    if (item->states == 0)
        return refuse(message, size, run, name, "has no state there; its frames were saved light");
    if (!cst_world_set_body_state(world, body, item->state, item->states, why, sizeof why))
        return refuse(message, size, run, "", why);
    if (clamped && root_of(world, body, after) &&
        hypot(hypot(after[0] - before[0], after[1] - before[1]), after[2] - before[2]) > same_place)
        return refuse(message, size, run, name, "has its root elsewhere there");
    return true;
}

static double fastest(cst_world *world)
{
    cst_vertices all;
    const double *v = cst_world_vertices(world, &all) ? cst_world_velocities(world) : NULL;
    double most = 0.0;
    for (int64_t i = 0; v && i < all.count; i++)
        most = fmax(most, hypot(hypot(v[3 * i], v[3 * i + 1]), v[3 * i + 2]));
    return most;
}

static bool begin(cst_world *world, cst_cache *cache, const char *run, char *message, size_t size)
{
    const cst_cache_info *info = cst_cache_about(cache);
    cst_cache_frame frame;
    int bodies = 0;
    if (info->frames == 0 || !cst_cache_frame_read(cache, info->frames - 1, &frame))
        return refuse(message, size, run, "", info->frames == 0 ? "it has no frame" : cst_cache_message(cache));
    for (int i = 0; i < frame.items; i++)
        bodies += frame.item[i].owner == CST_ITEM_BODY;
    if (bodies != cst_world_bodies(world))
        return refuse(message, size, run, "", "it has another number of bodies");
    for (int i = 0; i < frame.items; i++) {
        const cst_cache_item *item = frame.item + i;
        if (item->owner != CST_ITEM_BODY)
            continue;
        if (strcmp(cst_cache_body_name(cache, item->id), cst_world_body_name(world, item->id)) != 0)
            return refuse(message, size, run, cst_cache_body_name(cache, item->id), "is not in this scene at that place");
        if (!set_body(world, item, run, message, size))
            return false;
    }
    return true;
}

bool cst_begin_from(cst_world *world, const char *run, double *speed, char *message, size_t size)
{
    cst_cache *cache = cst_cache_open(run, message, size);
    const bool begun = cache && begin(world, cache, run, message, size);
    cst_cache_close(cache);
    if (begun)
        *speed = fastest(world);
    return begun;
}
