import java.util.Map;
import java.util.function.DoubleBinaryOperator;

/** Parses formulas into trees of many node classes, simplifies them and works them out. */
final class Formulas implements Workload {
    private final String[] formulas;

    Formulas(Map<String, Integer> params) {
        Dice dice = new Dice(5);
        formulas = new String[params.get("formulas")];
        for (int f = 0; f < formulas.length; f++) {
            formulas[f] = written(dice, 4);
        }
    }

    private static String written(Dice dice, int depth) {
        if (depth == 0 || dice.below(6) == 0) {
            return dice.below(3) == 0 ? "x" : Integer.toString(dice.below(100));
        }
        String left = written(dice, depth - 1), right = written(dice, depth - 1);
        return switch (dice.below(6)) {
            case 0 -> "(" + left + "-" + right + ")";
            case 1, 2 -> left + "*" + right;
            case 3 -> "max(" + left + "," + right + ")";
            case 4 -> "abs(" + left + ")";
            default -> left + "+" + right;
        };
    }

    @Override
    public long run(int i) {
        double total = 0;
        for (String formula : formulas) {
            total += new Parser(formula).sum().simplified().at(i % 8) % 1000;
        }
        return (long) total;
    }

    interface Node {
        double at(double x);

        default Node simplified() {
            return this;
        }
    }

    record Constant(double value) implements Node {
        public double at(double x) {
            return value;
        }
    }

    record Variable() implements Node {
        public double at(double x) {
            return x;
        }
    }

    record Absolute(Node inner) implements Node {
        public double at(double x) {
            return Math.abs(inner.at(x));
        }

        public Node simplified() {
            Node simple = inner.simplified();
            return simple instanceof Constant c ? new Constant(Math.abs(c.value)) : new Absolute(simple);
        }
    }

    record Pair(Node left, Node right, DoubleBinaryOperator operator) implements Node {
        public double at(double x) {
            return operator.applyAsDouble(left.at(x), right.at(x));
        }

        public Node simplified() {
            Node a = left.simplified(), b = right.simplified();
            if (a instanceof Constant ca && b instanceof Constant cb) {
                return new Constant(operator.applyAsDouble(ca.value, cb.value));
            }
            return new Pair(a, b, operator);
        }
    }

    private static final class Parser {
        private final String text;
        private int at;

        Parser(String text) {
            this.text = text;
        }

        private boolean eat(String token) {
            boolean found = text.startsWith(token, at);
            at += found ? token.length() : 0;
            return found;
        }

        Node sum() {
            Node node = product();
            while (true) {
                if (eat("+")) {
                    node = new Pair(node, product(), Double::sum);
                } else if (eat("-")) {
                    node = new Pair(node, product(), (a, b) -> a - b);
                } else {
                    return node;
                }
            }
        }

        private Node product() {
            Node node = factor();
            while (eat("*")) {
                node = new Pair(node, factor(), (a, b) -> a * b);
            }
            return node;
        }

        private Node factor() {
            if (eat("x")) {
                return new Variable();
            }
            if (eat("max(")) {
                Node left = sum();
                eat(",");
                Node right = sum();
                eat(")");
                return new Pair(left, right, Math::max);
            }
            boolean absolute = eat("abs(");
            if (absolute || eat("(")) {
                Node inner = sum();
                eat(")");
                return absolute ? new Absolute(inner) : inner;
            }
            return number();
        }

        private Node number() {
            int start = at;
            while (at < text.length() && Character.isDigit(text.charAt(at))) {
                at++;
            }
            return new Constant(Double.parseDouble(text.substring(start, at)));
        }
    }
}
