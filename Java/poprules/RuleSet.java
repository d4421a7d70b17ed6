package poprules;

import com.sun.jna.Pointer;
import java.lang.ref.Reference;

/** Rules that can be played. Answers are JSON, as described in poprules.h. */
public final class RuleSet extends Handle {
    private RuleSet(Opening opening) {
        super(opening);
    }

    /** Reads a rule file, or a folder of them. */
    public static RuleSet load(String path) {
        byte[] name = terminated(path);
        return new RuleSet((opened, answer) -> LIBRARY.pop_rules_from_path(name, opened, answer));
    }

    /** Reads a bundle that `poprules compile` has made. */
    public static RuleSet fromBundle(byte[] bundle) {
        return new RuleSet(
            (opened, answer) -> LIBRARY.pop_rules_from_bundle(bundle, bundle.length, opened, answer));
    }

    /** All that `poprules validate --format json` finds in a file or a folder. */
    public static String check(String path) {
        byte[] name = terminated(path);
        return text(answer -> LIBRARY.pop_check(name, answer));
    }

    /** The value of an expression, with the names that a context, JSON or YAML, gives values to. */
    public static String evaluate(String expression, String context) {
        byte[] written = terminated(expression);
        byte[] given = terminated(context);
        return text(answer -> LIBRARY.pop_evaluate(0, written, given, null, answer));
    }

    /**
     * Like `evaluate` without rules, but with the names that conditions of these rules, which are from files, may use.
     * `at` is the time, null for now.
     */
    public String evaluate(String expression, String context, String at) {
        byte[] written = terminated(expression);
        byte[] given = terminated(context);
        byte[] time = terminated(at);
        return textHere(answer -> LIBRARY.pop_evaluate(number, written, given, time, answer));
    }

    /** Plays the tests of a test file: how each went, as JSON. */
    public static String simulate(String path) {
        byte[] name = terminated(path);
        return text(answer -> LIBRARY.pop_simulate(name, null, answer));
    }

    /** Plays the rules against a log: {@link #replay(String, String, long, long, long, long)} of a whole one. */
    public String replay(String mapping, long log, long rows) {
        return replay(mapping, null, 0, log, rows, 0);
    }

    /**
     * Plays the rules against a part of a log. The streams are those of Arrow's C interface by their addresses, as
     * `memoryAddress()` of `org.apache.arrow.c.ArrowArrayStream` returns them. `log` and `histories` are taken over;
     * `rows` and `after` are places for the results. Returns the sums. Null and 0 stand for missing arguments.
     */
    public String replay(String mapping, String until, long histories, long log, long rows, long after) {
        byte[] meaning = terminated(mapping);
        byte[] end = terminated(until);
        return textHere(answer -> LIBRARY.pop_replay_part(
            number, meaning, end, place(histories), place(log), place(rows), place(after), answer));
    }

    private static Pointer place(long address) {
        return address == 0 ? null : new Pointer(address);
    }

    /** The rules as one file, which apps load. */
    public byte[] bundle() {
        return answeredHere(answer -> LIBRARY.pop_rules_bundle(number, answer));
    }

    /** The names of popups, events, keys and schedulers. */
    public String describe() {
        return textHere(answer -> LIBRARY.pop_rules_describe(number, answer));
    }

    /** Returns the changes from these rules to others: `json`, `text`, `markdown` or `html`. */
    public String diff(RuleSet other, String format) {
        byte[] word = terminated(format);
        try {
            return textHere(answer -> LIBRARY.pop_diff(number, other.number, word, answer));
        } finally {
            Reference.reachabilityFence(other);
        }
    }

    /** Opens a session by a request with at least its `start`. */
    public Session open(String request) {
        return new Session(this, bytes(request));
    }
}
