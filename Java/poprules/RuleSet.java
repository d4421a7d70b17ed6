package poprules;

import com.sun.jna.Pointer;
import java.lang.ref.Reference;

/** Valid rules. Methods return JSON, as described in poprules.h. */
public final class RuleSet extends Handle {
    private RuleSet(Opening opening) {
        super(opening);
    }

    /** Loads a rule file, or a folder of rule files. */
    public static RuleSet load(String path) {
        byte[] name = terminated(path);
        return new RuleSet((opened, answer) -> LIBRARY.pop_rules_from_path(name, opened, answer));
    }

    /** Loads a bundle made by `poprules compile`. */
    public static RuleSet fromBundle(byte[] bundle) {
        return new RuleSet(
            (opened, answer) -> LIBRARY.pop_rules_from_bundle(bundle, bundle.length, opened, answer));
    }

    /** Returns everything that `poprules validate --format json` finds in a file or folder. */
    public static String check(String path) {
        byte[] name = terminated(path);
        return text(answer -> LIBRARY.pop_check(name, answer));
    }

    /** Returns the value of an expression that uses the names in a context, which is JSON or YAML. */
    public static String evaluate(String expression, String context) {
        byte[] written = terminated(expression);
        byte[] given = terminated(context);
        return text(answer -> LIBRARY.pop_evaluate(0, written, given, null, answer));
    }

    /**
     * Like `evaluate` without rules, but with the names that conditions of these rules may use. The rules must be
     * loaded from files. `at` is the time of the evaluation, null for now.
     */
    public String evaluate(String expression, String context, String at) {
        byte[] written = terminated(expression);
        byte[] given = terminated(context);
        byte[] time = terminated(at);
        return textHere(answer -> LIBRARY.pop_evaluate(number, written, given, time, answer));
    }

    /** Plays the tests of a test file; returns the result of each as JSON. */
    public static String simulate(String path) {
        byte[] name = terminated(path);
        return text(answer -> LIBRARY.pop_simulate(name, null, answer));
    }

    /** Replays a whole log against the rules: {@link #replay(String, String, long, long, long, long)}. */
    public String replay(String mapping, long log, long rows) {
        return replay(mapping, null, 0, log, rows, 0);
    }

    /**
     * Replays a part of a log against the rules. The streams are addresses of Arrow's C streams, as returned by
     * `memoryAddress()` of `org.apache.arrow.c.ArrowArrayStream`. The call takes over `log` and `histories`;
     * `rows` and `after` receive the results. Returns the totals. Pass null or 0 for missing arguments.
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

    /** Returns the changes from these rules to others, in the format `json`, `text`, `markdown` or `html`. */
    public String diff(RuleSet other, String format) {
        byte[] word = terminated(format);
        try {
            return textHere(answer -> LIBRARY.pop_diff(number, other.number, word, answer));
        } finally {
            Reference.reachabilityFence(other);
        }
    }

    /** Opens a session; the request needs at least a `start`. */
    public Session open(String request) {
        return new Session(this, bytes(request));
    }
}
