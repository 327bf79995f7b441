#include "cli/scene_faults.h"

#include <string.h>

void cst_print_faults(FILE *to, const char *command, const cst_scene *scene)
{
    const cst_scene_fault *fault;
    int faults = cst_scene_faults(scene, &fault);
    for (int i = 0; i < faults; i++) {
        fprintf(to, "%s:", fault[i].file);
        if (fault[i].line > 0)
            fprintf(to, "%d:%d:", fault[i].line, fault[i].column);
        fprintf(to, " %s%s%s\n", fault[i].key, *fault[i].key ? ": " : "", fault[i].message);
    }
    if (faults == 1 && fault->line == 0 && !*fault->key && strncmp(fault->message, "cannot be read", 14) == 0)
        return; /* if the file cannot be read, the number of errors in the scene is not printed */
    fprintf(to, "%s: %d %s in the scene\n", command, faults, faults == 1 ? "mistake" : "mistakes");
}
