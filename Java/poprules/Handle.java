package poprules;

import com.sun.jna.ptr.LongByReference;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.nio.charset.StandardCharsets;

/** An object of the library that is open until it is closed or unreachable. */
abstract class Handle implements AutoCloseable {
    static final Library LIBRARY = Library.INSTANCE;

    /** A call that returns bytes. */
    interface Call {
        int of(Library.Answer answer);
    }

    /** A call that opens something. */
    interface Opening {
        int of(LongByReference opened, Library.Answer answer);
    }

    private static final Cleaner CLEANER = Cleaner.create();

    final long number;
    private final Cleaner.Cleanable closing;

    Handle(Opening opening) {
        LongByReference opened = new LongByReference();
        answered(answer -> opening.of(opened, answer));
        number = opened.getValue();
        closing = CLEANER.register(this, new Closing(number));
    }

    /** Must not know the handle: that would be reachable then. */
    private record Closing(long number) implements Runnable {
        @Override
        public void run() {
            LIBRARY.pop_close(number, null);
        }
    }

    /** Closes the object; later calls fail. Closing again does nothing. */
    @Override
    public void close() {
        closing.clean();
    }

    /** A call about this handle, which stays open while the call runs. */
    byte[] answeredHere(Call call) {
        try {
            return answered(call);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    String textHere(Call call) {
        return new String(answeredHere(call), StandardCharsets.UTF_8);
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

    /** A string as C has it, which ends at the first zero byte; null stays null. */
    static byte[] terminated(String text) {
        if (text == null) {
            return null;
        }
        if (text.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("the string contains a null character");
        }
        return bytes(text + "\0");
    }
}
