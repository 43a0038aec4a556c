/* Included first: which parts of the system's headers are declared. */
#ifndef HOOKLINE_PLATFORM_H
#define HOOKLINE_PLATFORM_H

#ifdef __linux__
#define _GNU_SOURCE
#else
#define _DARWIN_C_SOURCE
#endif

#endif
