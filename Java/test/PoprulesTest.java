import com.sun.jna.Callback;
import com.sun.jna.CallbackReference;
import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import poprules.PoprulesException;
import poprules.RuleSet;
import poprules.Session;

/** Calls the package in the intended way, and in wrong ways: PoprulesTest RULES. */
final class PoprulesTest {
    private static final String AT =
        "{\"instant\": \"%ds\", \"date\": \"2026-05-04T09:%02d:00Z\"}";

    public static void main(String[] arguments) throws InterruptedException, IOException {
        String path = arguments[0];
        play(path);
        refuse();
        simulate(path);
        replay(path);
        forget(path);
        Thread[] threads = new Thread[8];
        int[] rounds = new int[threads.length];
        for (int index = 0; index < threads.length; index++) {
            int number = index;
            threads[index] = new Thread(() -> {
                for (int round = 0; round < 20; round++) {
                    play(path);
                    rounds[number]++;
                }
            });
            threads[index].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        for (int count : rounds) {
            expect(count == 20, "every thread has played its rounds");
        }
        System.out.println("JVM: all checks passed");
    }

    private static void play(String path) {
        has(RuleSet.check(path), "\"errors\": 0");
        has(RuleSet.evaluate("a + 1", "{\"a\": 2}"), "\"value\":3");
        try (RuleSet rules = RuleSet.load(path); RuleSet again = RuleSet.fromBundle(rules.bundle())) {
            has(again.describe(), "well_done");
            has(rules.diff(again, "json"), "\"same\": true");
            String later = "user.plan == 'pro' && now > timestamp('2026-05-04T08:00:00Z')";
            has(rules.evaluate(later, "user.plan: pro", "2026-05-04T09:00:00Z"), "\"value\":true");
            String start = AT.formatted(0, 0);
            try (Session session = again.open("{\"start\": " + start + ", \"user\": \"Grüße\"}")) {
                String line = "{\"at\": " + AT.formatted(60, 1)
                    + ", \"input\": \"send\", \"event\": \"lesson.done\"}\n";
                has(session.handleLines(line), "\"effect\":\"askWillShow\"");
                String input = "{\"inputs\": [" + line.strip().replace("60s", "90s") + "]}";
                has(session.suppose(input.replace("}]}", "}], \"popups\": [\"well_done\"]}")), "well_done");
                has(session.handle(input), "\"steps\"");
                has(session.explain("{\"popups\": [\"well_done\"]}"), "well_done");
                has(session.history(), "lesson.done");
            }
        }
    }

    private static void refuse() {
        fails(() -> RuleSet.load("nowhere"), 3);
        fails(() -> RuleSet.fromBundle(new byte[0]), 3);
        fails(() -> RuleSet.evaluate("1 +", null), 4);
        fails(() -> RuleSet.evaluate("1 / a", "{\"a\": 0}"), 5);
    }

    private static void simulate(String path) throws IOException {
        Path folder = Files.createTempDirectory("poprules");
        Files.copy(Path.of(path), folder.resolve("rules.yaml"));
        Path tests = folder.resolve("rules.test.yaml");
        Files.writeString(tests, "poprules_test: 1\ntests:\n  who pays is greeted:\n    steps:\n"
            + "      - set: { user.plan: pro }\n        expect: { showing: { main: welcome } }\n");
        String stories = RuleSet.simulate(tests.toString());
        has(stories, "who pays is greeted");
        Files.delete(tests);
        Files.delete(folder.resolve("rules.yaml"));
        Files.delete(folder);
    }

    /** A function that `ArrowArrayStream` calls. */
    public interface Asked extends Callback {
        int call(Pointer stream, Pointer place);
    }

    public interface Words extends Callback {
        Pointer call(Pointer stream);
    }

    public interface Released extends Callback {
        void call(Pointer stream);
    }

    /** If a stream can't be read, it reports the reason and is released; invalid addresses are refused. */
    private static void replay(String path) {
        Memory reason = new Memory(32);
        reason.setString(0, "out of paper");
        int[] released = {0};
        Asked fails = (stream, place) -> 5;
        Words says = stream -> reason;
        Released ends = stream -> {
            released[0]++;
            stream.setPointer(24, null);
        };
        Memory log = new Memory(40);
        log.setPointer(0, CallbackReference.getFunctionPointer(fails));
        log.setPointer(8, CallbackReference.getFunctionPointer(fails));
        log.setPointer(16, CallbackReference.getFunctionPointer(says));
        log.setPointer(24, CallbackReference.getFunctionPointer(ends));
        Memory rows = new Memory(40);
        try (RuleSet rules = RuleSet.load(path)) {
            fails(() -> rules.replay(null, 0, Pointer.nativeValue(rows)), 1);
            try {
                rules.replay(null, Pointer.nativeValue(log), Pointer.nativeValue(rows));
                expect(false, "there is no log");
            } catch (PoprulesException exception) {
                has(exception.getMessage(), "out of paper");
            }
            expect(released[0] == 1, "the log is released once");
            expect(rows.getPointer(24) == null, "there are no rows");
        }
    }

    /** E48: a handle that was not closed is closed once it is unreachable. */
    private static void forget(String path) throws InterruptedException {
        try (RuleSet rules = RuleSet.load(path)) {
            long number = openedAndForgotten(rules);
            for (int round = 0; round < 200 && isOpen(number); round++) {
                System.gc();
                Thread.sleep(20);
            }
            expect(!isOpen(number), "a session that was forgotten is closed");
            Session twice = rules.open("{\"start\": " + AT.formatted(0, 0) + "}");
            twice.close();
            twice.close();
        }
    }

    private static long openedAndForgotten(RuleSet rules) {
        Session session = rules.open("{\"start\": " + AT.formatted(0, 0) + "}");
        try {
            Field number = Session.class.getSuperclass().getDeclaredField("number");
            number.setAccessible(true);
            expect(isOpen(number.getLong(session)), "it is open");
            return number.getLong(session);
        } catch (ReflectiveOperationException exception) {
            throw new AssertionError(exception);
        }
    }

    /** Asks the library itself, which no class lets one do. */
    private static boolean isOpen(long number) {
        try {
            Class<?> kind = Class.forName("poprules.Library");
            Class<?> answers = Class.forName("poprules.Library$Answer");
            Field instance = kind.getDeclaredField("INSTANCE");
            instance.setAccessible(true);
            Constructor<?> constructor = answers.getDeclaredConstructor();
            constructor.setAccessible(true);
            Object answer = constructor.newInstance();
            Method history = kind.getDeclaredMethod("pop_session_history", long.class, answers);
            history.setAccessible(true);
            int status = (int) history.invoke(instance.get(null), number, answer);
            Method free = kind.getDeclaredMethod("pop_free", answers);
            free.setAccessible(true);
            free.invoke(instance.get(null), answer);
            return status == 0;
        } catch (ReflectiveOperationException exception) {
            throw new AssertionError(exception);
        }
    }

    private static void fails(Runnable call, int status) {
        try {
            call.run();
        } catch (PoprulesException exception) {
            expect(exception.status() == status, exception.getMessage());
            return;
        }
        expect(false, "it should have failed with " + status);
    }

    private static void has(String text, String words) {
        expect(text.contains(words), text);
    }

    private static void expect(boolean isTrue, String words) {
        if (!isTrue) {
            throw new AssertionError(words);
        }
    }
}
