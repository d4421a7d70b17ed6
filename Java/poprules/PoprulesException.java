package poprules;

/** An error: a sentence, or findings as JSON if {@link #hasFindings()} returns true. */
public final class PoprulesException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private static final int FINDINGS = 4;
    private final int status;

    PoprulesException(int status, String words) {
        super(words);
        this.status = status;
    }

    /** The `pop_status` of the call. */
    public int status() {
        return status;
    }

    /** Returns true if rules, tests or an expression have errors. */
    public boolean hasFindings() {
        return status == FINDINGS;
    }
}
