package corfu.sim;

import corfu.node.ClusterConfig;
import corfu.node.RoleKind;
import corfu.node.ServerConfig;
import corfu.node.Supervision;
import corfu.protocol.ClusterId;
import corfu.protocol.Endpoint;
import corfu.protocol.Limits;
import corfu.protocol.layout.Layout;
import corfu.roles.logunit.LogUnitOptions;
import corfu.roles.logunit.UnitMode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;

/**
 * What kind of cluster a seed has: every server is a log unit, the first ones are layout servers,
 * and the last one is the sequencer, alone or beside its unit.
 *
 * @param config what its servers are told
 * @param clockDriftPerMille by how much the clocks of processes may differ from true time
 */
record Arrangement(
    List<Endpoint> units,
    List<Endpoint> layoutServers,
    Endpoint sequencer,
    Layout layout,
    ClusterConfig config,
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
        units,
        layoutServers,
        sequencer,
        layout,
        config(layout, options, Supervision.DEFAULT),
        options,
        1 + chance.below(4),
        drift);
  }

  /** What the servers of this layout are told. */
  static ClusterConfig config(Layout layout, LogUnitOptions options, Supervision supervision) {
    List<ServerConfig> servers = new ArrayList<>();
    for (Endpoint server : layout.servers()) {
      Set<RoleKind> roles = EnumSet.noneOf(RoleKind.class);
      if (layout.sequencers().contains(server)) {
        roles.add(RoleKind.SEQUENCER);
      }
      if (layout.layoutServers().contains(server)) {
        roles.add(RoleKind.LAYOUT_SERVER);
      }
      if (layout.units().stream().anyMatch(unit -> unit.endpoint().equals(server))) {
        roles.add(RoleKind.LOG_UNIT);
      }
      servers.add(
          new ServerConfig(
              server.host(),
              server,
              Path.of(server.host()),
              roles,
              layout.spares().contains(server)));
    }
    return new ClusterConfig(
        layout.wanted().replicas(),
        servers,
        options.mode(),
        options.capacityBytes(),
        options.segmentBytes(),
        options.limits(),
        supervision);
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
