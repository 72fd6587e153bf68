package corfu.silver.ship;

/**
 * The content of an archive.
 *
 * @param names the number of names below the root
 * @param bytes the bytes of all files without their holes
 */
public record Shipped(long names, long bytes) {}
