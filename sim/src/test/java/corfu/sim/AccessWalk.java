package corfu.sim;

import static java.nio.charset.StandardCharsets.UTF_8;

import corfu.access.Grant;
import corfu.access.PolicyChange;
import corfu.access.PolicyCodec;
import corfu.access.PolicyCommand;
import corfu.access.StreamNames;
import corfu.access.Subject;
import corfu.access.Target;
import corfu.protocol.Address;
import corfu.protocol.AddressSet;
import corfu.protocol.Endpoint;
import corfu.protocol.Epoch;
import corfu.protocol.Identity;
import corfu.protocol.PayloadRange;
import corfu.protocol.Permission;
import corfu.protocol.StreamId;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.runtime.Corfu;
import corfu.runtime.CorfuException;
import corfu.runtime.CorfuOptions;
import corfu.runtime.access.AccessControl;
import corfu.runtime.stream.Streams;
import corfu.sim.cluster.SimServer;
import corfu.sim.world.SimListener;
import corfu.sim.world.SimNetwork.Cut;
import corfu.sim.world.SimRandom;
import corfu.sim.world.SimWorld;
import corfu.transport.Transport;
import corfu.transport.TransportException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * A random history of a cluster with permissions: rights come and go, servers die and return, units
 * are rebuilt, epochs change. Two tenants try to read and append everything all the while.
 */
final class AccessWalk {

  static final List<String> TENANTS = List.of("alice", "bob");
  private static final List<String> STREAMS = List.of("orders", "letters");
  private static final List<Permission> PERMISSIONS = List.of(Permission.READ, Permission.APPEND);
  private static final long REQUEST_NANOS = Duration.ofMillis(300).toNanos();
  private static final Duration TENANTS_PATIENCE = Duration.ofMillis(300);

  /** The numbers of kinds of steps. Only the last kinds are faults. */
  private static final int CALM = 5;

  private static final int WITH_DEATHS = 6;
  private static final int ALL = 9;

  /** Payloads of this size have blocks, which can be read alone. */
  private static final int LARGE = 20_000;

  /** No disturbance lasts longer than leases and looks for changes of the policy. */
  private static final int LONGEST_DISTURBANCE_MILLIS = 2_000;

  private static final int SLOWEST_DISK = 100;

  private final Scenario scenario;
  private final AccessWatch watch;
  private final SimRandom chance;
  private final List<AccessWatch.Right> granted = new ArrayList<>();
  private Optional<SimServer> down = Optional.empty();
  private boolean isDisturbed;
  private boolean isUncertain;
  private long tail;
  private int processes;

  AccessWalk(long seed, AccessWatch watch) {
    this.watch = watch;
    this.scenario = Scenario.withPermissions(seed, watch);
    this.chance = new SimRandom(seed);
    watch.use(scenario.simulator.timeline::nowNanos);
  }

  /** Takes some steps, or fewer if there is a leak. */
  void run(int steps) {
    run(steps, WITH_DEATHS);
  }

  /** The same with partitions, pauses, slow disks, losses of power, and trims of the log. */
  void runWithAllFaults(int steps) {
    run(steps, ALL);
  }

  /** Takes some steps in which no server dies. */
  void runWithoutFaults(int steps) {
    run(steps, CALM);
  }

  private void run(int steps, int kinds) {
    append();
    for (int step = 0; step < steps && watch.leaks().isEmpty(); step++) {
      switch (chance.below(kinds)) {
        case 0 -> append();
        case 1, 2 -> changeARight();
        case 3 -> scenario.pass(Duration.ofMillis(chance.between(10, 2_000)));
        case 4 -> changeTheEpoch();
        case 5 -> changeAServer();
        case 6, 7 -> disturbAServer();
        default -> trimTheLog();
      }
      TENANTS.forEach(this::triesEverything);
      if (kinds == ALL) {
        listens(chance.pick(TENANTS));
      }
    }
  }

