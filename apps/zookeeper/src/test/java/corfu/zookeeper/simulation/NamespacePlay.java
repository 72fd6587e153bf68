package corfu.zookeeper.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;

import corfu.runtime.CorfuException;
import corfu.sim.application.Application;
import corfu.sim.application.ApplicationClient;
import corfu.sim.application.ApplicationContext;
import corfu.sim.application.ApplicationRun;
import corfu.smr.CommandOutcomeUnknownException;
import corfu.smr.Follow;
import corfu.smr.HistoryForgottenException;
import corfu.smr.StateMachineReplica;
import corfu.zookeeper.ZooKeeperOptions;
import corfu.zookeeper.ZooKeeperService;
import corfu.zookeeper.machine.NamespaceMachine;
import corfu.zookeeper.server.Heartbeat;
import corfu.zookeeper.server.ObservedMachine;
import corfu.zookeeper.server.TranslationServer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.MultiOperationRecord;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.proto.CreateRequest;
import org.apache.zookeeper.proto.DeleteRequest;
import org.apache.zookeeper.proto.ExistsRequest;
import org.apache.zookeeper.proto.GetChildren2Request;
import org.apache.zookeeper.proto.GetDataRequest;
import org.apache.zookeeper.proto.SetDataRequest;
import org.apache.zookeeper.proto.SyncRequest;

/**
 * Each process runs a translation server. Its threads lend themselves to clients of ZooKeeper,
 * which move from server to server with their sessions.
 */
final class NamespacePlay implements ApplicationRun {

  static final Application APPLICATION = stage -> new NamespacePlay(stage, false, PlantedBug.NONE);

  /** For runs without faults. */
  static final Application CALM = stage -> new NamespacePlay(stage, true, PlantedBug.NONE);

  /** Returns an application for runs without faults, with a bug of the servers. */
  static Application with(PlantedBug bug) {
    return stage -> new NamespacePlay(stage, true, bug);
  }

  private static final String NAMESPACE = "simulated";
  private static final int TICK_MILLIS = 1000;
  private static final int CLIENTS = 4;
  private static final List<String> PARENTS = List.of("/a", "/b");
  private static final List<String> CHILDREN =
      List.of("/x", "/y", "/s-0000000000", "/s-0000000001");
  private static final Duration STEP = Duration.ofMillis(20);
  private static final int STEPS_TO_CONNECT = 150;

  private final ApplicationContext stage;
  private final NamespaceHistory history;
  private final List<SimulatedClient> clients = new ArrayList<>();
  private int connections;

  private NamespacePlay(ApplicationContext stage, boolean isCalm, PlantedBug bug) {
    this.stage = stage;
    this.history = new NamespaceHistory(stage, isCalm, bug);
    for (int i = 1; i <= CLIENTS; i++) {
      clients.add(new SimulatedClient("client " + i, stage, history, bug));
    }
  }

  @Override
  public Consumer<ApplicationClient> enter(ApplicationClient process) {
    RandomGenerator chance = process.chance();
    boolean isLinearizable = chance.nextInt(4) == 0;
    Duration every = Duration.ofMillis(1 + chance.nextInt(200));
    ZooKeeperOptions options =
        ZooKeeperOptions.DEFAULT
            .withNamespace(NAMESPACE)
            .withTimes(TICK_MILLIS, -1, -1)
            .withLinearizableReads(isLinearizable)
            .withReplica(
                ZooKeeperOptions.DEFAULT
                    .replica()
                    .withFollow(chance.nextBoolean() ? Follow.poll(every) : Follow.push(every))
                    .withCheckpointEvery(20 + chance.nextInt(100)));
    TranslationServer server = new TranslationServer(process.world(), options);
    ObservedMachine.Observer observer = history.observer(process.name(), process.world());
    StateMachineReplica<NamespaceMachine> replica =
        StateMachineReplica.open(
            process.corfu(),
            ZooKeeperService.nameOf(NAMESPACE),
            () -> new ObservedMachine(server, observer),
            options.replica());
    server.open(replica);
    Heartbeat heartbeat = server.heartbeat(process.name().replace(' ', '-') + ":2181");
    heartbeat.start();
    AtomicInteger drivers = new AtomicInteger();
    return seat -> {
      drivers.incrementAndGet();
      new Driver(seat, server, replica, heartbeat, isLinearizable).run();
      if (drivers.decrementAndGet() == 0) {
        // The final audit expects that nobody appends any more.
        heartbeat.close();
        replica.close();
        stage.count("server closed");
      }
    };
  }

