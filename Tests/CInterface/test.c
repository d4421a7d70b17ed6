// Calls every function of poprules.h as it is meant to be called, and as it is not: with handles that were never opened,
// are closed or of the other kind, null pointers, impossible sizes, bytes that are no text, from eight threads, and in
// children of `fork` while threads call.
// test RULES (a file), prints what failed and how many calls were made.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "poprules.h"

static atomic_int failures, calls;
static const char *path;

#define START "\"start\": {\"instant\": \"0s\", \"date\": \"2026-05-04T09:00:00Z\"}"
#define AT(seconds, date) "\"at\": {\"instant\": \"" seconds "s\", \"date\": \"" date "\"}"
static const char OPENING[] = "{" START ", \"user\": \"ada\", \"inputs\": [{" AT(
    "0", "2026-05-04T09:00:00Z") ", \"input\": \"started\"}]}";
static const char SENT[] =
    "{" AT("60", "2026-05-04T09:01:00Z") ", \"input\": \"send\", \"event\": \"lesson.done\"}";
static const char ASKED[] = "{\"popups\": [\"well_done\"]}";
static const char BROKEN[] = "poprules: 1\npopups: { a: { when: 1 + } }\n";

static const uint8_t *bytes(const char *text) { return (const uint8_t *)text; }

// A status, and words that the answer must have; frees it.
static void expect(int line, pop_status status, pop_answer *answer, pop_status wanted, const char *words) {
    atomic_fetch_add(&calls, 1);
    const char *text = (const char *)answer->bytes;
    int isRight = status == wanted && text != NULL && strlen(text) == answer->length &&
        (words == NULL || strstr(text, words) != NULL);
    if (!isRight) {
        printf("line %d: status %d, not %d, or not `%s`: %.300s\n", line, status, wanted,
            words == NULL ? "" : words, text == NULL ? "(null)" : text);
        atomic_fetch_add(&failures, 1);
    }
    pop_free(answer);
    if (answer->bytes != NULL || answer->length != 0) atomic_fetch_add(&failures, 1);
    pop_free(answer);
}

#define EXPECT(wanted, words, call)                                   \
    do {                                                              \
        pop_answer answer = {NULL, 0};                                \
        pop_status status = call;                                     \
        expect(__LINE__, status, &answer, wanted, words);             \
    } while (0)

static pop_handle rules(void) {
    pop_handle rules = 7;
    EXPECT(POP_OK, "\"errors\": 0", pop_rules_from_path(path, &rules, &answer));
    return rules;
}

static pop_handle session(pop_handle rules) {
    pop_handle session = 7;
    EXPECT(POP_OK, "\"steps\"",
        pop_session_open(rules, bytes(OPENING), strlen(OPENING), &session, &answer));
    return session;
}

// Everything that takes a handle, with one that stands for nothing of the kind.
static void refused(pop_handle rules, pop_handle session) {
    pop_handle opened = 7;
    EXPECT(POP_INVALID_HANDLE, "not an open rule set", pop_rules_bundle(rules, &answer));
    EXPECT(POP_INVALID_HANDLE, "not an open rule set", pop_rules_describe(rules, &answer));
    EXPECT(POP_INVALID_HANDLE, "not an open rule set", pop_diff(rules, rules, "json", &answer));
    if (rules != 0)
        EXPECT(POP_INVALID_HANDLE, "not an open rule set", pop_evaluate(rules, "1", NULL, NULL, &answer));
    EXPECT(POP_INVALID_HANDLE, "not an open rule set",
        pop_session_open(rules, bytes(OPENING), strlen(OPENING), &opened, &answer));
    if (opened != 0) atomic_fetch_add(&failures, 1);
    EXPECT(POP_INVALID_HANDLE, "not an open session",
        pop_session_handle(session, bytes("{}"), 2, &answer));
    EXPECT(POP_INVALID_HANDLE, "not an open session",
        pop_session_handle_lines(session, bytes(SENT), strlen(SENT), &answer));
    EXPECT(POP_INVALID_HANDLE, "not an open session",
        pop_session_explain(session, bytes(ASKED), strlen(ASKED), &answer));
    EXPECT(POP_INVALID_HANDLE, "not an open session",
        pop_session_suppose(session, bytes("{}"), 2, &answer));
    EXPECT(POP_INVALID_HANDLE, "not an open session", pop_session_history(session, &answer));
}

