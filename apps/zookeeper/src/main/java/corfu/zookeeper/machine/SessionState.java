package corfu.zookeeper.machine;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * The replicated state of a session. Every server has the same after the same commands. The
 * machine's lock guards it.
 */
public final class SessionState {

  private int timeoutMillis;
  private long server;
  private long attachment;
  private long lastSequence;
  private long lastVouch;

  SessionState(int timeoutMillis) {
    this.timeoutMillis = timeoutMillis;
  }

  /** Attaches the session to a server; requests of earlier attachments are refused from now on. */
  void attach(long incarnation, int timeout) {
    server = incarnation;
    timeoutMillis = timeout;
    attachment++;
    lastSequence = 0;
    lastVouch++;
  }

  void vouched() {
    lastVouch++;
  }

  /**
   * Accepts the next request of the present attachment.
   *
   * @return false if an earlier request of this attachment is missing
   */
  boolean accept(long sequence) {
    if (sequence != lastSequence + 1) {
      return false;
    }
    lastSequence = sequence;
    return true;
  }

  /** Returns the agreed timeout in milliseconds. */
  public int timeoutMillis() {
    return timeoutMillis;
  }

  /** Returns the incarnation of the server that the session is attached to. */
  public long server() {
    return server;
  }

  /** Returns the number of the present attachment; 0 before the first one. */
  public long attachment() {
    return attachment;
  }

  /** Returns the number of vouches so far; attachments count, too. */
  public long lastVouch() {
    return lastVouch;
  }

  void write(DataOutput out) throws IOException {
    out.writeInt(timeoutMillis);
    out.writeLong(server);
    out.writeLong(attachment);
    out.writeLong(lastSequence);
    out.writeLong(lastVouch);
  }

  static SessionState read(DataInput in) throws IOException {
    SessionState state = new SessionState(in.readInt());
    state.server = in.readLong();
    state.attachment = in.readLong();
    state.lastSequence = in.readLong();
    state.lastVouch = in.readLong();
    return state;
  }

  SessionState copy() {
    SessionState copy = new SessionState(timeoutMillis);
    copy.server = server;
    copy.attachment = attachment;
    copy.lastSequence = lastSequence;
    copy.lastVouch = lastVouch;
    return copy;
  }
}
