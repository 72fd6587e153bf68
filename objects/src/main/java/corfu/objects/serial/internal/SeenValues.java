package corfu.objects.serial.internal;

import java.util.ArrayList;
import java.util.List;

/**
 * The values that may be referred to again, in the order of their first bytes: arrays, collections,
 * maps and objects. A value that the reader passed over has its place, too. The reader goes back to
 * it if a wanted value refers to it. For one thread.
 */
final class SeenValues {

  private final List<Object> values = new ArrayList<>();
  private int next; // behind all of them, but while something is read again

  /**
   * A value that the reader passed over without making an object.
   *
   * @param position of its first byte
   * @param shapes that were seen before it
   */
  record PassedOver(int position, int shapes) {}

  /** Returns the place of the next value. */
  int next() {
    return next;
  }

  /** Begins to read the value at a place again; returns the place to continue at afterwards. */
  int goTo(int place) {
    int before = next;
    next = place;
    return before;
  }

  /** Returns whether the next value was read before, and not passed over. */
  boolean isNextMade() {
    return next < values.size() && !(values.get(next) instanceof PassedOver);
  }

  /** Adds the next value; an object that was made of it before remains. */
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

  /** Returns whether a value is at that place. */
  boolean has(long place) {
    return place >= 0 && place < values.size();
  }
}