static void wrongHandles(void) {
    pop_handle open = rules(), shown = session(open);
    refused(0, 0);
    refused(UINT64_MAX, UINT64_MAX);
    refused(shown, open);
    EXPECT(POP_OK, NULL, pop_close(open, &answer));
    // A session does not need its rules any more.
    EXPECT(POP_OK, "effects", pop_session_handle_lines(shown, bytes(SENT), strlen(SENT), &answer));
    EXPECT(POP_OK, NULL, pop_close(shown, &answer));
    refused(open, shown);
    EXPECT(POP_INVALID_HANDLE, "open", pop_close(open, &answer));
    EXPECT(POP_INVALID_HANDLE, "open", pop_close(0, &answer));
    if (pop_close(0, NULL) != POP_INVALID_HANDLE) atomic_fetch_add(&failures, 1);
}

static void wrongMemory(void) {
    pop_handle open = rules(), shown = session(open), none = 7;
    const char *const latin = "caf\xe9";
    EXPECT(POP_INVALID_ARGUMENT, "null", pop_rules_from_path(NULL, &none, &answer));
    EXPECT(POP_INVALID_ARGUMENT, "UTF-8", pop_rules_from_path(latin, &none, &answer));
    EXPECT(POP_INVALID_ARGUMENT, "handle", pop_rules_from_path(path, NULL, &answer));
    EXPECT(POP_INVALID_ARGUMENT, "empty", pop_rules_from_path("", &none, &answer));
    EXPECT(POP_INVALID_ARGUMENT, "empty", pop_check("", &answer));
    EXPECT(POP_UNREADABLE, "nowhere", pop_rules_from_path("nowhere", &none, &answer));
    EXPECT(POP_INVALID_ARGUMENT, "null", pop_rules_from_bundle(NULL, 3, &none, &answer));
    EXPECT(POP_INVALID_ARGUMENT, "large", pop_rules_from_bundle(bytes("{}"), SIZE_MAX, &none, &answer));
    EXPECT(POP_INVALID_ARGUMENT, "handle", pop_rules_from_bundle(bytes("{}"), 2, NULL, &answer));
    EXPECT(POP_UNREADABLE, "bundle", pop_rules_from_bundle(NULL, 0, &none, &answer));
    EXPECT(POP_UNREADABLE, "bundle", pop_rules_from_bundle(bytes("{\"popbundle\":"), 13, &none, &answer));
    EXPECT(POP_INVALID_ARGUMENT, "null", pop_check(NULL, &answer));
    EXPECT(POP_UNREADABLE, NULL, pop_check("nowhere", &answer));
    EXPECT(POP_INVALID_ARGUMENT, "null", pop_evaluate(0, NULL, NULL, NULL, &answer));
    EXPECT(POP_INVALID_ARGUMENT, "UTF-8", pop_evaluate(0, "1", latin, NULL, &answer));
    EXPECT(POP_INVALID_ARGUMENT, "not a time", pop_evaluate(0, "1", NULL, "soon", &answer));
    EXPECT(POP_INVALID_ARGUMENT, "not a format", pop_diff(open, open, "pdf", &answer));
    EXPECT(POP_INVALID_ARGUMENT, "null", pop_diff(open, open, NULL, &answer));
    EXPECT(POP_INVALID_ARGUMENT, "null", pop_simulate(NULL, NULL, &answer));
    EXPECT(POP_INVALID_ARGUMENT, ".test.yaml", pop_simulate("rules.yaml", NULL, &answer));
    EXPECT(POP_UNREADABLE, NULL, pop_simulate("nowhere.test.yaml", NULL, &answer));
    EXPECT(POP_UNREADABLE, "request", pop_session_open(open, bytes("["), 1, &none, &answer));
    EXPECT(POP_INVALID_ARGUMENT, "handle", pop_session_open(open, bytes("{}"), 2, NULL, &answer));
    EXPECT(POP_UNREADABLE, "start", pop_session_open(open, bytes("{}"), 2, &none, &answer));
    EXPECT(POP_UNREADABLE, "inputs", pop_session_handle(shown, bytes("{}"), 2, &answer));
    EXPECT(POP_INVALID_ARGUMENT, "null", pop_session_handle(shown, NULL, 2, &answer));
    EXPECT(POP_INVALID_ARGUMENT, "large", pop_session_handle(shown, bytes("{}"), SIZE_MAX, &answer));
    EXPECT(POP_UNREADABLE, "line 1", pop_session_handle_lines(shown, bytes("\0\0"), 2, &answer));
    EXPECT(POP_UNREADABLE, "popups", pop_session_explain(shown, bytes("{}"), 2, &answer));
    EXPECT(POP_UNREADABLE, "inputs", pop_session_suppose(shown, bytes("{}"), 2, &answer));
    EXPECT(POP_UNREADABLE, "request", pop_replay(NULL, 0, &answer));
    EXPECT(POP_INVALID_ARGUMENT, "null", pop_replay(NULL, 1, &answer));
    if (none != 0) atomic_fetch_add(&failures, 1);
    pop_free(NULL);
    pop_close(open, NULL);
    pop_close(shown, NULL);
}

