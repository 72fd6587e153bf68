package corfu.protocol.message;

import corfu.protocol.Endpoint;
import corfu.protocol.Epoch;
import corfu.protocol.Incarnation;
import corfu.protocol.layout.Layout;
import java.util.List;

/**
 * The requests to a layout server. It is acceptor and learner of one Paxos decision for each epoch
 * (docs/design.md, section 6).
 */
public sealed interface LayoutRequest extends Request {

  /**
   * Asks for the newest layout that the server knows to be decided. Answered by {@link
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
   * A server shows a sign of life and asks for a lease, the permission to answer reads for a while.
   * The sign of life counts in any case.
   *
   * <p>Answered by {@link LayoutReply.Granted}, or by {@link LayoutReply.Decided} if there is a
   * newer layout than the server's. Answered by {@link Failure.Sealed} while a newer layout is
   * being decided. Answered by {@link Failure.Behind} if the layout server has not learned the
   * server's layout yet, and needs a {@link Learn}.
   *
   * @param epoch the epoch of the newest layout that the server has installed
   * @param server the server's endpoint in the layout
   * @param health the state of its roles
   */
  record Renew(Epoch epoch, Endpoint server, Health health) implements LayoutRequest {}

  /**
   * A server asks to store the progress of its log unit's disk: after a restart the disk must not
   * have less. Answered by {@link LayoutReply.Remembered}, with the progress stored before.
   *
   * @param server the server's endpoint in the layout
   * @param unit the life of the disk
   * @param progress the progress to store
   */
  record Remember(Endpoint server, Incarnation unit, Progress progress) implements LayoutRequest {
    @Override
    public Epoch epoch() {
      return Epoch.NONE;
    }
  }

  /** Asks which servers live. Answered by {@link LayoutReply.Observations}. */
  record Observe() implements LayoutRequest {
    @Override
    public Epoch epoch() {
      return Epoch.NONE;
    }
  }

  /**
   * A client reports which servers of the layout it reaches, and which it does not. Clients that
   * use the log report now and then. The reports let a layout server distinguish a server that no
   * client reaches from a client with a broken network. Answered by {@link Reply.Done}. From
   * protocol version 2 on.
   *
   * @param unreachable the servers that have not answered this client for longer than a suspicion
   *     takes
   * @param reached the servers that have answered this client lately
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
   * Asks how many clients report servers as unreachable. Answered by {@link LayoutReply.Reports}.
   * From protocol version 2 on.
   */
  record AskReports() implements LayoutRequest {
    @Override
    public Epoch epoch() {
      return Epoch.NONE;
    }
  }

  /** Tells the server that this layout has been decided. Answered by {@link Reply.Done}. */
  record Learn(Layout layout) implements LayoutRequest {
    @Override
    public Epoch epoch() {
      return layout.epoch();
    }
  }
}
