package corfu.zookeeper.server;

import corfu.zookeeper.command.NamespaceCommand.VouchedSession;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.server.ServerCnxn;

/**
 * A session that this server serves. It may do so only for a while after it has begun to vouch for
 * the session: other servers wait for at least as long before they expire it. So a server that is
 * cut off from the log stops in time.
 *
 * <p>A local session is in no log and known to this server only, until its first change. It, too,
 * is served only while the log is in reach. Thread-safe.
 */
final class AttachedSession {

  private final ServerCnxn connection;
  private final long attachment;
  private final long timeoutNanos;
  private long lastSequence; // of the connection's one thread at a time
  private volatile boolean isLocal;
  private volatile long heardNanos;
  private volatile long vouchedNanos; // what was heard up to then is vouched for
  private volatile long servesUntilNanos;

  /**
   * Begins to serve a session.
   *
   * @param attachment the number of its attachment to this server
   * @param askedNanos the time at which this server asked for the attachment
   */
  AttachedSession(ServerCnxn connection, long attachment, int timeoutMillis, long askedNanos) {
    this.connection = connection;
    this.attachment = attachment;
    this.timeoutNanos = TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    this.heardNanos = askedNanos;
    this.vouchedNanos = askedNanos;
    this.servesUntilNanos = askedNanos + timeoutNanos;
  }

  /** Begins to serve a session that is in no log. Its first attachment will be number 1. */
  static AttachedSession local(ServerCnxn connection, int timeoutMillis, long nowNanos) {
    AttachedSession session = new AttachedSession(connection, 1, timeoutMillis, nowNanos);
    session.isLocal = true;
    return session;
  }

  boolean isLocal() {
    return isLocal;
  }

  /** Returns whether the session was local, and makes it one that is in the log. */
  synchronized boolean upgrade() {
    boolean wasLocal = isLocal;
    isLocal = false;
    return wasLocal;
  }

  int timeoutMillis() {
    return (int) TimeUnit.NANOSECONDS.toMillis(timeoutNanos);
  }

  ServerCnxn connection() {
    return connection;
  }

  long attachment() {
    return attachment;
  }

  synchronized long nextSequence() {
    return ++lastSequence;
  }

  /** The client has sent something. */
  void heard(long nowNanos) {
    heardNanos = nowNanos;
  }

  boolean mayServe(long nowNanos) {
    return nowNanos - servesUntilNanos < 0;
  }

  /** Returns what to vouch for, or empty if the client was silent since the last vouch. */
  Optional<VouchedSession> toVouch(long session, long nowNanos) {
    long heard = heardNanos;
    if (isLocal || heard - vouchedNanos <= 0) {
      return Optional.empty();
    }
    int idle = (int) TimeUnit.NANOSECONDS.toMillis(Math.max(0, nowNanos - heard));
    return Optional.of(new VouchedSession(session, idle));
  }

  /**
   * A vouch is applied.
   *
   * @param beganNanos the time at which this server began to vouch
   */
  void vouched(VouchedSession vouch, long beganNanos) {
    long heard = beganNanos - TimeUnit.MILLISECONDS.toNanos(vouch.idleMillis());
    vouchedNanos = later(vouchedNanos, heard);
    servesUntilNanos = later(servesUntilNanos, heard + timeoutNanos);
  }

  /** The log was in reach when this server began to vouch. A local session lives on if heard. */
  void inContact(long beganNanos) {
    if (isLocal) {
      long heard = heardNanos;
      long earlier = heard - beganNanos < 0 ? heard : beganNanos;
      servesUntilNanos = earlier + timeoutNanos;
    }
  }

  /** Times are compared by their difference, because a clock may overflow. */
  private static long later(long one, long other) {
    return one - other > 0 ? one : other;
  }
}
