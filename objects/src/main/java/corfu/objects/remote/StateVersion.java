package corfu.objects.remote;

import corfu.objects.record.CallId;
import corfu.protocol.Address;
import corfu.protocol.Epoch;

/** Which state of an object a call is about. */
public sealed interface StateVersion {

  /** The state of a moment within the call: all that was complete before it began is in it. */
  record Now() implements StateVersion {
    public static final Now NOW = new Now();
  }

  /**
   * The state of a snapshot.
   *
   * @param epoch that told where the log ended; any, if all is decided
   * @param began below this log address that epoch found all decided
   * @param before entries from this log address on are not in it
   * @param isDecided whether all below is decided, in every epoch
   * @param isWorthPlaying whether the host should play the object once more if it has no state as
   *     old
   */
  record Snapshot(Epoch epoch, long began, long before, boolean isDecided, boolean isWorthPlaying)
      implements StateVersion {

    /** That of an address below which all is decided, whatever it takes to tell. */
    public static Snapshot decided(Address at) {
      return new Snapshot(Epoch.NONE, 0, at.value(), true, true);
    }
  }

  /**
   * The outcome of a change that its caller has appended. The host ignores the operation and
   * arguments of the call that asks for it.
   *
   * @param address where in the log it is
   * @param call who made it
   */
  record ResultOf(long address, CallId call) implements StateVersion {}
}
