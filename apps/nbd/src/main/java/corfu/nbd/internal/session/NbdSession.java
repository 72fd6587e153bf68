package corfu.nbd.internal.session;

import corfu.nbd.internal.protocol.HeaderStyle;
import corfu.nbd.internal.protocol.NbdViolationException;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * The session of one client. Used by one thread. The owner of the connection calls {@link #process}
 * whenever there are bytes, or after {@link ClientLink#proceed}.
 */
public final class NbdSession {

  private final SessionContext context;
  private final DeviceCalls calls;
  private final ClientLink link;
  private final Handshake handshake;
  private @Nullable Transmission transmission;
  private boolean isOver;
  private boolean isStopping;
  private boolean isBlocked;
  private long lastProgressNanos;

  /** Begins a session: sends the server's first bytes. */
  public NbdSession(SessionContext context, DeviceCalls calls, ClientLink link) {
    this.context = context;
    this.calls = calls;
    this.link = link;
    this.handshake = new Handshake(context, calls, link);
    this.lastProgressNanos = context.nanoTime().getAsLong();
  }

  /**
   * Processes bytes of the client as far as possible. It leaves bytes in the buffer if a message is
   * incomplete, or if {@link #isBlocked}.
   */
  public void process(ByteBuf in) {
    if (in.isReadable()) {
      lastProgressNanos = context.nanoTime().getAsLong();
    }
    try {
      SessionStep step = SessionStep.ADVANCED;
      while (!isOver && step == SessionStep.ADVANCED) {
        step = step(in);
      }
      isBlocked = step == SessionStep.BLOCKED;
      if (step == SessionStep.FINISHED) {
        finish();
      }
    } catch (NbdViolationException violation) {
      context.log().warn("closed " + description() + ": " + violation.getMessage());
      finish();
    }
    if (isOver) {
      in.skipBytes(in.readableBytes());
    }
  }

  private SessionStep step(ByteBuf in) {
    Transmission current = transmission;
    if (current != null) {
      return current.step(in);
    }
    SessionStep step = handshake.step(in);
    OpenExport entered = handshake.entered();
    if (step != SessionStep.FINISHED || entered == null) {
      return step;
    }
    HeaderStyle style = handshake.style();
    transmission = new Transmission(context, calls, link, style, entered);
    if (isStopping) {
      transmission.stop();
    }
    context.log().info("NBD client " + link.client() + " uses export " + nameOf(entered));
    return SessionStep.ADVANCED;
  }

  private static String nameOf(OpenExport export) {
    return export.name().isEmpty() ? "(default)" : export.name();
  }

  private void finish() {
    if (!isOver) {
      isOver = true;
      link.close();
    }
  }

  /** Returns whether the session takes no more bytes now. */
  public boolean isBlocked() {
    return isBlocked || isOver;
  }

  /** Returns whether the client has opened an export. */
  public boolean isInTransmission() {
    return transmission != null;
  }

  /** Learns that the socket has accepted replies, or never will. */
  public void sent(int requests, long bytes) {
    lastProgressNanos = context.nanoTime().getAsLong();
    Transmission current = transmission;
    if (current != null) {
      current.sent(requests, bytes);
    }
  }

  /** Learns that all later bytes are encrypted. */
  public void secured() {
    handshake.secured();
    link.proceed();
  }

  /**
   * Stops the session. Later requests and options fail. The session finishes after the requests in
   * flight.
   */
  public void stop() {
    isStopping = true;
    Transmission current = transmission;
    if (current != null) {
      current.stop();
    } else {
      handshake.stop();
      if (!handshake.isWaiting()) {
        finish();
      }
    }
    link.proceed();
  }

  /** Learns that the connection is gone. To be called once, for every session. */
  public void end() {
    isOver = true;
    Transmission current = transmission;
    if (current != null) {
      current.end();
    } else {
      handshake.end();
    }
  }

  /** Returns for how long the client has neither sent nor accepted bytes that it owes. */
  public long stalledNanos() {
    Transmission current = transmission;
    if (current == null || !current.waitsForClient()) {
      return 0;
    }
    long now = context.nanoTime().getAsLong();
    return Math.min(now - lastProgressNanos, now - current.answeredNanos());
  }

  /** Returns the connection's name for people. */
  public String description() {
    OpenExport export = handshake.entered();
    return export == null
        ? "the connection of NBD client " + link.client()
        : "the connection of NBD client " + link.client() + " to export " + nameOf(export);
  }
}
