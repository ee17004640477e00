import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Books a few entries a round and works out the balance from all entries so far. */
final class GrowingLedger implements Workload {
    private final List<Long> entries = new ArrayList<>();
    private final int booked;
    private final Dice dice = new Dice(9);

    GrowingLedger(Map<String, Integer> params) {
        booked = params.get("booked");
        add(params.get("opening"));
    }

    private void add(int count) {
        for (int e = 0; e < count; e++) {
            entries.add(1000L + dice.below(100_000));
        }
    }

    @Override
    public long run(int i) {
        add(booked);
        long balance = 0;
        for (Long entry : entries) {
            balance = (balance * 7 + entry) % 1_000_003;
        }
        return balance;
    }
}
