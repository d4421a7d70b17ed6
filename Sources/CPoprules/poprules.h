// poprules for other languages: rule sets, sessions of a scheduler, and whole logs of events.
//
// Every function returns a status and, if `answer` is not null, writes bytes to it: the result, or
// a sentence that explains the error. Nothing is kept between calls except the objects of open
// handles. You may call every function on any thread at any time; two calls on the same session run
// one after the other. `fork` waits until the calls of other threads have ended, and the child can
// use all handles. `fork` doesn't wait only during a replay of a table, which can take minutes;
// then the child must not call the library. Strings are UTF-8, times are RFC 3339. Mistakes of the
// caller are reported by a status; only pointers and sizes of memory are not checked.

#ifndef POPRULES_H
#define POPRULES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// The version of this interface; `pop_abi_version` returns the version of a library. The number
// increases if a function changes its meaning or is removed, but not if a function is added.
#define POP_ABI_VERSION 1

// The status of a call.
typedef int32_t pop_status;
enum {
    // Success: `answer` contains the result.
    POP_OK = 0,
    // An unexpected null pointer, an impossible size, invalid UTF-8, or an unknown word.
    POP_INVALID_ARGUMENT = 1,
    // The handle was never opened, is closed, or is of the other kind.
    POP_INVALID_HANDLE = 2,
    // A file, a bundle, a request or a table cannot be read.
    POP_UNREADABLE = 3,
    // Rules, tests or an expression have errors. `answer` contains the findings, in the format of
    // `poprules validate --format json`.
    POP_FINDINGS = 4,
    // An expression has no value for this context.
    POP_NO_VALUE = 5,
    // `POP_MOST_HANDLES` handles are already open.
    POP_TOO_MANY = 6
};

// The number of rule sets and sessions that may be open at the same time.
#define POP_MOST_HANDLES 1048576

// Rules, or a session. A number is never used twice, and 0 is not a handle.
typedef uint64_t pop_handle;

// Bytes that the library allocated, followed by a zero byte that is not part of `length`.
typedef struct pop_answer {
    uint8_t *bytes;
    size_t length;
} pop_answer;

// Returns the version of the interface of the library.
uint32_t pop_abi_version(void);

// Frees the bytes of an answer and sets its pointer to null. Does nothing for a null pointer or an
// answer whose bytes are null.
void pop_free(pop_answer *answer);

// Closes rules or a session. A session continues to work after its rules are closed.
pop_status pop_close(pop_handle handle, pop_answer *answer);

// --- Rules ------------------------------------------------------------------------------------

// Loads a bundle, as written by `poprules compile`.
pop_status pop_rules_from_bundle(
    const uint8_t *bundle, size_t length, pop_handle *rules, pop_answer *answer);

// Loads a rule file, or a folder of rule files. Even on success, `answer` contains findings, in the
// format of `POP_FINDINGS`: those found while loading, which are fewer than those of `pop_check`.
pop_status pop_rules_from_path(const char *path, pop_handle *rules, pop_answer *answer);

// Returns the rules as a bundle.
pop_status pop_rules_bundle(pop_handle rules, pop_answer *answer);

// Returns the names in the rules as JSON: `popups`, `events`, `keys` and `schedulers`.
pop_status pop_rules_describe(pop_handle rules, pop_answer *answer);

// Returns the output of `poprules validate --format json` for a file or folder, with or without
// errors.
pop_status pop_check(const char *path, pop_answer *answer);

// Evaluates an expression. `context` is a map of names to values in JSON or YAML, or null. If
// `rules` is 0, the expression may use the names in `context`; otherwise the names of the rules,
// which must be loaded from files. `at` is the time of the evaluation; null for now. Returns JSON
// with the `value`, its `text`, and the `parts` of the expression with their values, one line each.
pop_status pop_evaluate(
    pop_handle rules, const char *expression, const char *context, const char *at,
    pop_answer *answer);

// Compares two rule sets and reports which users are affected. `format` is `json`, `text`,
// `markdown` or `html`.
pop_status pop_diff(pop_handle before, pop_handle after, const char *format, pop_answer *answer);

// Plays the tests of a test file, such as `rules/new-user.test.yaml`. If `text` is not null, it
// replaces the content of the file, which need not exist on the disk then. Returns a list of
// `stories`, one per test, each with its `title`, its `log` (as printed by
// `simulate --format jsonl`), its `failures`, and its timeline as text (`timeline`) and as `svg`.
pop_status pop_simulate(const char *path, const char *text, pop_answer *answer);

// --- Sessions ---------------------------------------------------------------------------------

