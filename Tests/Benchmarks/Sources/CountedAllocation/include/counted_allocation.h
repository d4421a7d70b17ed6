#pragma once
#include <stdint.h>

/// How often the calling thread has asked for memory so far; always 0 where the C library is not glibc.
uint64_t allocations_so_far(void);

/// Bytes that are allocated and not freed; 0 where the C library does not say.
uint64_t bytes_in_use(void);

/// Called at the beginning of a case: callgrind is told to write what it has counted until then.
void guard_mark(void);
