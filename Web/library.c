// What Embedded Swift asks of a system, beyond the C library of WASI.

#include <stddef.h>
#include <stdint.h>

double strtod(const char *, char **);

uintptr_t __stack_chk_guard = 0x5bd1e995;
void __stack_chk_fail(void) { __builtin_trap(); }

// Nothing is printed: what a trap would say has no reader.
int putchar(int character) { return character; }

// Seeds of hashes only, and nothing depends on those: the same every time.
void arc4random_buf(void *memory, size_t count) {
    unsigned char *bytes = memory;
    for (size_t place = 0; place < count; place++) bytes[place] = 7;
}

const char *_swift_stdlib_strtod_clocale(const char *text, double *number) {
    char *end;
    *number = strtod(text, &end);
    return end;
}

// The product of two integers of 128 bits, which clang calls.
typedef struct { uint64_t low; int64_t high; } Wide;
void __multi3(Wide *product, uint64_t a, uint64_t a_high, uint64_t b, uint64_t b_high) {
    uint64_t a0 = a & 0xffffffff, a1 = a >> 32, b0 = b & 0xffffffff, b1 = b >> 32;
    uint64_t p0 = a0 * b0, p1 = a0 * b1, p2 = a1 * b0, p3 = a1 * b1;
    uint64_t middle = (p0 >> 32) + (p1 & 0xffffffff) + (p2 & 0xffffffff);
    product->low = (p0 & 0xffffffff) | (middle << 32);
    product->high = (int64_t)(p3 + (p1 >> 32) + (p2 >> 32) + (middle >> 32) + a * b_high + a_high * b);
}

// No file is there, and nothing has to be asked of the browser.
uint16_t __imported_wasi_snapshot_preview1_fd_close(int file) { return 8; }
uint16_t __imported_wasi_snapshot_preview1_fd_seek(int file, int64_t offset, uint8_t whence, uint64_t *place) { return 8; }
uint16_t __imported_wasi_snapshot_preview1_fd_write(int file, const void *parts, size_t count, size_t *written) { return 8; }
