package corfu.protocol.message;

import corfu.protocol.Epoch;
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

  /** This layout has been decided. Answered by {@link Reply.Done}. */
  record Learn(Layout layout) implements LayoutRequest {
    @Override
    public Epoch epoch() {
      return layout.epoch();
    }
  }
}
