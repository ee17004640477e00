import java.util.Map;

/** Multiplies two square matrices of doubles. */
final class MatrixProduct implements Workload {
    private final double[][] left;
    private final double[][] right;

    MatrixProduct(Map<String, Integer> params) {
        int size = params.get("size");
        Dice dice = new Dice(3);
        left = filled(size, dice);
        right = filled(size, dice);
    }

    private static double[][] filled(int size, Dice dice) {
        double[][] matrix = new double[size][size];
        for (double[] row : matrix) {
            for (int column = 0; column < size; column++) {
                row[column] = dice.below(1000) / 1000.0;
            }
        }
        return matrix;
    }

    @Override
    public long run(int i) {
        int size = left.length;
        double[][] product = new double[size][size];
        for (int row = 0; row < size; row++) {
            for (int column = 0; column < size; column++) {
                double sum = 0;
                for (int k = 0; k < size; k++) {
                    sum += left[row][k] * right[k][column];
                }
                product[row][column] = sum;
            }
        }
        return (long) (product[i % size][i % 7] * 1000);
    }
}