// Opens a session. The request is JSON:
//   {"start": {"instant": "0s", "date": "2026-05-04T09:00:00Z"}, "seed": 7, "user": "ada",
//    "history": {}, "inputs": []}
// Only `start` is required. Returns the `steps` of the inputs and the `nextWake`.
pop_status pop_session_open(
    pop_handle rules, const uint8_t *request, size_t length, pop_handle *session,
    pop_answer *answer);

// Processes the `inputs` of a request. Returns `steps`, with the `effects` of each input, and
// `nextWake`, the time at which to send the input `timePassed`.
pop_status pop_session_handle(
    pop_handle session, const uint8_t *request, size_t length, pop_answer *answer);

// Does the same for JSON lines, with one input per line. Returns one line per input, with its
// `effects` and the `nextWake` after it. If a line cannot be read, no input is processed.
pop_status pop_session_handle_lines(
    pop_handle session, const uint8_t *lines, size_t length, pop_answer *answer);

// Explains the `popups` of a request, now or at the time `at`. Returns `explanations`.
pop_status pop_session_explain(
    pop_handle session, const uint8_t *request, size_t length, pop_answer *answer);

// Explains the `popups` of a request as they would be after its `inputs`. The session stays
// unchanged.
pop_status pop_session_suppose(
    pop_handle session, const uint8_t *request, size_t length, pop_answer *answer);

// Returns the `history` of the user, which you can pass to a new session.
pop_status pop_session_history(pop_handle session, pop_answer *answer);

// Runs a scheduler for a request that contains its `bundle`, and keeps nothing. Returns `steps`,
// `nextWake`, and `explanations` of the popups listed in `explain`.
pop_status pop_replay(const uint8_t *request, size_t length, pop_answer *answer);

// --- Logs -------------------------------------------------------------------------------------

// The Arrow C data interface and its streams, as Arrow defines them:
// https://arrow.apache.org/docs/format/CDataInterface.html
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

struct ArrowSchema {
    const char *format;
    const char *name;
    const char *metadata;
    int64_t flags;
    int64_t n_children;
    struct ArrowSchema **children;
    struct ArrowSchema *dictionary;
    void (*release)(struct ArrowSchema *);
    void *private_data;
};

struct ArrowArray {
    int64_t length;
    int64_t null_count;
    int64_t offset;
    int64_t n_buffers;
    int64_t n_children;
    const void **buffers;
    struct ArrowArray **children;
    struct ArrowArray *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
};

#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
    int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
    int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
    const char *(*get_last_error)(struct ArrowArrayStream *);
    void (*release)(struct ArrowArrayStream *);
    void *private_data;
};

#endif

// Replays a log of user events against rules. The log is a table with rows in any order. `mapping`
// defines what its columns mean, in YAML or JSON, like a file for `poprules backtest --mapping`;
// null if the columns are `user`, `time`, `event` and `payload`. Takes over the stream and releases
// it, whatever the status is. Columns that neither the rules nor the mapping use are not read.
//
// `rows`, which must be another pointer, becomes a stream of batches of at most 65,536 rows: the
// events of popups, one row each, sorted by user and then by time. The columns are `user`, `time`,
// `day`, `popup`, `kind` (`shown`, `ended`, `kept_away`, `exposed`, `converted`), `reason`,
// `ordinal`, `variant` and `goal`. Read the stream to its end and release it. If the call fails,
// the stream is already released. Returns the totals as JSON.
pop_status pop_replay_table(
    pop_handle rules, const char *mapping, struct ArrowArrayStream *log,
    struct ArrowArrayStream *rows, pop_answer *answer);

// Replays one part of a log, such as a day. Replaying all parts in order gives the same result as
// replaying the whole log.
//
// `histories` is the state of the users before this part: a table with the columns `user` and
// `history`, with one row per user; null for the first part. The call takes it over, like the log.
// `after` becomes the state after this part, for the next part; release it yourself. Pass null if
// there is no next part. `until` is the end of the part, an RFC 3339 time: sessions that are still
// open then continue in the next part. Pass null for the last part, which ends all sessions. A part
// must contain all events up to its end that no earlier part contained. Duplicates of an event, and
// identities that the mapping merges, are found only within a part.
pop_status pop_replay_part(
    pop_handle rules, const char *mapping, const char *until, struct ArrowArrayStream *histories,
    struct ArrowArrayStream *log, struct ArrowArrayStream *rows, struct ArrowArrayStream *after,
    pop_answer *answer);

#ifdef __cplusplus
}
#endif

#endif
