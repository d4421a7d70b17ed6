// poprules in other languages: rule sets, sessions of a scheduler, and whole logs of events.
//
// Every function answers a status and, where `answer` is not null, bytes: what was asked for, or
// what went wrong as a sentence. Nothing is kept between calls but what a handle stands for, and
// every function may be called on any thread at any time; two calls about one session come one
// after the other. `fork` waits until the calls of other threads have ended, and the child goes on
// with all handles; only during a replay of a table, which can take minutes, it doesn't wait, and
// then the child must not call the library. Texts are UTF-8, times RFC 3339. What a caller gets wrong is answered by a
// status; only the sizes of memory and where it lies are taken on trust.

#ifndef POPRULES_H
#define POPRULES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// The version of this interface; `pop_abi_version` says which one a library has. It is raised when
// a function changes its meaning or goes; new functions may come without it.
#define POP_ABI_VERSION 1

// How a call went.
typedef int32_t pop_status;
enum {
    // As asked: `answer` has what the function says.
    POP_OK = 0,
    // A null pointer where there must be none, an impossible size, no UTF-8, an unknown word.
    POP_INVALID_ARGUMENT = 1,
    // No such rules or session: never opened, closed, or of the other kind.
    POP_INVALID_HANDLE = 2,
    // A file, a bundle, a request or a table cannot be read.
    POP_UNREADABLE = 3,
    // There are errors in rules, tests or an expression. `answer` has them, as
    // `poprules validate --format json` prints findings.
    POP_FINDINGS = 4,
    // An expression has no value for this context.
    POP_NO_VALUE = 5,
    // More is open than `POP_MOST_HANDLES`.
    POP_TOO_MANY = 6
};

// How many rule sets and sessions may be open at once.
#define POP_MOST_HANDLES 1048576

// Rules, or a session. Numbers are never given out twice, and 0 is none.
typedef uint64_t pop_handle;

// Bytes that the library gave out, and a zero byte behind them that `length` does not count.
typedef struct pop_answer {
    uint8_t *bytes;
    size_t length;
} pop_answer;

// The version of the interface that the library has.
uint32_t pop_abi_version(void);

// Frees the bytes of an answer and takes the pointer out of it; a null pointer, and an answer whose
// bytes are null, are left as they are.
void pop_free(pop_answer *answer);

// Forgets rules or a session. A session goes on without the rules that it was opened with.
pop_status pop_close(pop_handle handle, pop_answer *answer);

// --- Rules ------------------------------------------------------------------------------------

// Reads a bundle, as `poprules compile` writes it.
pop_status pop_rules_from_bundle(
    const uint8_t *bundle, size_t length, pop_handle *rules, pop_answer *answer);

// Reads a rule file, or a folder of them. `answer` has findings also where the rules can be used,
// as `POP_FINDINGS` has them: those that loading finds, which are not all that `pop_check` finds.
pop_status pop_rules_from_path(const char *path, pop_handle *rules, pop_answer *answer);

// Answers the rules as a bundle.
pop_status pop_rules_bundle(pop_handle rules, pop_answer *answer);

// Answers what the rules have, as JSON: names of `popups`, `events`, `keys`, `schedulers`.
pop_status pop_rules_describe(pop_handle rules, pop_answer *answer);

// Answers all that `poprules validate --format json` prints about a file or folder, errors or not.
pop_status pop_check(const char *path, pop_answer *answer);

// Evaluates an expression. `context` is a map of names to values in JSON or YAML, or null. With
// rules, which must come from files, names are those of the rules; with 0 those of the context.
// `at` is the time that it is; null for now. Answers `value`, as JSON, its `text`, and its `parts`,
// a line each.
pop_status pop_evaluate(
    pop_handle rules, const char *expression, const char *context, const char *at,
    pop_answer *answer);

// Says what a change of rules does, and to whom: `format` is `json`, `text`, `markdown` or `html`.
pop_status pop_diff(pop_handle before, pop_handle after, const char *format, pop_answer *answer);

