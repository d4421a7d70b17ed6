import poprules.PoprulesException;
import poprules.RuleSet;
import poprules.Session;

/** Calls the package as it is meant to be called, and as it is not: PoprulesTest RULES. */
final class PoprulesTest {
    private static final String AT =
        "{\"instant\": \"%ds\", \"date\": \"2026-05-04T09:%02d:00Z\"}";

    public static void main(String[] arguments) throws InterruptedException {
        String path = arguments[0];
        play(path);
        refuse();
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
        System.out.println("JVM: all as it is meant");
    }

    private static void play(String path) {
        has(RuleSet.check(path), "\"errors\": 0");
        has(RuleSet.evaluate("a + 1", "{\"a\": 2}"), "\"value\":3");
        try (RuleSet rules = RuleSet.load(path); RuleSet again = RuleSet.fromBundle(rules.bundle())) {
            has(again.describe(), "well_done");
            has(rules.diff(again, "json"), "\"same\": true");
            String start = AT.formatted(0, 0);
            try (Session session = again.open("{\"start\": " + start + ", \"user\": \"Grüße\"}")) {
                String line = "{\"at\": " + AT.formatted(60, 1)
                    + ", \"input\": \"send\", \"event\": \"lesson.done\"}\n";
                has(session.handleLines(line), "\"effect\":\"askWillShow\"");
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
