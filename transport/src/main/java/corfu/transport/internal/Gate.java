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
 * What a request to one server has to pass before it is sent: the limit of its size, and the room
 * in flight. Thread-safe.
 */
public final class Gate {

  /** About 70 years, so that a deadline can be told from the past even by a clock that wraps. */
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

  /** When, by the world's clock, a request that starts now is to be complete. */
  public long deadline(long timeoutNanos) {
    if (timeoutNanos < 1) {
      throw new IllegalArgumentException(
          "a request has 1 ns or more to be answered in, not " + timeoutNanos);
    }
    return world.nanoTime() + Math.min(timeoutNanos, LONGEST_TIMEOUT_NANOS);
  }

  /**
   * Lets a request of this size through, or says why not. Waits for room until the deadline, if the
   * caller may.
   *
   * @param mayNotWait asked only where there is no room
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

  /** Whether nothing is in flight. */
  public boolean isIdle() {
    return room.isEmpty();
  }

  /** A request of this size has been answered, or given up. */
  public void leave(int bytes) {
    room.giveBack(bytes);
  }
}
