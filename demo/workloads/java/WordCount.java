import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** Counts the words of a text in a fresh hash map. */
final class WordCount implements Workload {
    private final String text;

    WordCount(Map<String, Integer> params) {
        Dice dice = new Dice(1);
        StringBuilder out = new StringBuilder();
        for (int word = 0; word < params.get("words"); word++) {
            out.append(word % 7 == 0 ? "Term" : "term").append(dice.below(params.get("vocabulary")));
            out.append(word % 11 == 0 ? ", " : " ");
        }
        text = out.toString();
    }

    @Override
    public long run(int i) {
        Map<String, Integer> counts = new HashMap<>();
        for (String word : text.split("\\W+")) {
            counts.merge(word.toLowerCase(Locale.ROOT), 1, Integer::sum);
        }
        long check = 0;
        for (Map.Entry<String, Integer> entry : counts.entrySet()) {
            check += (long) entry.getValue() * entry.getKey().length();
        }
        return check;
    }
}