  private void append() {
    String stream = chance.pick(STREAMS);
    byte[] payload = Arrays.copyOf("secret".getBytes(UTF_8), chance.oneIn(3) ? LARGE : 6);
    asAdministrator(corfu -> Streams.over(corfu).open(stream).append(payload).address().value())
        .ifPresent(
            address -> {
              watch.isAt(address, StreamId.named(stream));
              tail = address + 1;
            });
  }

  /** Returns the result, or empty if the call failed and its outcome is not known. */
  private <T> Optional<T> asAdministrator(Function<Corfu, T> body) {
    return scenario.runAs(
        "admin" + processes++,
        world -> {
          try {
            return Optional.of(body.apply(connect(world)));
          } catch (CorfuException disturbed) {
            return Optional.empty();
          }
        });
  }

  /**
   * Returns the grants in the log, as a process knows them that has just started; empty if the
   * outcome of a change is not known.
   */
  Optional<Set<Grant>> grants() {
    return isUncertain
        ? Optional.empty()
        : asAdministrator(
            corfu -> AccessControl.over(corfu, new Identity("sim/admin")).policy().grants());
  }

  /** Returns the grants that the administrator has given and not taken away. */
  Set<Grant> expectedGrants() {
    return granted.stream().map(AccessWalk::grantOf).collect(Collectors.toSet());
  }

  private void disturbAServer() {
    if (down.isPresent() || isDisturbed) {
      return;
    }
    SimServer server = chance.pick(scenario.cluster.servers());
    switch (chance.below(4)) {
      case 0 -> {
        Set<String> others =
            scenario.cluster.servers().stream()
                .map(SimServer::name)
                .filter(name -> !name.equals(server.name()))
                .collect(Collectors.toSet());
        Cut away = new Cut(Set.of(server.name()), others);
        Cut back = new Cut(others, Set.of(server.name()));
        scenario.simulator.network.cut(away);
        scenario.simulator.network.cut(back);
        isOverLater(
            () -> {
              scenario.simulator.network.mend(away);
              scenario.simulator.network.mend(back);
            });
      }
      case 1 ->
          server
              .life()
              .ifPresent(
                  life -> {
                    life.pause();
                    isOverLater(life::resume);
                  });
      case 2 -> {
        server.unitDisk().slowDown((int) chance.between(2, SLOWEST_DISK));
        isOverLater(() -> server.unitDisk().slowDown(1));
      }
      default -> {
        server.losePower();
        isOverLater(server::start);
      }
    }
  }

  private void isOverLater(Runnable end) {
    isDisturbed = true;
    Duration time = Duration.ofMillis(chance.between(10, LONGEST_DISTURBANCE_MILLIS));
    scenario.simulator.timeline.after(
        time.toNanos(),
        () -> {
          end.run();
          isDisturbed = false;
        });
  }

  /** Trims the log below an address, and so changes of the policy, too. */
  private void trimTheLog() {
    long below = chance.between(0, tail);
    var unused =
        asAdministrator(
            corfu -> {
              corfu.log().prefixTrim(new Address(below));
              return true;
            });
  }

  /** Starts a process that listens to all units for a while. */
  private void listens(String tenant) {
    Epoch epoch = scenario.newest().epoch();
    List<StreamId> streams = STREAMS.stream().map(StreamId::named).toList();
    var unused =
        scenario.begin(
            tenant + processes++,
            world -> {
              Transport way = scenario.transport(world);
              for (Endpoint server : scenario.newest().logUnits()) {
                for (StreamId stream : streams) {
                  ask(way, server, new LogUnitRequest.Follow(epoch, 7, List.of(stream), List.of()));
                }
                ask(way, server, new LogUnitRequest.Listen(epoch, 7, 1 << 20));
              }
              return true;
            });
  }

  private Corfu connect(SimWorld world) {
    return scenario.connect(world, scenario.transport(world));
  }

