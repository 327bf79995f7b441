/* Notes (errors or warnings) about locations in a scene's text. Errors and warnings are stored in the order in which they are
 * found, and listed in the order of the text. The struct of each type of note begins with a struct cst_note. */
#ifndef CST_SCENE_NOTES_H
#define CST_SCENE_NOTES_H

#include <stdbool.h>

#include "base/arena.h"

/* The origin of a text: a file, or an override. For an override (an option --set PATH=VALUE), `lines` is false, and messages show
 * no line and column. */
typedef struct cst_source {
    const char *name;
    int rank; /* sorts the notes of different sources */
    bool lines;
} cst_source;

typedef struct cst_note {
    int rank, line, column; /* line and column 0: not shown */
    int number;             /* position of the note in the order in which the notes about a scene were found */
    struct cst_note *before;
} cst_note;

typedef struct cst_notes {
    cst_arena *arena; /* memory of the notes; its field `failed` tells if memory ran out */
    cst_note *last;
    int count;
} cst_notes;

enum { CST_NOTE_LENGTH_MAX = 2048 }; /* largest length of a message; longer messages (with absurd names in them) are truncated */

void cst_note_keep(cst_notes *list, cst_note *note, const cst_source *source, int line, int column);

/* Returns an array with the contents of all notes: from the struct of each note, it copies `size` bytes that begin at the byte
 * `offset`. The notes (errors or warnings) are sorted by source, line and column; notes at one location keep the order in which
 * they were found. Returns NULL if memory ran out. */
void *cst_notes_sorted(const cst_notes *list, size_t offset, size_t size);

#endif
