/* Included first: which parts of the system's headers are declared. */
#ifndef HOOKLINE_PLATFORM_H
#define HOOKLINE_PLATFORM_H

#define _GNU_SOURCE

#endif