// Everything as it is meant.
static void asMeant(void) {
    pop_handle open = rules(), again = 0, shown = session(open);
    pop_answer bundle = {NULL, 0};
    if (pop_rules_bundle(open, &bundle) != POP_OK) atomic_fetch_add(&failures, 1);
    EXPECT(POP_OK, NULL, pop_rules_from_bundle(bundle.bytes, bundle.length, &again, &answer));
    pop_free(&bundle);
    EXPECT(POP_OK, "well_done", pop_rules_describe(again, &answer));
    EXPECT(POP_OK, "\"errors\": 0", pop_check(path, &answer));
    EXPECT(POP_OK, "\"value\":3", pop_evaluate(0, "a + 1", "{\"a\": 2}", NULL, &answer));
    EXPECT(POP_OK, "\"value\":true",
        pop_evaluate(open, "user.plan == \"free\" && now.getFullYear() == 2026", NULL,
            "2026-05-04T09:00:00Z", &answer));
    EXPECT(POP_INVALID_ARGUMENT, "bundle", pop_evaluate(again, "1", NULL, NULL, &answer));
    EXPECT(POP_NO_VALUE, "evaluated", pop_evaluate(0, "1 / a", "{\"a\": 0}", NULL, &answer));
    EXPECT(POP_FINDINGS, "\"level\": \"error\"", pop_evaluate(0, "1 +", NULL, NULL, &answer));
    EXPECT(POP_OK, "\"same\": true", pop_diff(open, again, "json", &answer));
    EXPECT(POP_OK, "<!doctype html>", pop_diff(open, again, "html", &answer));
    EXPECT(POP_OK, "effects", pop_session_handle_lines(shown, bytes(SENT), strlen(SENT), &answer));
    EXPECT(POP_OK, "\"steps\":[]", pop_session_handle(shown, bytes("{\"inputs\": []}"), 14, &answer));
    EXPECT(POP_OK, "well_done", pop_session_explain(shown, bytes(ASKED), strlen(ASKED), &answer));
    const char *wondered = "{\"inputs\": [], \"popups\": [\"well_done\"]}";
    EXPECT(POP_OK, "well_done", pop_session_suppose(shown, bytes(wondered), strlen(wondered), &answer));
    EXPECT(POP_OK, "history", pop_session_history(shown, &answer));
    EXPECT(POP_OK, NULL, pop_close(again, &answer));
    EXPECT(POP_OK, NULL, pop_close(open, &answer));
    EXPECT(POP_OK, NULL, pop_close(shown, &answer));
}

// A test that stands in no file; rules with a mistake.
static void stories(const char *folder) {
    char file[4096];
    const char *story = "poprules_test: 1\ntests:\n  ada:\n    steps:\n      - after: 1s\n";
    snprintf(file, sizeof file, "%s/memory.test.yaml", folder);
    EXPECT(POP_OK, "<svg", pop_simulate(file, story, &answer));
    EXPECT(POP_FINDINGS, "\"level\": \"error\"", pop_simulate(file, "tests: 1\n", &answer));
    snprintf(file, sizeof file, "%s/broken.yaml", folder);
    FILE *broken = fopen(file, "w");
    if (broken == NULL || fputs(BROKEN, broken) < 0 || fclose(broken) != 0) abort();
    pop_handle none = 7;
    EXPECT(POP_FINDINGS, "\"file\"", pop_rules_from_path(file, &none, &answer));
    EXPECT(POP_OK, "\"errors\": 1", pop_check(file, &answer));
    if (none != 0) atomic_fetch_add(&failures, 1);
    remove(file);
}

