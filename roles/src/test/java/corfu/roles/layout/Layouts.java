package corfu.roles.layout;

import corfu.protocol.ClusterId;
import corfu.protocol.Endpoint;
import corfu.protocol.Epoch;
import corfu.protocol.layout.Chain;
import corfu.protocol.layout.Layout;
import corfu.protocol.layout.Segment;
import corfu.protocol.message.Ballot;
import java.util.List;
import java.util.UUID;

/** Layouts and ballots for tests. */
final class Layouts {

  static final ClusterId OURS = new ClusterId(new UUID(1, 1));
  static final ClusterId OTHERS = new ClusterId(new UUID(2, 2));

  private Layouts() {}

  /** A layout of our cluster; {@code variant} tells proposals for one epoch apart. */
  static Layout layout(long epoch, int variant) {
    return layout(OURS, epoch, variant);
  }

  static Layout layout(ClusterId cluster, long epoch, int variant) {
    Endpoint server = new Endpoint("server", 1 + variant);
    return new Layout(
        cluster,
        new Epoch(epoch),
        List.of(server),
        List.of(server),
        List.of(new Segment(0, Segment.OPEN, List.of(new Chain(List.of(server))))));
  }

  static Ballot ballot(long round) {
    return new Ballot(round, 0);
  }
}
