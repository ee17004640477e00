import java.util.HashMap;
import java.util.Map;

/**
 * Times one workload in this fresh process, from its very first call on.
 *
 * Usage: Harness WORKLOAD ITERATIONS [NAME=INTEGER]…
 * Prints facts as NAME=VALUE, an empty line, then nanoseconds, one iteration a line.
 * With PLATEAU_DEMO_LIVE set, each iteration is printed when it is over, with the check sum so far.
 */
final class Harness {
    /** Keeps every result alive; otherwise the compiler may delete the work. */
    static volatile long sink;

    public static void main(String[] arguments) throws Exception {
        int iterations = Integer.parseInt(arguments[1]);
        Map<String, Integer> params = new HashMap<>();
        for (int a = 2; a < arguments.length; a++) {
            String[] pair = arguments[a].split("=", 2);
            params.put(pair[0], Integer.valueOf(pair[1]));
        }
        Workload workload = (Workload) Class.forName(arguments[0])
            .getDeclaredConstructor(Map.class).newInstance(params);

        long[] nanoseconds = new long[iterations]; // nothing is printed before the last iteration
        boolean live = System.getenv("PLATEAU_DEMO_LIVE") != null;
        long check = 0;
        if (live) {
            say(facts() + "\n");
        }
        for (int i = 0; i < iterations; i++) {
            long start = System.nanoTime();
            sink = workload.run(i);
            nanoseconds[i] = System.nanoTime() - start;
            check = (check * 31 + sink) % 1_000_003;
            if (live) {
                say(nanoseconds[i] + " " + check + "\n");
            }
        }
        if (!live) {
            print(nanoseconds, check);
        }
    }

    private static void say(String text) {
        System.out.print(text);
        System.out.flush();
    }

    private static String facts() {
        return "vmName=" + System.getProperty("java.vm.name")
            + "\nvmVersion=" + System.getProperty("java.vm.version")
            + "\njdkVersion=" + System.getProperty("java.version") + "\n";
    }

    private static void print(long[] nanoseconds, long check) {
        StringBuilder out = new StringBuilder(facts());
        out.append("check=").append(check).append("\n\n");
        for (long value : nanoseconds) {
            out.append(value).append('\n');
        }
        System.out.print(out);
    }
}
