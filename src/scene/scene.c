#include "scene/scene.h"

#include <math.h>
#include <string.h>

#include "scene/c_locale.h"
#include "scene/check.h"
#include "scene/define.h"
#include "scene/load_files.h"
#include "scene/merge.h"
#include "scene/motion_file.h"
#include "scene/scene_data.h"
#include "scene/scene_mesh.h"
#include "scene/sense.h"
#include "scene/values.h"

enum { OVERRIDE_RANK = 1 << 20 }; /* errors in overrides (--set PATH=VALUE) are listed after errors in files */

cst_place cst_scene_place(const cst_scene *scene, const cst_json *object)
{
    cst_place place = {0};
    const char *name = cst_get_text(object, "body");
    const cst_name_entry *body = name ? cst_names_find(&scene->names, CST_NAMED_BODY, name) : NULL;
    const cst_json *at = cst_given(object, "at");
    place.body = body ? (cst_body_id)body->number : 0;
    if (at && at->kind == CST_JSON_TEXT)
        place.at_end = strcmp(at->text, "end") == 0;
    else if (at && at->kind == CST_JSON_NUMBER && body && body->kind == CST_NAMED_SHEET)
        place.node = (int32_t)at->number;
    else if (at && at->kind == CST_JSON_NUMBER)
        place.s = at->number;
    else if (at)
        cst_get_reals(at, place.point);
    return place;
}

static void read_camera(cst_scene *scene)
{
    const cst_json *camera = cst_given(scene->root, "camera");
    if (!camera)
        return;
    scene->camera = (cst_scene_camera){.given = true, .height = cst_get_real(camera, "height")};
    cst_get_vector(camera, "center", scene->camera.center);
    scene->camera.azimuth = cst_get_real_or(camera, "azimuth", NAN);
    scene->camera.elevation = cst_get_real_or(camera, "elevation", NAN);
}

static void read_probes(cst_scene *scene)
{
    const cst_json *list = cst_given(scene->root, "probes");
    cst_probe *probe = CST_TAKE(&scene->arena, cst_probe, list ? list->count : 0);
    if (!probe)
        return;
    scene->probe = probe;
    for (const cst_json *node = list ? list->first : NULL; node; node = node->next, probe++, scene->probes++) {
        const char *obstacle = cst_get_text(node, "obstacle"), *constraint = cst_get_text(node, "constraint");
        probe->name = cst_get_text(node, "name");
        probe->kind = (cst_probe_kind)cst_get_choice(node, "type");
        probe->place = cst_scene_place(scene, node);
        if (probe->kind == CST_PROBE_HANDLE_FORCE)
            probe->handle = (int)cst_get_integer(node, "handle");
        if (obstacle)
            probe->obstacle = (cst_obstacle_id)cst_names_find(&scene->names, CST_NAMED_OBSTACLE, obstacle)->number;
        if (constraint)
            probe->constraint = (cst_constraint_id)cst_names_find(&scene->names, CST_NAMED_CONSTRAINT, constraint)->number;
    }
}

/* Reads files and overrides, then checks keys, names and consistency. Each stage of reading a scene reports all errors that it
 * finds. */
static void read_all(cst_scene *scene, const char *text, size_t size, const cst_source *source, const char *const *override,
                     int overrides, cst_mistakes *mistakes)
{
    scene->root = cst_load_scene(text, size, source, mistakes);
    cst_source *given = CST_TAKE(&scene->arena, cst_source, overrides);
    if (!scene->root || !given)
        return;
    for (int i = 0; i < overrides; i++) {
        cst_text own = {.arena = &scene->arena};
        cst_text_add(&own, CST_OVERRIDE_PREFIX "%s", override[i]);
        given[i] = (cst_source){.name = cst_text_all(&own), .rank = OVERRIDE_RANK + i};
        cst_scene_override(scene->root, &given[i], mistakes);
    }
    cst_scene_load_motions(scene->root, source, mistakes);
    cst_scene_check_keys(scene->root, mistakes);
    cst_scene_rebase_files(scene->root, source, &scene->arena);
    if (scene->root->kind != CST_JSON_OBJECT || !cst_names_gather(scene->root, mistakes, &scene->names))
        return;
    cst_scene_check_sense(scene->root, &scene->names, mistakes);
    cst_scene_check_run(scene->root, mistakes, &scene->run);
    if (mistakes->count > 0)
        return;
    read_camera(scene);
    read_probes(scene);
    cst_text canonical = {.arena = &scene->arena};
    cst_json_write(scene->root, &canonical);
    scene->text = cst_text_all(&canonical);
}

