package corfu.protocol.message;

import corfu.protocol.Endpoint;
import corfu.protocol.layout.Layout;
import java.util.List;
import java.util.Optional;

/** The replies of a layout server. */
public sealed interface LayoutReply extends Reply {

  /** The newest layout that the server knows to be decided. */
  record Current(Layout layout) implements LayoutReply {}

  /** A reply to either phase of Paxos. */
  sealed interface PaxosReply extends LayoutReply {}

  /**
   * The server promises to accept no lower ballot for this epoch, and reports the proposal that it
   * accepted before, if any. From now on it grants no lease in an earlier epoch.
   *
   * @param accepted the proposal accepted before, or empty if there is none
   * @param leases the leases of this server that still run
   */
  record Promised(Optional<Accepted> accepted, List<RunningLease> leases) implements PaxosReply {}

  /**
   * A granted lease that may still be in use.
   *
   * @param server the server that holds the lease
   * @param remainingMillis the remaining time in milliseconds by the grantor's clock, allowance for
   *     other clocks included
   */
  record RunningLease(Endpoint server, long remainingMillis) {}

  /**
   * The server has its lease.
   *
   * @param millis the lease's duration in milliseconds, counted from the server's request; 0 if the
   *     cluster uses no leases
   */
  record Granted(long millis) implements LayoutReply {}

  /**
   * The progress is stored.
   *
   * @param before the progress stored before for the same life of that disk, or empty if there was
   *     none
   */
  record Remembered(Optional<Progress> before) implements LayoutReply {}

  /** The layout server's observations of every server in the newest layout that it knows. */
  record Observations(List<Observation> observations) implements LayoutReply {}

  /**
   * A layout server's observation of one server.
   *
   * @param silentMillis the time since the server's last sign of life, or since the observer's
   *     start if there was none, in milliseconds
   * @param steadyMillis the time over which its signs of life have come without a longer gap, in
   *     milliseconds
   * @param health the server's last report on its roles
   */
  record Observation(Endpoint server, long silentMillis, long steadyMillis, Health health) {}

  /**
   * How many clients report servers of the newest layout as unreachable. From protocol version 2
   * on.
   *
   * @param active the number of clients that have reported within the last seconds
   * @param known the number of clients that have reported within a longer time; {@code active} or
   *     more
   * @param complaints the servers that active clients do not reach, in the layout's order
   */
  record Reports(int active, int known, List<Complaint> complaints) implements LayoutReply {

    /** No client has reported. */
    public static final Reports NONE = new Reports(0, 0, List.of());

    public Reports {
      complaints = List.copyOf(complaints);
    }
  }

  /**
   * Some clients do not reach a server.
   *
   * @param server the unreachable server
   * @param clients the number of active clients that do not reach it, 1 or more
   */
  record Complaint(Endpoint server, int clients) {}

  /** The layout is accepted, and the acceptance is durable. */
  record AcceptedNow() implements PaxosReply {
    public static final AcceptedNow ACCEPTED = new AcceptedNow();
  }

  /** The server has promised a higher ballot. */
  record Outbid(Ballot promised) implements PaxosReply {}

  /** The epoch's layout is decided already, or the epoch is over. Contains the newest layout. */
  record Decided(Layout layout) implements PaxosReply {}

  /** The proposal that an acceptor accepted last for an epoch. */
  record Accepted(Ballot ballot, Layout layout) {}
}
