/* Reads scenes from files or texts, checks them, and builds their worlds. The language is described in docs/scene.md.
 *
 * A scene is read once and never changes; several threads may use it. The functions of capstan/run.h run a scene. The
 * functions of this header are part of the core library.
 *
 * This example reads a scene file and builds its world:
 *
 *     cst_scene *scene = cst_scene_read_file("fall.json", NULL, 0, NULL);
 *     const cst_scene_fault *fault;
 *     int faults = cst_scene_faults(scene, &fault);       (all errors, not only the first)
 *     cst_world *world = NULL;
 *     if (faults == 0)
 *         world = cst_scene_world(scene, 0, message, sizeof message);
 *     ...
 *     cst_world_free(world);
 *     cst_scene_free(scene); */
#ifndef CAPSTAN_SCENE_H
#define CAPSTAN_SCENE_H

#include "capstan/capstan.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cst_scene cst_scene;

/* --------------------------------------------------------------------------------------------------------------- reading */

/* Reads a scene file together with the files that it extends. `override`: array of `overrides` texts "a.b=c", each of which sets
 * the key a.b of the scene to the value c, like `capstan run --set`. The texts are applied in order. `allocator` NULL: malloc and
 * free. A scene with errors is also returned (see cst_scene_faults); the function returns NULL only if memory ran out. */
cst_scene *cst_scene_read_file(const char *path, const char *const *override, int overrides, const cst_allocator *allocator);

/* Reads a scene from a text of `size` bytes. `name` is used as the file name in messages, and relative paths start from its
 * folder. */
cst_scene *cst_scene_read_text(const char *text, size_t size, const char *name, const char *const *override, int overrides,
                               const cst_allocator *allocator);
void cst_scene_free(cst_scene *scene); /* NULL is fine */

/* One error in a scene. The scene owns the texts. */
typedef struct cst_scene_fault {
    const char *file;
    /* line and column of the error in the file, counted from 1; 0: the whole file, or an override (`file` is then "--set
     * a.b=c") */
    int line, column;
    const char *key;     /* path of the offending key: rods[0].radius */
    const char *message; /* text for the user: what is wrong, what was expected, and the valid key with the most similar name */
} cst_scene_fault;

/* Returns the number of errors in the scene, and the errors in file order. 0: the scene has no errors. `out` may be NULL. */
int cst_scene_faults(const cst_scene *scene, const cst_scene_fault **out);

/* ---------------------------------------------------------------------------------------------------------- a good scene */

/* Amount of data that a run saves per frame, as set in the scene. */
typedef enum cst_scene_detail { CST_SCENE_DETAIL_AUTO = 0, CST_SCENE_DETAIL_FULL, CST_SCENE_DETAIL_LIGHT } cst_scene_detail;

/* Run settings of a scene. */
typedef struct cst_scene_run {
    double duration;       /* s */
    double frame_interval; /* time between saved frames (s), a multiple of dt */
    int64_t steps_per_frame;
    int64_t total_steps;      /* number of steps of length dt */
    int64_t checkpoint_steps; /* number of steps of length dt between checkpoints; a multiple of steps_per_frame */
    int samples;              /* drawn vertices per rod element */
    bool save_contacts;
    cst_scene_detail detail;
    bool equilibrium_first; /* true: the run finds an equilibrium before the first step (cst_world_find_equilibrium) */
    /* speed (m/s): the run ends at a saved frame if, since the previous frame, no point of any body has been faster than
     * until_rest; 0: the run does not end early */
    double until_rest;
} cst_scene_run;

const char *cst_scene_title(const cst_scene *scene); /* "" if the scene has none */
const cst_scene_run *cst_scene_run_settings(const cst_scene *scene);

/* Returns the scene that is run: files and overrides merged, as JSON without comments. If the returned text is read as a scene
 * file, it gives the same world as the original files. */
const char *cst_scene_text(const cst_scene *scene);

/* Builds a new world of the scene at each call; the world does not need the scene afterwards. Returns NULL and writes a message
 * if memory ran out or the definition of an object is invalid. A positive value of `threads` overrides the number of threads in
 * the scene. */
cst_world *cst_scene_world(const cst_scene *scene, int threads, char *message, size_t message_size);

/* -------------------------------------------------------------------------------------------------------------- warnings */

/* A warning: a suspicious value that is not an error, such as a mesh in millimetres or a rod inside the ground
 * (docs/check.md). The examination owns the texts. */
typedef struct cst_finding {
    const char *name; /* short permanent name of the warning, such as "overlap"; docs/check.md lists all names */
    const char *file; /* "--set a.b=c" for an override */
    int line, column; /* from 1; 0: the whole file */
    const char *key;  /* path of the key, such as rods[0].radius; "" for the whole scene */
    const char *what; /* the suspicious values, with units */
    const char *remedy;
    const char *text; /* the full text of the warning without file and line: "KEY: what; remedy [name]" */
} cst_finding;

/* Memory and disk space of the machine that will run the scene; 0: not known. */
typedef struct cst_machine {
    double memory; /* bytes */
    double disk;   /* bytes free in the result directory */
} cst_machine;

typedef struct cst_examination cst_examination;

/* Builds the world of a scene, which must have no errors, and examines the world as `capstan check` does. If the expected memory
 * exceeds machine->memory, no world is built: then there is only the warning about memory, and the summary is "". Returns NULL and
 * writes a message if memory ran out or the definition of an object is invalid. */
cst_examination *cst_examine(const cst_scene *scene, const cst_machine *machine, char *message, size_t message_size);
int cst_examination_findings(const cst_examination *examination, const cst_finding **out); /* 0: no warnings */
/* Returns a summary of the scene as lines of text: bodies and their sizes, obstacles and their sizes, steps, memory, disk space. */
const char *cst_examination_summary(const cst_examination *examination);
void cst_examination_free(cst_examination *examination); /* NULL is fine */

#ifdef __cplusplus
}
#endif
#endif
