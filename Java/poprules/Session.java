package poprules;

import java.lang.ref.Reference;

/** A scheduler that handles inputs. Methods return JSON, as described in poprules.h. */
public final class Session extends Handle {
    Session(RuleSet rules, byte[] request) {
        super((opened, answer) ->
            LIBRARY.pop_session_open(rules.number, request, request.length, opened, answer));
        Reference.reachabilityFence(rules);
    }

    /** Handles the `inputs` of a request; returns their effects. */
    public String handle(String request) {
        byte[] said = bytes(request);
        return textHere(answer -> LIBRARY.pop_session_handle(number, said, said.length, answer));
    }

    /** Handles JSON lines, one input per line; returns one line per input, with its effects. */
    public String handleLines(String lines) {
        byte[] said = bytes(lines);
        return textHere(answer -> LIBRARY.pop_session_handle_lines(number, said, said.length, answer));
    }

    /** Returns why the `popups` of a request show or don't show. */
    public String explain(String request) {
        byte[] said = bytes(request);
        return textHere(answer -> LIBRARY.pop_session_explain(number, said, said.length, answer));
    }

    /** Returns why the `popups` of a request would or would not show after its `inputs`; changes nothing. */
    public String suppose(String request) {
        byte[] said = bytes(request);
        return textHere(answer -> LIBRARY.pop_session_suppose(number, said, said.length, answer));
    }

    /** Returns the history of the user, which you can pass to another session. */
    public String history() {
        return textHere(answer -> LIBRARY.pop_session_history(number, answer));
    }
}
