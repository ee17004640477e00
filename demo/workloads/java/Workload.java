/** Work to be timed. One call of {@code run} is one iteration. */
interface Workload {
    /** Does the work of iteration {@code i}; the result keeps the compiler from deleting it. */
    long run(int i);
}
