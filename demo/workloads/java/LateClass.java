import java.util.Map;

/** Sums areas of two kinds of shape; from one iteration on, a third and a fourth kind join. */
final class LateClass implements Workload {
    private final Shape[] shapes;
    private final int third;
    private final int fourth;

    LateClass(Map<String, Integer> params) {
        third = params.get("third");
        fourth = params.get("fourth");
        shapes = new Shape[params.get("shapes")];
        for (int s = 0; s < shapes.length; s++) {
            shapes[s] = s % 2 == 0 ? new Square(s % 13) : new Circle(s % 11);
        }
    }

    interface Shape {
        double area();
    }

    record Square(double side) implements Shape {
        public double area() {
            return side * side;
        }
    }

    record Circle(double radius) implements Shape {
        public double area() {
            return Math.PI * radius * radius;
        }
    }

    record Triangle(double base, double height) implements Shape {
        public double area() {
            return base * height / 2;
        }
    }

    record Ring(double outer, double inner) implements Shape {
        public double area() {
            return Math.PI * (outer * outer - inner * inner);
        }
    }

    @Override
    public long run(int i) {
        if (i == third) {
            replaceEvery(5, new Triangle(3, 4));
        }
        if (i == fourth) {
            replaceEvery(7, new Ring(5, 2));
        }
        double total = 0;
        for (Shape shape : shapes) {
            total += shape.area();
        }
        return (long) total;
    }

    private void replaceEvery(int step, Shape shape) {
        for (int s = 0; s < shapes.length; s += step) {
            shapes[s] = shape;
        }
    }
}
