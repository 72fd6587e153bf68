package corfu.protocol.message;

import corfu.protocol.Endpoint;
import corfu.protocol.Epoch;
import corfu.protocol.Incarnation;
import corfu.protocol.layout.Layout;
import java.util.List;

/**
 * What a layout server may be asked: it is acceptor and learner of one Paxos decision an epoch
 * (docs/design.md, section 6).
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

  /**
   * A client tells which servers of the layout it reaches, and which it does not. Clients that use
   * the log report now and then, so that a layout server can tell a server that all clients miss
   * from a client whose own network is broken. Answered by {@link Reply.Done}. From version 2 of
   * the protocol on.
   *
   * @param unreachable servers that have not answered this client for longer than a suspicion takes
   * @param reached servers that have answered this client lately
   */
  record Report(List<Endpoint> unreachable, List<Endpoint> reached) implements LayoutRequest {
    public Report {
      unreachable = List.copyOf(unreachable);
      reached = List.copyOf(reached);
    }

    @Override
    public Epoch epoch() {
      return Epoch.NONE;
    }
  }

  /**
   * How many clients report servers as unreachable? Answered by {@link LayoutReply.Reports}. From
   * version 2 of the protocol on.
   */
  record AskReports() implements LayoutRequest {
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
