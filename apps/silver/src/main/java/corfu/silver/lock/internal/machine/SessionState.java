package corfu.silver.lock.internal.machine;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** The replicated state of a session. The replica's lock guards it. */
public final class SessionState {

  /** A command has fewer operations, and a reply has a byte for each. */
  private static final int MAX_REPLY_BYTES = 1 << 16;

  private final int timeoutMillis;
  private long sequence;
  private byte[] lastReply = new byte[0];
  private int size;

  SessionState(int timeoutMillis) {
    this.timeoutMillis = timeoutMillis;
  }

  /** Returns the timeout in milliseconds. */
  public int timeoutMillis() {
    return timeoutMillis;
  }

  /** Returns the number of the last command. */
  public long sequence() {
    return sequence;
  }

  /** Returns the reply to the last command. */
  byte[] lastReply() {
    return lastReply.clone();
  }

  void replied(long toSequence, byte[] reply) {
    sequence = toSequence;
    lastReply = reply;
  }

  /** Returns the room that the session's locks and requests take. */
  int size() {
    return size;
  }

  void grow(int by) {
    size += by;
  }

  void write(DataOutput out) throws IOException {
    out.writeInt(timeoutMillis);
    out.writeLong(sequence);
    out.writeInt(lastReply.length);
    out.write(lastReply);
  }

  static SessionState read(DataInput in) throws IOException {
    SessionState state = new SessionState(in.readInt());
    state.sequence = in.readLong();
    int length = in.readInt();
    if (length < 0 || length > MAX_REPLY_BYTES) {
      throw new IOException(
          "a saved session of locks has a reply of %d bytes, but replies have up to %d"
              .formatted(length, MAX_REPLY_BYTES));
    }
    state.lastReply = new byte[length];
    in.readFully(state.lastReply);
    return state;
  }
}
