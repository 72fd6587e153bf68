package corfu.sim;

import corfu.protocol.ClusterId;
import corfu.protocol.Endpoint;
import corfu.protocol.Limits;
import corfu.protocol.layout.Layout;
import corfu.roles.logunit.LogUnitOptions;
import corfu.roles.logunit.UnitMode;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

/**
 * What kind of cluster a seed has: every server is a log unit, the first ones are layout servers,
 * and the last one is the sequencer, alone or beside its unit.
 *
 * @param clockDriftPerMille by how much the clocks of processes may differ from true time
 */
record Arrangement(
    List<Endpoint> units,
    List<Endpoint> layoutServers,
    Endpoint sequencer,
    Layout layout,
    LogUnitOptions unitOptions,
    int clients,
    int clockDriftPerMille) {

  private static final int PORT = 9000;

  /** Enough for everything that one run writes, several times. */
  static final long DISK_BYTES = 64L << 20;

  static Arrangement of(Chance chance) {
    int count = 1 + chance.below(4);
    List<Endpoint> units = IntStream.rangeClosed(1, count).mapToObj(i -> server("s" + i)).toList();
    List<Endpoint> layoutServers = units.subList(0, count >= 3 ? 3 : 1);
    Endpoint sequencer = chance.oneIn(2) ? units.getLast() : server("seq");
    int replicas = 1 + chance.below(Math.min(count, 3));
    ClusterId id = new ClusterId(new UUID(chance.nextLong(), chance.nextLong()));
    Layout layout = Layout.initial(id, List.of(sequencer), layoutServers, units, replicas);
    int segmentBytes = 4096 << chance.below(5);
    LogUnitOptions options =
        LogUnitOptions.onDisk(UnitMode.DURABLE)
            .withSegmentBytes(segmentBytes)
            .withCapacityBytes(DISK_BYTES / 2)
            .withGatherBytes(chance.oneIn(4) ? 2_000 : 1 << 20)
            .withOpenFiles(1 + chance.below(8))
            .withLimits(Limits.ofPayload(1 << 16));
    int drift = chance.oneIn(4) ? 100 : 1;
    return new Arrangement(
        units, layoutServers, sequencer, layout, options, 1 + chance.below(4), drift);
  }

  private static Endpoint server(String name) {
    return new Endpoint(name, PORT);
  }

  /** All servers, each once. */
  List<Endpoint> servers() {
    return List.copyOf(layout.servers());
  }

  /** In a few words, for the head of a trace. */
  String description() {
    return units.size()
        + " log units, "
        + layout.openSegment().log().getFirst().replicas().size()
        + " replicas, "
        + layoutServers.size()
        + " layout servers, the sequencer at "
        + sequencer.host()
        + ", "
        + clients
        + " clients, segments of "
        + unitOptions.segmentBytes()
        + " bytes";
  }
}
