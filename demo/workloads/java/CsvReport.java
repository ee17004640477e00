import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** Writes orders as CSV, reads them back, sorts them and sums the cheaper half. */
final class CsvReport implements Workload {
    private final int orders;

    CsvReport(Map<String, Integer> params) {
        orders = params.get("orders");
    }

    private record Order(int id, String customer, long cents) {
        static Order parse(String line) {
            String[] cells = line.split(",");
            return new Order(Integer.parseInt(cells[0]), cells[1], Long.parseLong(cells[2]));
        }
    }

    @Override
    public long run(int i) {
        StringBuilder out = new StringBuilder();
        Dice dice = new Dice(i % 16);
        for (int id = 0; id < orders; id++) {
            out.append(id).append(",customer ").append(dice.below(90)).append(',');
            out.append(dice.below(100_000)).append('\n');
        }
        List<Order> parsed = new ArrayList<>();
        for (String line : out.toString().split("\n")) {
            parsed.add(Order.parse(line));
        }
        Collections.sort(parsed, (a, b) -> a.cents() != b.cents()
            ? Long.compare(a.cents(), b.cents()) : a.customer().compareTo(b.customer()));
        return parsed.subList(0, orders / 2).stream().mapToLong(Order::cents).sum();
    }
}
