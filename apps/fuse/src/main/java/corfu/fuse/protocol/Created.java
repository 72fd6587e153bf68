package corfu.fuse.protocol;

/**
 * The reply to CREATE and TMPFILE.
 *
 * @param entry the new file
 * @param file the same file, opened
 */
public record Created(Entry entry, OpenFile file) {}
