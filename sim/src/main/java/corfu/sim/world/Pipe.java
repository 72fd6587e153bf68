package corfu.sim.world;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * One direction of a connection. Frames arrive in order, and finally the end of the connection may
 * arrive.
 */
final class Pipe {

  private final SimNetwork network;
  private final String from;
  private final String to;
  private final Consumer<ByteBuffer> arrived;
  private final Runnable ended;
  private final ArrayDeque<Parcel> inFlight = new ArrayDeque<>();
  private Optional<Timeline.Event> arrival = Optional.empty();
  private long lastNanos;
  private int tries;
  private boolean closed;

  /** A frame, or the end if it is empty. */
  private record Parcel(long atNanos, ByteBuffer frame) {}

  Pipe(SimNetwork network, String from, String to, Consumer<ByteBuffer> arrived, Runnable ended) {
    this.network = network;
    this.from = from;
    this.to = to;
    this.arrived = arrived;
    this.ended = ended;
  }

  void send(ByteBuffer frame) {
    if (!closed && !network.losesThis()) {
      add(frame);
    }
  }

  /** Sends nothing more. */
  void end() {
    if (!closed) {
      closed = true;
      add(ByteBuffer.allocate(0));
    }
  }

  /** Ends the pipe; its frames in flight arrive late or never. */
  void endLate(boolean atAll, long delayNanos) {
    closed = true;
    arrival.ifPresent(Timeline.Event::cancel);
    if (atAll) {
      arrival = Optional.of(network.timeline().after(delayNanos, this::arrive));
    } else {
      inFlight.clear();
    }
  }

  private void add(ByteBuffer frame) {
    long now = network.timeline().nowNanos();
    lastNanos = Math.max(lastNanos, now + network.delayNanos(from, to));
    inFlight.add(new Parcel(lastNanos, frame));
    if (inFlight.size() == 1) {
      awaitFirst();
    }
  }

  private void awaitFirst() {
    long wait = inFlight.element().atNanos() - network.timeline().nowNanos();
    arrival = Optional.of(network.timeline().after(Math.max(0, wait), this::arrive));
  }

  private void arrive() {
    if (inFlight.isEmpty()) {
      return;
    }
    if (network.isCut(from, to)) {
      long again = network.retransmissionNanos(tries++);
      arrival = Optional.of(network.timeline().after(again, this::arrive));
      return;
    }
    tries = 0;
    ByteBuffer frame = inFlight.remove().frame();
    if (!inFlight.isEmpty()) {
      awaitFirst();
    }
    if (frame.hasRemaining()) {
      arrived.accept(frame);
    } else {
      ended.run();
    }
  }
}
