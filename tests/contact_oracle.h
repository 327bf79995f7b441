/* All answers of one contact, found another way than the library finds them: in extended precision, sliding by scanning the
 * direction of r_T round the circle. Slow. */
#ifndef CST_TESTS_CONTACT_ORACLE_H
#define CST_TESTS_CONTACT_ORACLE_H

#include "generate/contact.h"

enum { ORACLE_ANSWERS_MAX = 12 };

typedef struct oracle_answer {
    double r[3];
    double magnitude; /* |r'| = w |r| / |b| */
} oracle_answer;

typedef struct oracle {
    int count;
    oracle_answer answer[ORACLE_ANSWERS_MAX];
} oracle;

/* b_N < 0. Answers with tiny or no sliding may be missed if another is within 1e-3 rad of them; and sticking if W is singular
 * in extended precision. */
oracle oracle_all_answers(const cst_contact_sample *contact);

/* Least |r'| of all answers; infinite if there is none. */
double oracle_least_magnitude(const cst_contact_sample *contact);

/* W singular exactly (whole numbers): can the contact stick? 1 yes, 0 no, -1 too close to tell. */
int oracle_sticks_when_singular(const cst_contact_sample *contact);

/* |f_AC| of r over 8 eps (1 + |r'|) (1 + mu), in extended precision. */
double oracle_error_over_floor(const cst_contact_sample *contact, const double *r);

/* |r'|. */
double oracle_magnitude(const cst_contact_sample *contact, const double *r);

#endif
