package corfu.objects.serial.internal;

import java.util.ArrayList;
import java.util.List;

/**
 * What may be referred to again, in the order of its first bytes: arrays, collections, maps and
 * objects. What was passed over has its place too, and is gone back to if something refers to it
 * that is wanted. For one thread.
 */
final class SeenValues {

  private final List<Object> values = new ArrayList<>();
  private int next; // behind all of them, but while something is read again

  /**
   * Something of which nothing was made.
   *
   * @param position of its first byte
   * @param shapes that were seen before it
   */
  record PassedOver(int position, int shapes) {}

  /** Where the next one will be. */
  int next() {
    return next;
  }

  /** Begins to read again what is at that place; returns what {@code next} is to be afterwards. */
  int goTo(int place) {
    int before = next;
    next = place;
    return before;
  }

  /** Whether what comes next was read before, and not passed over. */
  boolean isNextMade() {
    return next < values.size() && !(values.get(next) instanceof PassedOver);
  }

  /** The next one; what was made of it before remains. */
  void add(Object value) {
    if (next == values.size()) {
      values.add(value);
    } else if (!isNextMade()) {
      values.set(next, value);
    }
    next++;
  }

  Object get(int place) {
    return values.get(place);
  }

  /** Whether there is something at that place. */
  boolean has(long place) {
    return place >= 0 && place < values.size();
  }
}
