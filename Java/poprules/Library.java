package poprules;

import com.sun.jna.Native;
import com.sun.jna.Pointer;
import com.sun.jna.Structure;
import com.sun.jna.ptr.LongByReference;

/** The functions of poprules.h, as JNA calls them. The library is found as `jna.library.path` says. */
interface Library extends com.sun.jna.Library {
    Library INSTANCE = load();

    /** The version of the interface that this package is written for. */
    int ABI_VERSION = 1;

    @Structure.FieldOrder({"bytes", "length"})
    final class Answer extends Structure {
        public Pointer bytes;
        public long length;
    }

    int pop_abi_version();
    void pop_free(Answer answer);
    int pop_close(long handle, Answer answer);
    int pop_rules_from_bundle(byte[] bundle, long length, LongByReference rules, Answer answer);
    int pop_rules_from_path(byte[] path, LongByReference rules, Answer answer);
    int pop_rules_bundle(long rules, Answer answer);
    int pop_rules_describe(long rules, Answer answer);
    int pop_check(byte[] path, Answer answer);
    int pop_evaluate(long rules, byte[] expression, byte[] context, byte[] at, Answer answer);
    int pop_diff(long before, long after, byte[] format, Answer answer);
    int pop_simulate(byte[] path, byte[] text, Answer answer);
    int pop_session_open(long rules, byte[] request, long length, LongByReference session, Answer answer);
    int pop_session_handle(long session, byte[] request, long length, Answer answer);
    int pop_session_handle_lines(long session, byte[] lines, long length, Answer answer);
    int pop_session_explain(long session, byte[] request, long length, Answer answer);
    int pop_session_suppose(long session, byte[] request, long length, Answer answer);
    int pop_session_history(long session, Answer answer);

    int pop_replay_part(
        long rules, byte[] mapping, byte[] until, Pointer histories, Pointer log, Pointer rows, Pointer after,
        Answer answer);

    private static Library load() {
        Library library = Native.load("poprules", Library.class);
        if (library.pop_abi_version() != 1) {
            throw new UnsatisfiedLinkError("libpoprules does not match this version of the Java classes (interface " + library.pop_abi_version() + " instead of " + ABI_VERSION + "); install both from the same version");
        }
        return library;
    }
}
