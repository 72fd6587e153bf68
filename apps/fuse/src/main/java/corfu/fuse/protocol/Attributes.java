package corfu.fuse.protocol;

/**
 * The attributes of a file, as {@code stat} shows them.
 *
 * @param inode the inode number that {@code stat} shows
 * @param size the size in bytes
 * @param blocks the allocated blocks, of 512 bytes each
 * @param accessTime the time of the last read
 * @param modificationTime the time of the last change of the data
 * @param changeTime the time of the last change of the attributes
 * @param mode the type and permissions, see {@link corfu.fuse.linux.FileMode}
 * @param links the number of names
 * @param uid the owner's id
 * @param gid the group's id
 * @param device the number of a device node, as the kernel encodes it, otherwise 0
 * @param blockSize the preferred size of transfers in bytes
 */
public record Attributes(
    long inode,
    long size,
    long blocks,
    Timestamp accessTime,
    Timestamp modificationTime,
    Timestamp changeTime,
    int mode,
    int links,
    int uid,
    int gid,
    int device,
    int blockSize) {}
