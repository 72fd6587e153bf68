package corfu.roles.layout;

import corfu.protocol.ClusterId;
import corfu.protocol.Endpoint;
import corfu.protocol.Epoch;
import corfu.protocol.Incarnation;
import corfu.protocol.layout.Chain;
import corfu.protocol.layout.Layout;
import corfu.protocol.layout.LayoutSegment;
import corfu.protocol.layout.Member;
import corfu.protocol.layout.Wanted;
import corfu.protocol.message.Ballot;
import corfu.protocol.message.LayoutRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Layouts and ballots for tests. */
final class Layouts {

  static final ClusterId OURS = new ClusterId(new UUID(1, 1));
  static final ClusterId OTHERS = new ClusterId(new UUID(2, 2));

  private Layouts() {}

  /**
   * Returns a layout of our cluster.
   *
   * @param epoch the layout's epoch
   * @param variant a number that tells proposals for one epoch apart
   * @param acceptors the incarnations of its layout servers
   */
  static Layout layout(long epoch, int variant, List<Incarnation> acceptors) {
    return layout(OURS, epoch, variant, acceptors);
  }

  static Layout layout(ClusterId cluster, long epoch, int variant, List<Incarnation> acceptors) {
    Endpoint server = new Endpoint("server", 1 + variant);
    List<Member> members = new ArrayList<>();
    for (Incarnation acceptor : acceptors) {
      members.add(new Member(new Endpoint("layout-server", 1 + members.size()), acceptor));
    }
    return new Layout(
        cluster,
        new Epoch(epoch),
        new Wanted(1, 1),
        List.of(server),
        members,
        List.of(new Member(server, new Incarnation(1 + variant))),
        List.of(new LayoutSegment(0, LayoutSegment.OPEN, List.of(new Chain(List.of(server))))));
  }

  /** Returns the result of a ballot or a decided layout. */
  static LayoutState.Step step(LayoutState state, LayoutRequest request) {
    return switch (request) {
      case LayoutRequest.Prepare prepare -> state.prepare(prepare);
      case LayoutRequest.Accept accept -> state.accept(accept);
      case LayoutRequest.Learn learn -> state.learn(learn);
      default -> throw new IllegalArgumentException(request + " changes nothing");
    };
  }

  static Ballot ballot(long round) {
    return new Ballot(round, 0);
  }
}
