// Rules in a program written in C: which popup shows for whom, and when.
#include <stdio.h>
#include <string.h>

#include "poprules.h"

static const char *const OPENING =
    "{\"start\": {\"instant\": \"0s\", \"date\": \"2026-05-04T09:00:00Z\"}, \"user\": \"ada\", \"inputs\": ["
    "{\"at\": {\"instant\": \"0s\", \"date\": \"2026-05-04T09:00:00Z\"}, \"input\": \"update\","
    " \"set\": {\"user.plan\": \"pro\"}},"
    "{\"at\": {\"instant\": \"0s\", \"date\": \"2026-05-04T09:00:00Z\"}, \"input\": \"started\"}]}";

static const char *const MINUTE_LATER =
    "{\"at\": {\"instant\": \"60s\", \"date\": \"2026-05-04T09:01:00Z\"}, \"input\": \"send\", \"event\": \"lesson.done\"}\n";

static const uint8_t *bytes(const char *text) { return (const uint8_t *)text; }

// Prints what a call answered; false where it went wrong.
static int told(const char *call, pop_status status, pop_answer *answer) {
    printf("%s: %.*s\n", call, (int)answer->length, (const char *)answer->bytes);
    pop_free(answer);
    return status == POP_OK;
}

int main(int count, char **arguments) {
    if (pop_abi_version() != POP_ABI_VERSION) return 3;
    const char *folder = count > 1 ? arguments[1] : "rules";
    pop_answer answer;
    pop_handle rules, session;
    if (!told("rules", pop_rules_from_path(folder, &rules, &answer), &answer)) return 1;

    const char *people = "{user: {plan: pro}}";
    int fine = told("evaluate", pop_evaluate(0, "user.plan == \"pro\"", people, NULL, &answer), &answer);
    fine &= told(
        "open", pop_session_open(rules, bytes(OPENING), strlen(OPENING), &session, &answer), &answer);
    fine &= told(
        "handle", pop_session_handle_lines(session, bytes(MINUTE_LATER), strlen(MINUTE_LATER), &answer),
        &answer);
    const char *question = "{\"popups\": [\"welcome\"]}";
    fine &= told(
        "explain", pop_session_explain(session, bytes(question), strlen(question), &answer), &answer);
    fine &= told("history", pop_session_history(session, &answer), &answer);
    fine &= told("close", pop_close(session, &answer), &answer);
    fine &= told("close", pop_close(rules, &answer), &answer);
    return fine ? 0 : 1;
}
