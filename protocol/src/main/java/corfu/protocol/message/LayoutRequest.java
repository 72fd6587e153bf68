package corfu.protocol.message;

import corfu.protocol.Endpoint;
import corfu.protocol.Epoch;
import corfu.protocol.Incarnation;
import corfu.protocol.layout.Layout;

/**
 * What a layout server may be asked: it is acceptor and learner of one Paxos decision an epoch
 * (DESIGN 3.6).
 */
public sealed interface LayoutRequest extends Request {

  /**
   * Which is the newest layout that you know to be decided? Answered by {@link
   * LayoutReply.Current}.
   */
  record Fetch() implements LayoutRequest {
    @Override
    public Epoch epoch() {
      return Epoch.NONE;
    }
  }

  /** Paxos phase 1 for the layout of this epoch. Answered by a {@link LayoutReply.PaxosReply}. */
  record Prepare(Epoch epoch, Ballot ballot) implements LayoutRequest {}

  /**
   * Paxos phase 2 for the layout of its own epoch. Answered by a {@link LayoutReply.PaxosReply}.
   */
  record Accept(Ballot ballot, Layout layout) implements LayoutRequest {
    @Override
    public Epoch epoch() {
      return layout.epoch();
    }
  }

  /**
   * A server lives, and asks for a lease: the permission to answer reads for a while. Answered by
   * {@link LayoutReply.Granted}; by {@link LayoutReply.Decided} where there is a newer layout than
   * the server's; by {@link Failure.Sealed} while a newer one is being decided; by {@link
   * Failure.Behind} where the server's layout has not been learned yet: {@link Learn} helps. The
   * sign of life counts in any case.
   *
   * @param epoch of the newest layout that the server has installed
   * @param server as the layout names it
   * @param health how its roles are
   */
  record Renew(Epoch epoch, Endpoint server, Health health) implements LayoutRequest {}

  /**
   * So far the disk of this server's log unit has come: remember it, for it must not have less when
   * it starts again. Answered by {@link LayoutReply.Remembered}, with what was known before.
   *
   * @param server as the layout names it
   * @param unit which life of the disk this is
   */
  record Remember(Endpoint server, Incarnation unit, Progress progress) implements LayoutRequest {
    @Override
    public Epoch epoch() {
      return Epoch.NONE;
    }
  }

  /** Who lives, as far as you know? Answered by {@link LayoutReply.Observations}. */
  record Observe() implements LayoutRequest {
    @Override
    public Epoch epoch() {
      return Epoch.NONE;
    }
  }

  /** This layout has been decided. Answered by {@link Reply.Done}. */
  record Learn(Layout layout) implements LayoutRequest {
    @Override
    public Epoch epoch() {
      return layout.epoch();
    }
  }
}
