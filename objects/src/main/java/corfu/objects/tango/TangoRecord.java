package corfu.objects.tango;

import corfu.objects.record.CallId;
import corfu.protocol.Address;
import corfu.protocol.StreamAddress;
import corfu.protocol.StreamId;
import java.nio.ByteBuffer;
import java.util.List;

/** An entry's record in a stream of Tango's interface. */
sealed interface TangoRecord {

  /** The call that wrote the record: its client, and which of that client's calls it is. */
  CallId call();

  /** One change, out of a transaction. */
  record Update(CallId call, ByteBuffer payload) implements TangoRecord {}

  /**
   * A transaction, in the streams of all objects that it writes. It takes effect if the objects
   * that it has read have no other change before the record's own place in the log.
   *
   * @param isAwaited a decision record is to follow
   */
  record Commit(CallId call, boolean isAwaited, List<Read> reads, List<Write> writes)
      implements TangoRecord {

    /** Whether it changes this object. */
    boolean writes(StreamId object) {
      return writes.stream().anyMatch(write -> write.object().equals(object));
    }
  }

  /**
   * An object that was read.
   *
   * @param upTo the transaction has seen the stream's entries before this address
   */
  record Read(StreamId object, StreamAddress upTo) {}

  /** An object that is changed. */
  record Write(StreamId object, ByteBuffer payload) {}

  /** The outcome of a transaction, in the same streams. */
  record Decision(CallId call, Address commit, boolean isCommitted) implements TangoRecord {}

  /**
   * A view, in the stream of checkpoints.
   *
   * @param before all below this log address is in it
   * @param resume where in the object's stream to go on
   */
  record Checkpoint(CallId call, Address before, StreamAddress resume, ByteBuffer state)
      implements TangoRecord {}
}