static cst_scene *new_scene(const cst_allocator *allocator)
{
    cst_scene *scene = CST_TAKE_WITH_ARENA(cst_scene, allocator);
    if (scene)
        scene->text = scene->source = "";
    return scene;
}

static cst_scene *finish(cst_scene *scene, const cst_mistakes *mistakes)
{
    scene->fault = cst_mistakes_sorted(mistakes);
    scene->faults = mistakes->count;
    if (!scene->arena.failed)
        return scene;
    cst_scene_free(scene);
    return NULL;
}

static cst_source *new_source(cst_scene *scene, const char *name)
{
    cst_source *source = CST_TAKE(&scene->arena, cst_source, 1);
    cst_text own = {.arena = &scene->arena};
    cst_text_add(&own, "%s", name);
    if (source)
        *source = (cst_source){.name = cst_text_all(&own), .lines = true};
    return source;
}

static cst_scene *read_text(cst_scene *scene, const char *text, size_t size, const char *name, const char *const *override,
                            int overrides)
{
    cst_source *source = new_source(scene, name);
    cst_mistakes mistakes = {.arena = &scene->arena};
    cst_text copy = {.arena = &scene->arena};
    cst_text_add_bytes(&copy, text, size);
    scene->source = cst_text_all(&copy);
    if (source) {
        scene->name = source->name;
        cst_c_locale locale = cst_c_locale_enter();
        read_all(scene, text, size, source, override, overrides, &mistakes);
        cst_c_locale_leave(locale);
    }
    return finish(scene, &mistakes);
}

cst_scene *cst_scene_read_text(const char *text, size_t size, const char *name, const char *const *override, int overrides,
                               const cst_allocator *allocator)
{
    cst_scene *scene = new_scene(allocator);
    return scene ? read_text(scene, text, size, name, override, overrides) : NULL;
}

cst_scene *cst_scene_read_file(const char *path, const char *const *override, int overrides, const cst_allocator *allocator)
{
    cst_scene *scene = new_scene(allocator);
    if (!scene)
        return NULL;
    size_t size = 0;
    const char *why = NULL, *text = cst_load_text(path, &scene->arena, &size, &why);
    if (text)
        return read_text(scene, text, size, path, override, overrides);
    cst_mistakes mistakes = {.arena = &scene->arena};
    cst_source *source = new_source(scene, path);
    if (source && why) {
        source->lines = false;
        cst_mistake(&mistakes, source, 0, 0, "", "cannot be read: %s", why);
    }
    return finish(scene, &mistakes);
}

void cst_scene_free(cst_scene *scene)
{
    if (scene)
        cst_arena_end_from_within(&scene->arena);
}

int cst_scene_faults(const cst_scene *scene, const cst_scene_fault **out)
{
    if (out)
        *out = scene->fault;
    return scene->faults;
}

const char *cst_scene_title(const cst_scene *scene)
{
    const char *title = scene->faults == 0 ? cst_get_text(scene->root, "title") : NULL;
    return title ? title : "";
}

const cst_scene_run *cst_scene_run_settings(const cst_scene *scene)
{
    return &scene->run;
}

const cst_scene_camera *cst_scene_view(const cst_scene *scene)
{
    return &scene->camera;
}

int cst_scene_probes(const cst_scene *scene, const cst_probe **out)
{
    if (out)
        *out = scene->probe;
    return scene->probes;
}

const char *cst_scene_text(const cst_scene *scene)
{
    return scene->text;
}

const char *cst_scene_source(const cst_scene *scene)
{
    return scene->source;
}
