/* The macro CST_MULTIVERSION lets a function use wider vectors if the processor has them, without a second build.
 *
 * A function with the macro CST_MULTIVERSION before its definition is compiled twice, for AVX2 and for the baseline. The AVX2
 * version and the baseline version of a function give the same bits. Neither the AVX2 version nor the baseline version uses fused
 * multiply-add: "avx2" does not enable FMA, and -ffp-contract=off forbids it. IEEE operations do not depend on the vector width,
 * as long as sums are not reordered; without -ffast-math the compiler does not reorder sums.
 *
 * At program start, the loader calls a function (the ifunc resolver), which chooses the AVX2 version or the baseline version. In
 * builds with a sanitizer, the macro CST_MULTIVERSION does nothing, because the ifunc resolver would run before the sanitizer's
 * runtime library is initialised. On systems other than x86-64 with glibc, the macro CST_MULTIVERSION does nothing. With Clang
 * before 18, the macro CST_MULTIVERSION does nothing, because that compiler gives the versions of a function a name that other
 * files cannot link to. A function marked CST_MULTIVERSION is never inlined: mark large functions (solver sweeps, matrix
 * products), and not the small 3 x 3 kernels that must be inlined into them. */
#ifndef CST_BASE_SIMD_H
#define CST_BASE_SIMD_H

#include <limits.h> /* __GLIBC__ */

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define CST_SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define CST_SANITIZED 1
#endif

#if defined(__clang__)
#define CST_HAS_TARGET_CLONES (__clang_major__ >= 18)
#else
#define CST_HAS_TARGET_CLONES 1
#endif

#if defined(__GNUC__) && defined(__x86_64__) && defined(__GLIBC__) && CST_HAS_TARGET_CLONES && !defined(CST_SANITIZED)
#define CST_MULTIVERSION __attribute__((target_clones("avx2", "default")))
#else
#define CST_MULTIVERSION
#endif

#endif
