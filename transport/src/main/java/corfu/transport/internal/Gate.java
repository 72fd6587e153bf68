package corfu.transport.internal;

import corfu.protocol.Endpoint;
import corfu.transport.ClientOptions;
import corfu.transport.RequestRefusedException;
import corfu.transport.TransportException;
import corfu.transport.UnreachableException;
import corfu.world.World;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * The checks before a request to one server is sent: the limit of its size, and the room for
 * requests in flight. Thread-safe.
 */
public final class Gate {

  /**
   * The longest timeout, about 70 years. Thus a deadline differs from a time in the past even if
   * the clock wraps.
   */
  private static final long LONGEST_TIMEOUT_NANOS = Long.MAX_VALUE >> 2;

  private final World world;
  private final Endpoint endpoint;
  private final int maxFrameBytes;
  private final Room room;

  public Gate(World world, Endpoint endpoint, ClientOptions options) {
    this.world = world;
    this.endpoint = endpoint;
    this.maxFrameBytes = options.limits().maxFrameBytes();
    this.room = new Room(world, options.maxBytesInFlight(), options.maxRequestsInFlight());
  }

  /** Returns the deadline, by the world's clock, of a request that starts now. */
  public long deadline(long timeoutNanos) {
    if (timeoutNanos < 1) {
      throw new IllegalArgumentException(
          "a request has 1 ns or more to be answered in, not " + timeoutNanos);
    }
    return world.nanoTime() + Math.min(timeoutNanos, LONGEST_TIMEOUT_NANOS);
  }

  /**
   * Lets a request of this size through and returns empty, or returns the reason for its failure.
   * Waits for room until the deadline if the caller may wait.
   *
   * @param bytes the size of the request's frame in bytes
   * @param deadlineNanos the deadline by the world's clock, in nanoseconds
   * @param mayNotWait whether the caller must not wait; asked only if there is no room
   */
  public Optional<TransportException> enter(
      int bytes, long deadlineNanos, BooleanSupplier mayNotWait) {
    if (bytes > maxFrameBytes) {
      return Optional.of(
          new RequestRefusedException(
              endpoint,
              "its frame would have " + bytes + " bytes, and the limit is " + maxFrameBytes));
    }
    if (room.tryTake(bytes)) {
      return Optional.empty();
    }
    if (mayNotWait.getAsBoolean()) {
      return Optional.of(
          new RequestRefusedException(
              endpoint, "too much is in flight, and a thread of the transport's can't wait"));
    }
    if (!room.take(bytes, deadlineNanos)) {
      return Optional.of(UnreachableException.crowded(endpoint));
    }
    return Optional.empty();
  }

  /** Returns whether no request is in flight. */
  public boolean isIdle() {
    return room.isEmpty();
  }

  /** Frees the room of a request of this size that has been answered or cancelled. */
  public void leave(int bytes) {
    room.giveBack(bytes);
  }
}
