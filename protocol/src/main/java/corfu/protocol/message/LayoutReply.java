package corfu.protocol.message;

import corfu.protocol.Endpoint;
import corfu.protocol.layout.Layout;
import java.util.List;
import java.util.Optional;

/** What a layout server may answer. */
public sealed interface LayoutReply extends Reply {

  /** The newest layout that the server knows to be decided. */
  record Current(Layout layout) implements LayoutReply {}

  /** An answer to either phase. */
  sealed interface PaxosReply extends LayoutReply {}

  /**
   * Nothing lower than the ballot will be accepted for this epoch; here is what was accepted
   * before, if anything. From now on nobody is granted a lease in an earlier epoch.
   *
   * @param leases those granted by this server that still run
   */
  record Promised(Optional<Accepted> accepted, List<RunningLease> leases) implements PaxosReply {}

  /**
   * A lease that was granted and may still be in use.
   *
   * @param remainingMillis for how long yet, by the grantor's clock, allowance for other clocks
   *     included
   */
  record RunningLease(Endpoint server, long remainingMillis) {}

  /**
   * The server has its lease.
   *
   * @param millis for how long, counted from when it asked; 0 where the cluster uses none
   */
  record Granted(long millis) implements LayoutReply {}

  /**
   * It is remembered.
   *
   * @param before what was known of the same life of that disk; empty if nothing was
   */
  record Remembered(Optional<Progress> before) implements LayoutReply {}

  /** What a layout server has seen of every server of the newest layout that it knows. */
  record Observations(List<Observation> observations) implements LayoutReply {}

  /**
   * What a layout server has seen of a server.
   *
   * @param silentMillis since its last sign of life; since the observer's start if there was none
   * @param steadyMillis for how long its signs of life have come without a longer gap
   * @param health what it said of itself last
   */
  record Observation(Endpoint server, long silentMillis, long steadyMillis, Health health) {}

  /**
   * How many clients report servers of the newest layout as unreachable. From version 2 of the
   * protocol on.
   *
   * @param active clients that have reported within the last seconds
   * @param known clients that have reported within a longer time; as many as are active, or more
   * @param complaints servers that active clients do not reach, in the layout's order
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
   * @param clients active clients that do not reach it, 1 or more
   */
  record Complaint(Endpoint server, int clients) {}

  /** The layout is accepted, and that is durable. */
  record AcceptedNow() implements PaxosReply {
    public static final AcceptedNow ACCEPTED = new AcceptedNow();
  }

  /** A higher ballot has been promised. */
  record Outbid(Ballot promised) implements PaxosReply {}

  /** The epoch's layout is decided already, or the epoch is over: here is the newest layout. */
  record Decided(Layout layout) implements PaxosReply {}

  /** What an acceptor accepted last for an epoch. */
  record Accepted(Ballot ballot, Layout layout) {}
}
