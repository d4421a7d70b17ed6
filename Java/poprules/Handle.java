package poprules;

import com.sun.jna.ptr.LongByReference;
import java.nio.charset.StandardCharsets;

/** Something of the library that is open until it is closed. */
abstract class Handle implements AutoCloseable {
    static final Library LIBRARY = Library.INSTANCE;

    /** A call that answers bytes. */
    interface Call {
        int of(Library.Answer answer);
    }

    /** A call that opens something. */
    interface Opening {
        int of(LongByReference opened, Library.Answer answer);
    }

    final long number;

    Handle(Opening opening) {
        LongByReference opened = new LongByReference();
        answered(answer -> opening.of(opened, answer));
        number = opened.getValue();
    }

    /** Closes it; nothing more can be asked of it. */
    @Override
    public void close() {
        LIBRARY.pop_close(number, null);
    }

    static byte[] answered(Call call) {
        Library.Answer answer = new Library.Answer();
        int status = call.of(answer);
        try {
            byte[] bytes = answer.bytes.getByteArray(0, Math.toIntExact(answer.length));
            if (status != 0) {
                throw new PoprulesException(status, new String(bytes, StandardCharsets.UTF_8));
            }
            return bytes;
        } finally {
            LIBRARY.pop_free(answer);
        }
    }

    static String text(Call call) {
        return new String(answered(call), StandardCharsets.UTF_8);
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** A text as C has it, which ends at the first zero byte; null is none. */
    static byte[] terminated(String text) {
        if (text == null) {
            return null;
        }
        if (text.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("a text with a zero byte");
        }
        return bytes(text + "\0");
    }
}
