package corfu.fuse.protocol;

/**
 * The reply to GETATTR and SETATTR.
 *
 * @param attributes the file's attributes
 * @param validNanos how long the kernel may use them without asking, in nanoseconds
 */
public record TimedAttributes(Attributes attributes, long validNanos) {}
