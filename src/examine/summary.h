/* Summary of a scene in a few lines of text: sizes, steps, memory and disk space. */
#ifndef CST_EXAMINE_SUMMARY_H
#define CST_EXAMINE_SUMMARY_H

#include "examine/subject.h"

/* Returns the summary of a scene as lines of text, each ending with a line break. The returned text is in the arena of
 * `subject`, and is truncated if memory ran out. */
const char *cst_summary(cst_subject *subject);

/* Returns a text like "3.2 MB". */
const char *cst_bytes_text(double bytes, char out[32]);

#endif
