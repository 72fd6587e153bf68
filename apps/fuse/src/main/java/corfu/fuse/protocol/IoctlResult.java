package corfu.fuse.protocol;

/**
 * The reply to IOCTL.
 *
 * @param result the number that {@code ioctl} returns
 * @param output the bytes for the caller, at most as many as the request allows; not copied
 */
@SuppressWarnings("ArrayRecordComponent") // compared by nobody
public record IoctlResult(int result, byte[] output) {}