  /** A thread that lends itself to one client after the other. */
  private final class Driver {

    private final ApplicationClient seat;
    private final RandomGenerator chance;
    private final TranslationServer server;
    private final StateMachineReplica<NamespaceMachine> replica;
    private final Heartbeat heartbeat;
    private final boolean isLinearizable;

    Driver(
        ApplicationClient seat,
        TranslationServer server,
        StateMachineReplica<NamespaceMachine> replica,
        Heartbeat heartbeat,
        boolean isLinearizable) {
      this.seat = seat;
      this.chance = seat.chance();
      this.server = server;
      this.replica = replica;
      this.heartbeat = heartbeat;
      this.isLinearizable = isLinearizable;
    }

    void run() {
      while (!isOver()) {
        try {
          SimulatedClient client = clients.get(chance.nextInt(CLIENTS));
          if (heartbeat.serving().isDone()
              && (!client.isInUse(seat.world().wallTimeMillis()) || chance.nextInt(20) == 0)) {
            drive(client);
          }
          if (chance.nextInt(30) == 0) {
            keepHouse();
          }
        } catch (CorfuException
            | CommandOutcomeUnknownException
            | HistoryForgottenException failed) {
          stage.count("call, failed");
        } catch (RuntimeException | IOException failure) {
          stage.unexpected(seat.name(), failure);
        }
        pause(300);
      }
    }

    private boolean isOver() {
      return seat.isOver().getAsBoolean();
    }

    private void pause(int mostMillis) {
      seat.world().pause(Duration.ofMillis(1 + chance.nextInt(mostMillis)));
    }

    private void keepHouse() {
      var address = replica.checkpoint();
      stage.count("checkpoint");
      if (chance.nextBoolean()) {
        var unused = replica.forget(address);
        stage.count("forget");
      }
    }

    private void drive(SimulatedClient client) throws IOException {
      int timeout = TICK_MILLIS * (2 + chance.nextInt(5));
      SimulatedConnection connection = client.connect(server, seat.world(), timeout, ++connections);
      for (int i = 0; i < STEPS_TO_CONNECT && !client.isServedBy(connection); i++) {
        if (!connection.isOpen() || !client.isCurrent(connection)) {
          stage.count("connection, refused");
          return;
        }
        seat.world().pause(STEP);
      }
      for (int i = chance.nextInt(15); i > 0 && client.isServedBy(connection); i--) {
        if (isOver()) {
          return;
        }
        for (int j = chance.nextInt(6); j > 0 && client.isServedBy(connection); j--) {
          send(client, connection);
        }
        pause(chance.nextInt(3) == 0 ? 600 : 50);
        if (client.isServedBy(connection)) {
          client.ping(connection);
        }
      }
      leave(client, connection);
    }

    private void leave(SimulatedClient client, SimulatedConnection connection) {
      switch (chance.nextInt(5)) {
        case 0 -> {
          if (client.isServedBy(connection)) {
            client.send(connection, OpCode.closeSession, null, false);
          }
        }
        case 1 -> connection.close(SimulatedConnection.DisconnectReason.CONNECTION_CLOSE_FORCED);
        case 2 -> {
          long session = connection.getSessionId();
          pause(2 * TICK_MILLIS * 4);
          if (connection.isOpen()) {
            connection.request(
                SimulatedClient.LATE_XID, OpCode.exists, new ExistsRequest("/a", false));
            if (connection.isOpen()) {
              history.heard(session, seat.world().wallTimeMillis(), connection.timeoutMillis());
            }
            stage.count("late request");
          }
        }
        default -> {} // in mid-request, or silent
      }
    }

