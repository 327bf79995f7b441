/* Things said about places of a scene's text, kept as they come and listed in the order of the text. What is said (a mistake, a
 * warning) begins with a cst_note. */
#ifndef CST_SCENE_NOTES_H
#define CST_SCENE_NOTES_H

#include <stdbool.h>

#include "base/arena.h"

/* Where a text came from: a file, or an override (`lines` false: its positions are not shown). */
typedef struct cst_source {
    const char *name;
    int rank; /* notes are listed source by source, in this order */
    bool lines;
} cst_source;

typedef struct cst_note {
    int rank, line, column; /* line and column 0: not shown */
    int number;             /* in the order of the findings */
    struct cst_note *before;
} cst_note;

typedef struct cst_notes {
    cst_arena *arena; /* its `failed` says if a note could not be kept */
    cst_note *last;
    int count;
} cst_notes;

enum { CST_NOTE_LENGTH_MAX = 2048 }; /* of its words: longer ones, with absurd names in them, are cut */

void cst_note_keep(cst_notes *list, cst_note *note, const cst_source *source, int line, int column);

/* What they say, `size` bytes at `offset` from each note, sorted by source, line and column; those at one place in the order they were found.
 * NULL without memory. */
void *cst_notes_sorted(const cst_notes *list, size_t offset, size_t size);

#endif
