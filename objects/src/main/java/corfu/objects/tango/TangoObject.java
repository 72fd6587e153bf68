package corfu.objects.tango;

import corfu.protocol.Address;
import java.nio.ByteBuffer;

/**
 * An application's own object: a view in memory that only {@link #apply} changes. Its mutators call
 * {@link TangoRuntime#updateHelper}, its accessors {@link TangoRuntime#queryHelper}. The runtime
 * makes the upcalls of one object one after the other, and never while a query helper runs its
 * reader.
 */
public interface TangoObject {

  /**
   * Changes the view. It does the same wherever it is called.
   *
   * @param update the bytes that were passed to the update helper, read-only, from position 0 to
   *     its limit
   * @param address the update's log address. A view may keep the address instead of the value, and
   *     {@linkplain TangoRuntime#updatesAt read} the value when it is needed. The updates of one
   *     transaction have one address.
   */
  void apply(ByteBuffer update, Address address);

  /**
   * Returns whether a client with a view of this object may lack objects that were read by
   * transactions that write this one. If so, the commit records of these transactions are followed
   * by decision records. Then these clients need not read other objects' streams. Without decision
   * records, the decisions are the same, but take longer at these clients.
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
