package corfu.silver;

/**
 * The result of {@link Silver#checkpoint}.
 *
 * @param oldest the oldest version that is left, as a log address; {@link Long#MAX_VALUE} if none
 *     is
 * @param nodes the number of files and directories that were visited
 * @param removedNodes the number of those that no remaining version has
 * @param entries the number of entries of large files that were trimmed
 * @param bytes the bytes of these entries
 */
public record CheckpointResult(
    long oldest, long nodes, long removedNodes, long entries, long bytes) {}
