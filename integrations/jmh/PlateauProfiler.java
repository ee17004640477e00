import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.profile.ExternalProfiler;
import org.openjdk.jmh.profile.ProfilerException;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * JMH profiler that adds to every fork where it became steady, and the mean from there.
 *
 * <pre>java -cp benchmarks.jar:. org.openjdk.jmh.Main -prof PlateauProfiler -wi 0 -i 3000</pre>
 *
 * <p>{@code plateau.start} counts iterations from 0 and is absent from a fork that is never steady.
 * JMH hands over measured iterations alone: with {@code -wi 0} these are all. Option of the
 * profiler: the command, as in {@code -prof PlateauProfiler:/opt/plateau/bin/plateau}. Needs
 * {@code pip install plateau-perf} and JMH 1.21 or newer.
 */
public final class PlateauProfiler implements ExternalProfiler {
    private static final Pattern STEADY_START = Pattern.compile("\"steady_start\": (\\d+)");
    private static final Pattern ERROR = Pattern.compile("\"error\": \"([^\"]*)\"");

    private final String command;

    public PlateauProfiler() throws ProfilerException {
        this("");
    }

    public PlateauProfiler(String initLine) throws ProfilerException {
        command = initLine == null || initLine.isEmpty() ? "plateau" : initLine;
        try {
            output("", command, "--version");
        } catch (IOException | InterruptedException e) {
            throw new ProfilerException(command + ": " + e.getMessage()
                + " (install it with: pip install plateau-perf)");
        }
    }

    @Override
    public String getDescription() {
        return "Where each fork becomes steady, and its mean from there, by Plateau";
    }

    @Override
    public Collection<String> addJVMInvokeOptions(BenchmarkParams params) {
        return Collections.emptyList();
    }

    @Override
    public Collection<String> addJVMOptions(BenchmarkParams params) {
        return Collections.emptyList();
    }

    @Override
    public void beforeTrial(BenchmarkParams params) {}

    @Override
    public boolean allowPrintOut() {
        return true;
    }

    @Override
    public boolean allowPrintErr() {
        return true;
    }

    @Override
    public Collection<? extends Result> afterTrial(
            BenchmarkResult trial, long pid, File stdOut, File stdErr) {
        List<Double> scores = new ArrayList<>();
        for (IterationResult iteration : trial.getIterationResults()) {
            scores.add(iteration.getPrimaryResult().getScore());
        }
        BenchmarkParams params = trial.getParams();
        String report = String.format(
            "[{\"benchmark\": \"%s\", \"mode\": \"%s\", \"primaryMetric\": "
                + "{\"scoreUnit\": \"%s\", \"rawData\": [%s]}}]",
            params.getBenchmark(), params.getMode().shortLabel(), trial.getScoreUnit(), scores);
        try {
            String answer = output(report, command, "detect", "--format", "jsonl", "-");
            Matcher error = ERROR.matcher(answer);
            Matcher steady = STEADY_START.matcher(answer);
            if (!steady.find()) {
                String reason = error.find() ? error.group(1) : "";
                System.out.println("Plateau: " + (reason.isEmpty() ? "never steady" : reason));
                return Collections.emptyList();
            }
            int start = Integer.parseInt(steady.group(1));
            double sum = 0;
            for (double score : scores.subList(start, scores.size())) {
                sum += score;
            }
            double mean = sum / (scores.size() - start);
            return Arrays.asList(
                new ScalarResult("plateau.start", start, "iteration", AggregationPolicy.AVG),
                new ScalarResult("plateau.score", mean, trial.getScoreUnit(), AggregationPolicy.AVG));
        } catch (IOException | InterruptedException e) {
            System.out.println("Plateau: no answer: " + e.getMessage());
            return Collections.emptyList();
        }
    }

    /** Runs a command with {@code input} on its standard input; returns what it printed. */
    private static String output(String input, String... command)
            throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
            .redirectError(ProcessBuilder.Redirect.INHERIT).start();
        try (OutputStream stdin = process.getOutputStream()) {
            stdin.write(input.getBytes(StandardCharsets.UTF_8));
        }
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int status = process.waitFor();
        if (status > 1) {
            throw new IOException("status " + status);
        }
        return printed;
    }
}
