/* "Did you mean": finds the valid name closest to a wrong one. */
#ifndef CST_BASE_NEAREST_H
#define CST_BASE_NEAREST_H

/* Returns the entry of names[0 .. count) that is closest to `wrong`, or NULL if no name is close. NULL entries are skipped. A
 * valid name is close to a wrong name of n letters if at most max(2, n/3) changes of letters (nearest.c) turn the wrong name into
 * the valid name. For a valid name of m letters, the number of changes must also be smaller than m. A valid name that begins with
 * a wrong name of at least three letters is also close to it. */
const char *cst_nearest_name(const char *wrong, const char *const *names, int count);

#endif
