package corfu.silver.check;

/**
 * A violated invariant.
 *
 * @param path the path from the root, without a leading slash; empty for the root
 * @param problem the problem, with the expected and the found value
 */
public record Finding(String path, String problem) {}
