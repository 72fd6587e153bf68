package corfu.objects.internal.hosted;

import corfu.objects.internal.state.State;
import corfu.objects.internal.view.View;
import corfu.objects.serial.SerializationException;
import corfu.objects.serial.ValueOutput;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * How large a hosted object is: measured as a checkpoint of it would be, when it may have doubled
 * since the last time. So all measuring together costs about as much as playing. Thread-safe.
 */
final class HostedSize<T> {

  private static final long LEAST_GROWTH = 256 << 10;

  private final View<T> view;
  private final long most;
  private final AtomicLong grown = new AtomicLong(); // since it was measured, at the most
  private volatile long measured = -1; // not yet

  HostedSize(View<T> view, long most) {
    this.view = view;
    this.most = most;
  }

  /** How large it is at the most, about. */
  long bytes() {
    return Math.max(0, measured) + grown.get();
  }

  /**
   * This is the state now.
   *
   * @throws HostedTooLargeException if it is too large
   */
  void isPlayed(State<T> state) {
    if (measured < 0 || grown.get() > Math.max(measured, LEAST_GROWTH)) {
      state.look(this::measure);
      check();
    }
  }

  /**
   * An entry of this size is about to be played.
   *
   * @throws HostedTooLargeException if the state is too large already
   */
  void grows(State<?> state, int payloadBytes) {
    if (Math.max(0, measured) + grown.addAndGet(payloadBytes) > most) {
      measureState(state);
      check();
    }
  }

  private void check() {
    if (measured > most) {
      throw new HostedTooLargeException(
          "the object has %d bytes, which is more than its host has for all that it hosts, %d"
              .formatted(measured, most));
    }
  }

  @SuppressWarnings("unchecked") // the view's player plays states of its type
  private void measureState(State<?> state) {
    ((State<T>) state).look(this::measure);
  }

  private void measure(T state) {
    long before = grown.get();
    long[] bytes = new long[1];
    try {
      view.context()
          .snapshots()
          .save(
              state,
              value -> {
                ValueOutput one = new ValueOutput();
                view.serializer().writePointing(new @Nullable Object[] {value}, one);
                bytes[0] += one.size();
              });
    } catch (SerializationException unwritable) {
      measured = Math.max(0, measured); // what has been played is all that is known
      return;
    }
    measured = bytes[0];
    grown.addAndGet(-before);
  }
}