// A log of two events as a stream of one batch, in memory that is never freed.
static const int32_t USERS[] = {0, 3, 6}, TIMES[] = {0, 20, 40}, EVENTS[] = {0, 11, 17};
static const void *const BUFFERS[4][3] = {
    {NULL}, {NULL, USERS, "adabea"}, {NULL, TIMES, "2026-05-04T09:00:00Z2026-05-04T09:01:00Z"},
    {NULL, EVENTS, "lesson.doneopened"}};
static const char *const NAMES[] = {"", "user", "time", "event"};

static void releaseSchema(struct ArrowSchema *schema) { schema->release = NULL; }
static void releaseArray(struct ArrowArray *array) { array->release = NULL; }

// Children are a part of the stream's own memory.
struct log {
    struct ArrowSchema schemas[3], *schema[3];
    struct ArrowArray arrays[3], *array[3];
    const char *format;
    int64_t columns;
    void (*spoil)(struct ArrowArray *batch);
    int given, fails, released;
};

static int getSchema(struct ArrowArrayStream *stream, struct ArrowSchema *out) {
    struct log *log = stream->private_data;
    for (int index = 0; index < 3; index++) {
        log->schemas[index] = (struct ArrowSchema){
            .format = log->format, .name = NAMES[index + 1], .flags = 2, .release = releaseSchema};
        log->schema[index] = &log->schemas[index];
    }
    *out = (struct ArrowSchema){
        .format = "+s", .name = "", .n_children = log->columns, .children = log->schema, .release = releaseSchema};
    return 0;
}

static int getNext(struct ArrowArrayStream *stream, struct ArrowArray *out) {
    struct log *log = stream->private_data;
    if (log->fails) return 5;
    *out = (struct ArrowArray){0};
    if (log->given++) return 0;
    for (int index = 0; index < 3; index++) {
        log->arrays[index] = (struct ArrowArray){
            .length = 2, .n_buffers = 3, .buffers = (const void **)BUFFERS[index + 1], .release = releaseArray};
        log->array[index] = &log->arrays[index];
    }
    *out = (struct ArrowArray){.length = 2, .n_buffers = 1, .buffers = (const void **)BUFFERS[0],
        .n_children = 3, .children = log->array, .release = releaseArray};
    if (log->spoil != NULL) log->spoil(out);
    return 0;
}

// What no table has.
static void negativeLength(struct ArrowArray *batch) { batch->length = -1; }
static void endlessLength(struct ArrowArray *batch) { batch->length = INT64_MAX; }
static void negativeOffset(struct ArrowArray *batch) { batch->offset = -5; }
static void endlessOffset(struct ArrowArray *batch) { batch->children[1]->offset = INT64_MAX; }
static void fewerColumns(struct ArrowArray *batch) { batch->n_children = 2; }
static void negativeColumns(struct ArrowArray *batch) { batch->n_children = -1; }
static void noColumn(struct ArrowArray *batch) { batch->children[2] = NULL; }
static void noColumns(struct ArrowArray *batch) { batch->children = NULL; }
static void shortColumn(struct ArrowArray *batch) { batch->children[0]->length = 1; }
static void fewBuffers(struct ArrowArray *batch) { batch->children[0]->n_buffers = 1; }
static void noBuffers(struct ArrowArray *batch) { batch->children[0]->buffers = NULL; }
static void (*const SPOILED[])(struct ArrowArray *) = {negativeLength, endlessLength, negativeOffset,
    endlessOffset, fewerColumns, negativeColumns, noColumn, noColumns, shortColumn, fewBuffers, noBuffers};

static const char *getLastError(struct ArrowArrayStream *stream) {
    (void)stream;
    return "out of paper";
}

