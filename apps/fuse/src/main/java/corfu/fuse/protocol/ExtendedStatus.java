package corfu.fuse.protocol;

/**
 * The reply to STATX.
 *
 * @param attributes the attributes that {@code stat} shows, too
 * @param birthTime the time at which the file was created
 * @param mask the fields that are valid, with the bits of {@code statx}
 * @param validNanos how long the kernel may use the attributes, in nanoseconds
 */
public record ExtendedStatus(
    Attributes attributes, Timestamp birthTime, int mask, long validNanos) {}
