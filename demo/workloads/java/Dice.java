/** Repeatable numbers: the same in every fork, so that forks do the same work. */
final class Dice {
    private long state;

    Dice(long seed) {
        state = seed;
    }

    /** A whole number in [0, bound). */
    int below(int bound) {
        state = (state * 1_103_515_245L + 12_345L) & 0x7fffffffL;
        return (int) ((state >>> 8) % bound);
    }
}
