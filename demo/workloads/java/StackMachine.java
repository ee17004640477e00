import java.util.Map;

/** Interprets a small program of eight operations on a stack, again and again. */
final class StackMachine implements Workload {
    private static final int PUSH = 0, ADD = 1, MUL = 2, XOR = 3, DUP = 4, SWAP = 5, SHIFT = 6;
    private final int[] program;
    private final int rounds;
    private final int[] stack = new int[64];

    StackMachine(Map<String, Integer> params) {
        Dice dice = new Dice(7);
        program = new int[params.get("operations")];
        for (int p = 0; p < program.length; p++) {
            program[p] = dice.below(8);
        }
        rounds = params.get("rounds");
    }

    @Override
    public long run(int i) {
        long check = i % 4;
        for (int round = 0; round < rounds; round++) {
            check = check * 31 + once(round);
        }
        return check & 0xffffff;
    }

    private int once(int seed) {
        int top = 2;
        stack[0] = seed;
        stack[1] = 17;
        for (int operation : program) {
            if (top < 2) {
                stack[top++] = seed;
                continue;
            }
            int a = stack[top - 1], b = stack[top - 2];
            switch (operation) {
                case PUSH -> { if (top < 63) stack[top++] = seed ^ top; }
                case ADD -> stack[--top - 1] = a + b;
                case MUL -> stack[--top - 1] = a * b;
                case XOR -> stack[top - 1] = a ^ b;
                case DUP -> { if (top < 63) stack[top++] = a; }
                case SWAP -> { stack[top - 1] = b; stack[top - 2] = a; }
                case SHIFT -> stack[top - 1] = a >>> 3;
                default -> stack[top - 1] = -a;
            }
        }
        return stack[top > 0 ? top - 1 : 0];
    }
}
