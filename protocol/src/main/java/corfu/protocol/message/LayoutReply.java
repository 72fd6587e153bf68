package corfu.protocol.message;

import corfu.protocol.layout.Layout;
import java.util.Optional;

/** What a layout server may answer. */
public sealed interface LayoutReply extends Reply {

  /** The newest layout that the server knows to be decided. */
  record Current(Layout layout) implements LayoutReply {}

  /** An answer to either phase. */
  sealed interface PaxosReply extends LayoutReply {}

  /**
   * Nothing lower than the ballot will be accepted for this epoch; here is what was accepted
   * before, if anything.
   */
  record Promised(Optional<Accepted> accepted) implements PaxosReply {}

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