static void releaseStream(struct ArrowArrayStream *stream) {
    ((struct log *)stream->private_data)->released++;
    stream->release = NULL;
}

static struct ArrowArrayStream stream(struct log *log) {
    *log = (struct log){.format = "u", .columns = 3};
    return (struct ArrowArrayStream){getSchema, getNext, getLastError, releaseStream, log};
}

#define CHECK(isRight)                                 \
    do {                                               \
        if (!(isRight)) {                              \
            printf("line %d: " #isRight "\n", __LINE__); \
            atomic_fetch_add(&failures, 1);            \
        }                                              \
    } while (0)

// What is known after a part of a log goes into the next one.
static void parts(pop_handle open) {
    struct log log;
    struct ArrowArrayStream in = stream(&log), out = {0}, after = {0}, end = {0};
    EXPECT(POP_OK, "\"users\":2",
           pop_replay_part(open, NULL, "2020-01-01T00:00:00Z", NULL, &in, &out, &after, &answer));
    CHECK(log.released == 1);
    out.release(&out);
    in = stream(&log);
    EXPECT(POP_OK, "\"users\":2", pop_replay_part(open, NULL, NULL, &after, &in, &out, &end, &answer));
    CHECK(log.released == 1 && after.release == NULL);
    out.release(&out);
    struct ArrowSchema schema;
    CHECK(end.get_schema(&end, &schema) == 0 && schema.n_children == 2);
    CHECK(strcmp(schema.children[1]->name, "history") == 0);
    schema.release(&schema);
    end.release(&end);
    in = stream(&log);
    EXPECT(POP_INVALID_ARGUMENT, "not a time",
           pop_replay_part(open, NULL, "soon", NULL, &in, &out, &end, &answer));
    in = stream(&log);
    EXPECT(POP_INVALID_ARGUMENT, "pointer",
           pop_replay_part(open, NULL, NULL, NULL, &in, NULL, &end, &answer));
    CHECK(log.released == 1 && end.release == NULL);
    in = stream(&log);
    EXPECT(POP_INVALID_ARGUMENT, "must all be different",
           pop_replay_part(open, NULL, NULL, NULL, &in, &out, &out, &answer));
    CHECK(log.released == 1 && out.release == NULL);
    in = stream(&log);
    after = stream(&log);
    EXPECT(POP_UNREADABLE, "no column `history`",
           pop_replay_part(open, NULL, NULL, &after, &in, &out, &end, &answer));
}

static void tables(void) {
    pop_handle open = rules();
    struct log log;
    struct ArrowArrayStream in = stream(&log), out = {0};
    EXPECT(POP_OK, "\"users\":2", pop_replay_table(open, NULL, &in, &out, &answer));
    CHECK(log.released == 1);
    struct ArrowSchema schema;
    struct ArrowArray batch;
    CHECK(out.get_schema(&out, &schema) == 0 && schema.n_children == 9);
    CHECK(strcmp(schema.children[3]->name, "popup") == 0);
    schema.release(&schema);
    CHECK(out.get_next(&out, &batch) == 0 && batch.release != NULL && batch.length > 0);
    // A column that is taken out of its batch lives on.
    struct ArrowArray popups = *batch.children[3];
    batch.children[3]->release = NULL;
    batch.release(&batch);
    CHECK(batch.release == NULL && memcmp(popups.buffers[2], "well_done", 9) == 0);
    popups.release(&popups);
    CHECK(out.get_next(&out, &batch) == 0 && batch.release == NULL);
    out.release(&out);
    CHECK(out.release == NULL);

    EXPECT(POP_INVALID_ARGUMENT, "released", pop_replay_table(open, NULL, &in, &out, &answer));
    EXPECT(POP_INVALID_ARGUMENT, "stream", pop_replay_table(open, NULL, NULL, &out, &answer));
    in = stream(&log);
    EXPECT(POP_INVALID_ARGUMENT, "pointer for the rows is null", pop_replay_table(open, NULL, &in, NULL, &answer));
    CHECK(log.released == 1);
    in = stream(&log);
    EXPECT(POP_INVALID_HANDLE, "not an open rule set", pop_replay_table(0, NULL, &in, &out, &answer));
    CHECK(log.released == 1 && out.release == NULL);
    in = stream(&log);
    EXPECT(POP_FINDINGS, "\"level\": \"error\"", pop_replay_table(open, "a: 1", &in, &out, &answer));
    in = stream(&log);
    log.format = "tts";
    EXPECT(POP_UNREADABLE, "column `user` has an unsupported type", pop_replay_table(open, NULL, &in, &out, &answer));
    for (int64_t columns = -1; columns != INT64_MAX; columns = columns < 0 ? 1 << 20 : INT64_MAX) {
        in = stream(&log);
        log.columns = columns;
        EXPECT(POP_UNREADABLE, "not a table", pop_replay_table(open, NULL, &in, &out, &answer));
    }
    for (size_t index = 0; index < sizeof SPOILED / sizeof *SPOILED; index++) {
        in = stream(&log);
        log.spoil = SPOILED[index];
        EXPECT(POP_UNREADABLE, "batches has", pop_replay_table(open, NULL, &in, &out, &answer));
        CHECK(log.released == 1);
    }
    in = stream(&log);
    EXPECT(POP_INVALID_ARGUMENT, "must all be different", pop_replay_table(open, NULL, &in, &in, &answer));
    CHECK(log.released == 1);
    in = stream(&log);
    log.fails = 1;
    EXPECT(POP_UNREADABLE, "out of paper", pop_replay_table(open, NULL, &in, &out, &answer));
    CHECK(log.released == 1);
    parts(open);
    pop_close(open, NULL);
}

static pop_handle shared;

static void *thread(void *argument) {
    for (int round = 0; round < *(int *)argument; round++) {
        asMeant();
        wrongHandles();
        tables();
        // All threads in one session: each call is answered, one after the other.
        EXPECT(POP_OK, "effects", pop_session_handle_lines(shared, bytes(SENT), strlen(SENT), &answer));
        EXPECT(POP_OK, "history", pop_session_history(shared, &answer));
    }
    return NULL;
}

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define FORKS 0
#endif
#endif
#ifndef FORKS
#define FORKS 200
#endif

static atomic_int goesOn;

static void *caller(void *argument) {
    pop_handle open = *(pop_handle *)argument;
    while (goesOn) {
        pop_handle mine = session(open);
        EXPECT(POP_OK, NULL, pop_evaluate(open, "'a' == 'b'", NULL, NULL, &answer));
        EXPECT(POP_OK, NULL, pop_close(mine, &answer));
    }
    return NULL;
}

// E51: while threads are inside calls, each child can use the rules and sessions of its parent, and open new ones.
static void forks(pop_handle open, pop_handle shared) {
    pthread_t threads[4];
    goesOn = 1;
    for (int index = 0; index < 4; index++) pthread_create(&threads[index], NULL, caller, &open);
    for (int round = 0; round < FORKS; round++) {
        usleep(1000);
        pid_t child = fork();
        if (child == 0) {
            failures = 0;
            // A child that hangs is ended by this signal.
            alarm(20);
            pop_close(session(open), NULL);
            EXPECT(POP_OK, NULL, pop_evaluate(open, "1 + 1", NULL, NULL, &answer));
            EXPECT(POP_OK, "history", pop_session_history(shared, &answer));
            _exit(failures == 0 ? 0 : 1);
        }
        int status = 0;
        CHECK(child > 0 && waitpid(child, &status, 0) == child);
        CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    goesOn = 0;
    for (int index = 0; index < 4; index++) pthread_join(threads[index], NULL);
}

int main(int count, char **arguments) {
    if (count < 3 || pop_abi_version() != POP_ABI_VERSION) return 2;
    path = arguments[1];
    int rounds = count > 3 ? atoi(arguments[3]) : 20;
    asMeant();
    wrongHandles();
    wrongMemory();
    stories(arguments[2]);
    tables();
    pop_handle open = rules();
    shared = session(open);
    pthread_t threads[8];
    for (int index = 0; index < 8; index++) pthread_create(&threads[index], NULL, thread, &rounds);
    for (int index = 0; index < 8; index++) pthread_join(threads[index], NULL);
    forks(open, shared);
    pop_close(shared, NULL);
    pop_close(open, NULL);
    printf("C interface: %d calls, %d failures\n", calls, failures);
    return failures == 0 ? 0 : 1;
}
