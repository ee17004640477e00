import java.lang.management.ManagementFactory;
import java.lang.management.RuntimeMXBean;
import java.util.HashMap;
import java.util.Map;

/**
 * Times one workload in this fresh process, from its very first call on.
 *
 * Usage: Harness WORKLOAD ITERATIONS [NAME=INTEGER]…
 * Prints facts as NAME=VALUE, an empty line, then nanoseconds, one iteration a line.
 * With PLATEAU_DEMO_STAMPS set, each line ends with the iteration's start: nanoseconds since the
 * virtual machine started, by the clock of its logs.
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
        boolean stamped = System.getenv("PLATEAU_DEMO_STAMPS") != null;
        long[] starts = new long[stamped ? iterations : 0];
        long zero = stamped ? startOfVirtualMachine() : 0;
        long check = 0;
        if (live) {
            say(facts() + "\n");
        }
        for (int i = 0; i < iterations; i++) {
            long start = System.nanoTime();
            sink = workload.run(i);
            nanoseconds[i] = System.nanoTime() - start;
            if (stamped) {
                starts[i] = start - zero;
            }
            check = (check * 31 + sink) % 1_000_003;
            if (live) {
                say(nanoseconds[i] + " " + check + "\n");
            }
        }
        if (!live) {
            print(nanoseconds, starts, check);
        }
    }

    /** Waits for the next millisecond of the uptime, which alone is given exactly. */
    private static long startOfVirtualMachine() {
        RuntimeMXBean runtime = ManagementFactory.getRuntimeMXBean();
        long before = runtime.getUptime();
        long now;
        long uptime;
        do {
            now = System.nanoTime();
            uptime = runtime.getUptime();
        } while (uptime == before);
        return now - uptime * 1_000_000;
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

    private static void print(long[] nanoseconds, long[] starts, long check) {
        StringBuilder out = new StringBuilder(facts());
        out.append("check=").append(check).append("\n\n");
        for (int i = 0; i < nanoseconds.length; i++) {
            out.append(nanoseconds[i]);
            if (starts.length > 0) {
                out.append(' ').append(starts[i]);
            }
            out.append('\n');
        }
        System.out.print(out);
    }
}
