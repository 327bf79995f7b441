/* Sanitizers cost 3 to 15 times: under them the largest problems are smaller, series are shorter, and time is not judged. */
#ifndef CST_TESTS_SANITIZED_H
#define CST_TESTS_SANITIZED_H

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

/* How many of a series of n random cases are tried. */
#define SERIES(n) (SANITIZED ? ((n) + 7) / 8 : (n))

#endif