    private String path() {
      String parent = PARENTS.get(chance.nextInt(PARENTS.size()));
      return chance.nextInt(3) == 0
          ? parent
          : parent + CHILDREN.get(chance.nextInt(CHILDREN.size()));
    }

    private byte[] value() {
      return Long.toString(stage.newValue()).getBytes(UTF_8);
    }

    private int version() {
      return chance.nextBoolean() ? -1 : chance.nextInt(4);
    }

    private void send(SimulatedClient client, SimulatedConnection over) {
      if (PARENTS.stream().anyMatch(one -> history.node(one, history.lastZxid()).isEmpty())) {
        PARENTS.forEach(one -> client.send(over, OpCode.create2, create(one), false));
      }
      boolean isWatching = chance.nextInt(3) == 0;
      switch (chance.nextInt(12)) {
        case 0, 1, 2 -> client.send(over, OpCode.create2, create(), false);
        case 3, 4 -> client.send(over, OpCode.delete, new DeleteRequest(path(), version()), false);
        case 5, 6 ->
            client.send(
                over, OpCode.setData, new SetDataRequest(path(), value(), version()), false);
        case 7 -> client.send(over, OpCode.multi, multi(), false);
        case 8 ->
            client.send(
                over, OpCode.getData, new GetDataRequest(path(), isWatching), isLinearizable);
        case 9 ->
            client.send(over, OpCode.exists, new ExistsRequest(path(), isWatching), isLinearizable);
        case 10 ->
            client.send(
                over,
                OpCode.getChildren2,
                new GetChildren2Request(path(), isWatching),
                isLinearizable);
        default -> client.send(over, OpCode.sync, new SyncRequest("/"), true);
      }
    }

    private CreateRequest create() {
      CreateMode mode =
          switch (chance.nextInt(5)) {
            case 0, 1 -> CreateMode.EPHEMERAL;
            case 2 -> CreateMode.EPHEMERAL_SEQUENTIAL;
            case 3 -> CreateMode.PERSISTENT_SEQUENTIAL;
            default -> CreateMode.PERSISTENT;
          };
      String parent = PARENTS.get(chance.nextInt(PARENTS.size()));
      if (mode.isSequential()) {
        return new CreateRequest(parent + "/s-", value(), Ids.OPEN_ACL_UNSAFE, mode.toFlag());
      }
      String path = parent + CHILDREN.get(chance.nextInt(CHILDREN.size()));
      return new CreateRequest(path, value(), Ids.OPEN_ACL_UNSAFE, mode.toFlag());
    }

    private CreateRequest create(String parent) {
      return new CreateRequest(
          parent, value(), Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT.toFlag());
    }

    private MultiOperationRecord multi() {
      return new MultiOperationRecord(
          List.of(
              Op.check(path(), version()), Op.setData(path(), value(), -1), Op.delete(path(), -1)));
    }
  }

  @Override
  public void audit(ApplicationClient auditor) {
    ObservedMachine.Observer observer = history.observer(auditor.name(), auditor.world());
    try (var replica =
        StateMachineReplica.open(
            auditor.corfu(),
            ZooKeeperService.nameOf(NAMESPACE),
            () -> new ObservedMachine(observer),
            ZooKeeperOptions.DEFAULT.replica())) {
      history.compareLast(auditor.name(), replica.read(machine -> machine));
      stage.count("namespace at last");
    }
  }

  @Override
  public void check() {
    if (!history.isComplete()) {
      stage.broken("Zxid", "a client has seen a zxid that no command has");
    }
    clients.forEach(SimulatedClient::checkOrder);
  }
}
