package poprules;

/** Rules that can be played. What is answered is JSON, as poprules.h says. */
public final class RuleSet extends Handle {
    private RuleSet(Opening opening) {
        super(opening);
    }

    /** Reads a rule file, or a folder of them. */
    public static RuleSet load(String path) {
        byte[] name = terminated(path);
        return new RuleSet((opened, answer) -> LIBRARY.pop_rules_from_path(name, opened, answer));
    }

    /** Reads what `poprules compile` has made. */
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

    /** The rules as one file, which apps load. */
    public byte[] bundle() {
        return answered(answer -> LIBRARY.pop_rules_bundle(number, answer));
    }

    /** The names of popups, events, keys and schedulers. */
    public String describe() {
        return text(answer -> LIBRARY.pop_rules_describe(number, answer));
    }

    /** What changes from these rules to others: `json`, `text`, `markdown` or `html`. */
    public String diff(RuleSet other, String format) {
        byte[] word = terminated(format);
        return text(answer -> LIBRARY.pop_diff(number, other.number, word, answer));
    }

    /** Opens a session by a request with at least its `start`. */
    public Session open(String request) {
        return new Session(this, bytes(request));
    }
}
