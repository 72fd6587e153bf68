package corfu.fuse.protocol;

/**
 * The reply to STATFS.
 *
 * @param blocks all blocks
 * @param freeBlocks free blocks
 * @param availableBlocks blocks that are free for unprivileged users
 * @param files all inodes
 * @param freeFiles free inodes
 * @param blockSize the preferred size of transfers in bytes
 * @param nameLength the longest name in bytes
 * @param fragmentSize the size in bytes of the blocks that are counted here
 */
public record FileSystemStatistics(
    long blocks,
    long freeBlocks,
    long availableBlocks,
    long files,
    long freeFiles,
    int blockSize,
    int nameLength,
    int fragmentSize) {}
