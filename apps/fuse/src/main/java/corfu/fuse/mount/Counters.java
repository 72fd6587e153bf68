package corfu.fuse.mount;

/**
 * The work of a mount since its start.
 *
 * @param requests the requests that the kernel sent
 * @param systemCalls the reads and writes of the device
 * @param bytesRead the bytes of all requests
 * @param bytesWritten the bytes of all replies
 */
public record Counters(long requests, long systemCalls, long bytesRead, long bytesWritten) {

  /** No work. */
  static final Counters NONE = new Counters(0, 0, 0, 0);

  /** Returns the sum of both. */
  Counters plus(Counters other) {
    return new Counters(
        requests + other.requests,
        systemCalls + other.systemCalls,
        bytesRead + other.bytesRead,
        bytesWritten + other.bytesWritten);
  }
}
