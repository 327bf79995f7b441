/* What a scene holds, in a few lines for people: sizes, steps, memory. */
#ifndef CST_EXAMINE_SUMMARY_H
#define CST_EXAMINE_SUMMARY_H

#include "examine/subject.h"

/* Lines that each end in a line break, from the arena of the subject; cut short without memory. */
const char *cst_summary(cst_subject *subject);

/* "3.2 MB". */
const char *cst_bytes_text(double bytes, char out[32]);

#endif
