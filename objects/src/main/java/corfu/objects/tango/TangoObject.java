package corfu.objects.tango;

import corfu.protocol.Address;
import java.nio.ByteBuffer;

/**
 * What somebody who rolls his own object writes: a view in memory, which nothing changes but {@link
 * #apply}. Its mutators call {@link TangoRuntime#updateHelper}, its accessors {@link
 * TangoRuntime#queryHelper}. The upcalls of one object come one after the other, and never while a
 * reader that was given to a query helper runs.
 */
public interface TangoObject {

  /**
   * Changes the view. It does the same wherever it is called.
   *
   * @param update what was given to the update helper, read-only, from position 0 to its limit
   * @param address where in the log it is: a view may keep this instead of the value, and
   *     {@linkplain TangoRuntime#updatesAt read} it when it is wanted. The updates of one
   *     transaction have one address.
   */
  void apply(ByteBuffer update, Address address);

  /**
   * Whether views of it are where not all is hosted that transactions read which write it: then
   * their commit records are followed by decision records, so that these views need not read other
   * objects' streams. Decisions are the same without; they take longer there.
   */
  default boolean isShared() {
    return false;
  }

  /**
   * The view as bytes, for {@link TangoRuntime#checkpoint}.
   *
   * @throws UnsupportedOperationException by default: it has no checkpoints
   */
  default ByteBuffer save() {
    throw new UnsupportedOperationException(
        getClass().getName() + " has no checkpoints: override save and load");
  }

  /** Makes the view what it was when it was {@linkplain #save saved}, whatever it is now. */
  default void load(ByteBuffer checkpoint) {
    throw new UnsupportedOperationException(
        getClass().getName() + " has no checkpoints: override save and load");
  }
}
