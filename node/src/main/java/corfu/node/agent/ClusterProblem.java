package corfu.node.agent;

import corfu.protocol.Endpoint;
import java.util.Optional;

/**
 * A fault that another layout may cure.
 *
 * @param kind the kind of fault
 * @param server the faulty server; empty for a fault of the layout
 */
record ClusterProblem(Kind kind, Optional<Endpoint> server) {

  enum Kind {
    SILENT("does not give signs of life, or is broken"),
    UNREACHABLE("is not reached by clients, though it lives"),
    FORGETFUL_UNIT("has lost the disk of its log unit"),
    UNNAMED_LAYOUT_SERVER("has a layout server with another disk than the layout says"),
    UNIT_AT_REST("has a log unit that does not serve"),
    SEQUENCER_AT_REST("has a sequencer that does not serve"),
    TOO_SMALL("the layout has fewer log units or copies than are wanted");

    private final String text;

    Kind(String text) {
      this.text = text;
    }
  }

  static ClusterProblem of(Endpoint server, Kind kind) {
    return new ClusterProblem(kind, Optional.of(server));
  }

  @Override
  public String toString() {
    return server.map(who -> who + " " + kind.text).orElse(kind.text);
  }
}
