import java.util.HashMap;
import java.util.Map;

/** Replaces entries of a full cache, so that garbage has lived a while before it is collected. */
final class CacheChurn implements Workload {
    private final Map<Integer, long[]> cache = new HashMap<>();
    private final int entries;
    private final int replaced;
    private final Dice dice = new Dice(11);

    CacheChurn(Map<String, Integer> params) {
        entries = params.get("entries");
        replaced = params.get("replaced");
    }

    @Override
    public long run(int i) {
        long check = 0;
        for (int r = 0; r < replaced; r++) {
            int key = dice.below(entries);
            long[] fresh = new long[20 + key % 40];
            for (int cell = 0; cell < fresh.length; cell++) {
                fresh[cell] = key ^ cell;
            }
            long[] old = cache.put(key, fresh);
            check += old == null ? 1 : old[old.length - 1];
        }
        return check;
    }
}
