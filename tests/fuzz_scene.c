/* libFuzzer target: any text as a scene, its last line as an override. No crash, no hang, no leak; what is good reads back from its
 * canonical text as the same text, and small scenes make worlds or are refused with a message.
 *
 * Files that a text extends are looked for in a folder that is not there, so that inputs do not depend on the machine. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "scene/scene_data.h"
#include "scene/values.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Worlds of a scene are only made where this is quick: the scene is what is tested here. */
static bool is_small(const cst_scene *scene)
{
    double elements = 0.0;
    for (int i = 0; i < scene->names.bodies; i++)
        elements += scene->names.body[i].rigid ? 1.0 : cst_get_real(scene->names.body[i].node, "elements");
    return elements <= 64.0;
}

static void require(bool truth)
{
    if (!truth)
        abort();
}

static void make_world(const cst_scene *scene)
{
    char message[256] = "";
    cst_world *world = cst_scene_world(scene, 1, message, sizeof message);
    require(world || message[0]);
    cst_world_free(world);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    size_t start = size;
    while (start > 0 && text[start - 1] != '\n')
        start--;
    char override[64] = {0};
    size_t length = size - start;
    bool given = length > 0 && length < sizeof override && memchr(text + start, '=', length) && !memchr(text + start, 0, length);
    if (given)
        memcpy(override, text + start, length);
    const char *const list[] = {override};
    cst_scene *scene = cst_scene_read_text(text, given ? start : size, "nowhere/fuzz.json", list, given, NULL);
    require(scene != NULL);
    const cst_scene_fault *fault;
    int faults = cst_scene_faults(scene, &fault);
    for (int i = 0; i < faults; i++)
        require(fault[i].file && fault[i].key && fault[i].message[0] && fault[i].line >= 0 && fault[i].column >= 0);
    if (faults == 0) {
        const char *kept = cst_scene_text(scene);
        cst_scene *again = cst_scene_read_text(kept, strlen(kept), "nowhere/again.json", NULL, 0, NULL);
        require(again && cst_scene_faults(again, NULL) == 0 && strcmp(cst_scene_text(again), kept) == 0);
        cst_scene_free(again);
        if (is_small(scene))
            make_world(scene);
    }
    cst_scene_free(scene);
    return 0;
}