// Plays the tests of a test file, such as `rules/new-user.test.yaml`. `text` is what the file says
// in place of what is on the disk, where it need not be then; null for what is there. Answers a
// list of `stories`, each with its `title`, its `log`, as `simulate --format jsonl` prints it, its
// `failures`, its `timeline` as text and as `svg`.
pop_status pop_simulate(const char *path, const char *text, pop_answer *answer);

// --- Sessions ---------------------------------------------------------------------------------

// Opens a session by a request in JSON:
//   {"start": {"instant": "0s", "date": "2026-05-04T09:00:00Z"}, "seed": 7, "user": "ada",
//    "history": {}, "inputs": []}
// where only `start` has to be there. Answers the `steps` of its inputs and the `nextWake`.
pop_status pop_session_open(
    pop_handle rules, const uint8_t *request, size_t length, pop_handle *session,
    pop_answer *answer);

// Runs through the `inputs` of a request; answers `steps`, with the `effects` of each, and the
// `nextWake`, at which the input `timePassed` is expected.
pop_status pop_session_handle(
    pop_handle session, const uint8_t *request, size_t length, pop_answer *answer);

// The same for JSON lines: an input a line, and for each a line with its `effects` and the
// `nextWake` after it. A line that cannot be read keeps all from being taken in.
pop_status pop_session_handle_lines(
    pop_handle session, const uint8_t *lines, size_t length, pop_answer *answer);

// Explains the `popups` of a request, now or `at` another moment: answers `explanations`.
pop_status pop_session_explain(
    pop_handle session, const uint8_t *request, size_t length, pop_answer *answer);

// Explains the `popups` of a request as they would be after its `inputs`, which the session does
// not take in.
pop_status pop_session_suppose(
    pop_handle session, const uint8_t *request, size_t length, pop_answer *answer);

// Answers the `history` of the user, with which another session may begin.
pop_status pop_session_history(pop_handle session, pop_answer *answer);

// Runs a scheduler through a request that brings its `bundle` along, and keeps nothing: answers
// `steps`, `nextWake`, and `explanations` of the popups that `explain` names.
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

// Plays rules against a log of what users did: a table, whose rows may stand in any order.
// `mapping` says what its columns mean, in YAML or JSON as `poprules backtest --mapping` reads it;
// null for one with the columns `user`, `time`, `event` and `payload`. Takes over the stream and
// releases it, whatever the status is. `rows`, another place, becomes a stream of batches of at
// most 65,536 rows, to be read until it gives none: what happened to popups, a row each, in the
// order of the users' names and for each of them of time, with the columns `user`, `time`, `day`,
// `popup`, `kind` (`shown`, `ended`, `kept_away`, `exposed`, `converted`), `reason`, `ordinal`,
// `variant` and `goal`; whoever has it releases it; where the call fails it is left released.
// Answers the sums as JSON. Of columns that the rules or the mapping do not read nothing is looked
// at.
pop_status pop_replay_table(
    pop_handle rules, const char *mapping, struct ArrowArrayStream *log,
    struct ArrowArrayStream *rows, pop_answer *answer);

// The same for a part of a log, such as a day, so that parts that are played one after the other
// come to what the whole log comes to. `histories` has what was known of users before, a table with
// the columns `user` and `history`, each user once; null before the first part; it is taken over as
// the log is. `after` becomes the same after it, for the next part, and whoever has it releases it;
// null where there is no next one. Sessions that are not over at `until`, an RFC 3339 time, go on
// with the next part; null for the last one, after which all are over. A part has all events up to
// its end that no earlier one had. Copies of an event, and who is who where the mapping merges
// identities, are found within a part alone.
pop_status pop_replay_part(
    pop_handle rules, const char *mapping, const char *until, struct ArrowArrayStream *histories,
    struct ArrowArrayStream *log, struct ArrowArrayStream *rows, struct ArrowArrayStream *after,
    pop_answer *answer);

#ifdef __cplusplus
}
#endif

#endif
