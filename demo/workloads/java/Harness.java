import java.util.HashMap;
import java.util.Map;

/**
 * Times one workload in this fresh process, from its very first call on.
 *
 * Usage: Harness WORKLOAD ITERATIONS [NAME=INTEGER]…
 * Prints facts as NAME=VALUE, an empty line, then nanoseconds, one iteration a line.
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
        long check = 0;
        for (int i = 0; i < iterations; i++) {
            long start = System.nanoTime();
            sink = workload.run(i);
            nanoseconds[i] = System.nanoTime() - start;
            check = (check * 31 + sink) % 1_000_003;
        }
        print(nanoseconds, check);
    }

    private static void print(long[] nanoseconds, long check) {
        StringBuilder out = new StringBuilder();
        out.append("vmName=").append(System.getProperty("java.vm.name")).append('\n');
        out.append("vmVersion=").append(System.getProperty("java.vm.version")).append('\n');
        out.append("jdkVersion=").append(System.getProperty("java.version")).append('\n');
        out.append("check=").append(check).append("\n\n");
        for (long value : nanoseconds) {
            out.append(value).append('\n');
        }
        System.out.print(out);
    }
}
