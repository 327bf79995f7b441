/* Notes about locations in the text of a scene; a note is an error message or a warning. Notes are stored in the order in which
 * they are found, and listed in the order of their places in the text. The struct of every note begins with a struct cst_note. */
#ifndef CST_SCENE_NOTES_H
#define CST_SCENE_NOTES_H

#include <stdbool.h>

#include "base/arena.h"

/* The source of a text in which notes are located: a file, or an option --set PATH=VALUE. For an option --set, `lines` is false,
 * and messages show no line and column. */
typedef struct cst_source {
    const char *name;
    int rank; /* the notes about a source with a smaller rank are listed first */
    bool lines;
} cst_source;

typedef struct cst_note {
    int rank, line, column; /* line and column are 0 if messages do not show them */
    int number;             /* position of the note in the order in which notes were found */
    struct cst_note *before;
} cst_note;

typedef struct cst_notes {
    cst_arena *arena; /* memory arena of the notes; its field `failed` is true if memory ran out */
    cst_note *last;
    int count;
} cst_notes;

enum { CST_NOTE_LENGTH_MAX = 2048 }; /* largest length of a message; a longer message is cut off */

void cst_note_keep(cst_notes *list, cst_note *note, const cst_source *source, int line, int column);

/* Returns an array with one entry per note. An entry is a copy of `size` bytes of the note's struct, from the byte `offset` on.
 * The notes are sorted by source, line and column; notes at one location keep the order in which they were found. Returns NULL if
 * memory ran out. */
void *cst_notes_sorted(const cst_notes *list, size_t offset, size_t size);

#endif