  private void changeARight() {
    AccessWatch.Right right =
        new AccessWatch.Right(
            chance.pick(TENANTS), chance.pick(PERMISSIONS), StreamId.named(chance.pick(STREAMS)));
    Grant grant = grantOf(right);
    if (granted.remove(right)) {
      if (change(new PolicyCommand.Revoke(grant))) {
        watch.isRevoked(right);
      }
    } else {
      watch.isBeingGiven(right);
      var unused = change(new PolicyCommand.Give(grant));
      granted.add(right);
    }
  }

  private static Grant grantOf(AccessWatch.Right right) {
    return new Grant(
        new Subject.Prefix(SimListener.IDENTITIES + right.tenant()),
        right.permission(),
        new Target.Id(right.stream()));
  }

  /** Returns whether the change has surely been made. */
  private boolean change(PolicyCommand command) {
    PolicyChange change = new PolicyChange(new Identity("sim/admin"), command);
    Optional<Long> address =
        asAdministrator(
            corfu ->
                Streams.over(corfu)
                    .open(StreamNames.POLICY)
                    .append(PolicyCodec.encode(change))
                    .address()
                    .value());
    address.ifPresent(at -> tail = at + 1);
    isUncertain |= address.isEmpty();
    return address.isPresent();
  }

  private void changeAServer() {
    if (down.isPresent()) {
      down.get().start();
      down = Optional.empty();
      scenario.pass(Duration.ofMillis(chance.between(1, 200)));
    } else {
      SimServer dying =
          chance.pick(scenario.cluster.servers().stream().filter(SimServer::isLogUnit).toList());
      dying.kill();
      down = Optional.of(dying);
    }
  }

  private void changeTheEpoch() {
    if (down.isEmpty()) {
      try {
        var unused = scenario.reconfigure(way -> way.renew(scenario.newest()));
      } catch (RuntimeException anAgentWasFaster) {
        scenario.pass(Duration.ofMillis(10));
      }
    }
  }

  private void triesEverything(String tenant) {
    Epoch epoch = scenario.newest().epoch();
    scenario.runAs(
        tenant + processes++,
        world -> {
          Transport way = scenario.transport(world);
          for (Endpoint server : scenario.arrangement.servers()) {
            ask(way, server, new LogUnitRequest.Read(epoch, all(), 1 << 20));
            ask(way, server, new LogUnitRequest.ReadBlocks(epoch, someRanges(), 1 << 20));
            ask(way, server, new LogUnitRequest.CopyRange(epoch, 0, tail, 1, 1 << 20));
            for (String stream : STREAMS) {
              StreamId id = StreamId.named(stream);
              ask(way, server, new LogUnitRequest.ReadStream(epoch, id, 0, 0, tail, 1 << 20));
            }
          }
          return true;
        });
    String stream = chance.pick(STREAMS);
    scenario.runAs(
        tenant + processes++,
        world -> {
          CorfuOptions options =
              CorfuOptions.of(scenario.arrangement.layoutServers())
                  .withOperationTimeout(TENANTS_PATIENCE);
          try {
            Corfu corfu = Corfu.connect(options, world, scenario.transport(world));
            var unused = Streams.over(corfu).open(stream).append("mine".getBytes(UTF_8));
          } catch (CorfuException refused) {
            return false;
          }
          return true;
        });
  }

  private List<PayloadRange> someRanges() {
    return LongStream.range(Math.max(0, tail - 20), tail)
        .mapToObj(address -> new PayloadRange(address, 0, 10))
        .toList();
  }

  private AddressSet all() {
    return new AddressSet.Strided(0, 1, (int) tail);
  }

  private static void ask(Transport way, Endpoint server, Request request) {
    try {
      Reply unused = way.peer(server).call(request, REQUEST_NANOS);
    } catch (TransportException down) {
      return; // the server is not there
    }
  }
}
