/* Contacts on the points of bodies: what a picture can colour. The contacts themselves are exported beside. */
#ifndef CST_EXPORT_EXPORT_CONTACTS_H
#define CST_EXPORT_EXPORT_CONTACTS_H

#include "export/export_shapes.h"

/* Each contact counts at the point of each of its bodies that is nearest to it: |force| is added, the state is the largest. */
void cst_export_contacts(cst_export_shapes *shapes, const cst_cache_frame *frame);

#endif
