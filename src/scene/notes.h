/* Notes (errors or warnings) about locations in a scene's text. Notes are stored as they are found and listed in the order of
 * the text. The struct of each type of note begins with a struct cst_note. */
#ifndef CST_SCENE_NOTES_H
#define CST_SCENE_NOTES_H

#include <stdbool.h>

#include "base/arena.h"

/* The origin of a text: a file, or an override. For an override, `lines` is false, and messages show no line and column. */
typedef struct cst_source {
    const char *name;
    int rank; /* sorts the notes of different sources */
    bool lines;
} cst_source;

typedef struct cst_note {
    int rank, line, column; /* line and column 0: not shown */
    int number;             /* number of the note in the order of discovery */
    struct cst_note *before;
} cst_note;

typedef struct cst_notes {
    cst_arena *arena; /* the field `failed` of the arena tells if memory ran out for a note */
    cst_note *last;
    int count;
} cst_notes;

enum { CST_NOTE_LENGTH_MAX = 2048 }; /* largest length of a message; longer messages (with absurd names in them) are truncated */

void cst_note_keep(cst_notes *list, cst_note *note, const cst_source *source, int line, int column);

/* Returns an array with the contents of all notes: from each note, the `size` bytes from the byte `offset` on. The notes are
 * sorted by source, line and column; notes at one location keep the order in which they were found. Returns NULL if memory ran
 * out. */
void *cst_notes_sorted(const cst_notes *list, size_t offset, size_t size);

#endif
