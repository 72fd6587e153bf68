package corfu.zookeeper.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;

import corfu.protocol.Address;
import corfu.sim.application.ApplicationContext;
import corfu.smr.Command;
import corfu.world.World;
import corfu.zookeeper.command.CommandCodec;
import corfu.zookeeper.command.NamespaceCommand;
import corfu.zookeeper.command.NamespaceCommand.ClientRequest;
import corfu.zookeeper.command.NamespaceCommand.ExpireSession;
import corfu.zookeeper.machine.NamespaceMachine;
import corfu.zookeeper.machine.SessionState;
import corfu.zookeeper.server.ObservedMachine;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.server.DataNode;
import org.apache.zookeeper.server.DataTree;

/**
 * The state of a namespace after each command, as the first server that applied the command had it.
 * All others must have the same. Used by the simulation's one thread.
 */
final class NamespaceHistory {

  /** The place of a command in the log. */
  private record Place(Address address, int index) implements Comparable<Place> {
    private static final Comparator<Place> ORDER =
        Comparator.comparing(Place::address).thenComparingInt(Place::index);

    @Override
    public int compareTo(Place other) {
      return ORDER.compare(this, other);
    }
  }

  /** The digest of a machine after a command. */
  private record Digest(long zxid, long tree, String sessions) {}

  /** The end of a session: when the first server saw it, and whether other servers decided it. */
  record SessionEnd(long millis, long zxid, boolean isExpiry) {}

  private final ApplicationContext stage;
  private final Map<Place, Digest> digests = new TreeMap<>();
  private final NavigableMap<Long, Map<String, NodeState>> states = new TreeMap<>();
  private final Map<Long, Long> trees = new HashMap<>(); // digests of trees, by zxids
  private final Map<Long, ClientRequest> requests = new HashMap<>(); // by zxids
  private final Map<Long, List<ClientRequest>> applied = new TreeMap<>(); // by sessions
  private final Map<Long, SessionEnd> ends = new TreeMap<>();
  private Optional<Place> last = Optional.empty();
  private Map<Long, SessionState> sessions = Map.of();
  private final boolean isCalm;
  private final PlantedBug bug;
  private final Map<Long, Heard> heard = new HashMap<>(); // by sessions
  private final Deque<Deferred> deferred = new ArrayDeque<>();
  private long lastZxid;
  private long lastAcknowledged;

  /** The last time at which a server received something of a session. */
  private record Heard(long millis, int timeoutMillis) {}

  /** A check that waits for the state of a zxid. */
  private record Deferred(long zxid, Runnable check) {}

  /**
   * Creates the history of a run.
   *
   * @param isCalm whether the run has no faults, so that no session expires before its timeout
   * @param bug the wrong behaviour of the servers
   */
  NamespaceHistory(ApplicationContext stage, boolean isCalm, PlantedBug bug) {
    this.stage = stage;
    this.bug = bug;
    this.isCalm = isCalm;
    states.put(0L, Map.of());
  }

  /** Returns an observer of the machines of a process. */
  ObservedMachine.Observer observer(String process, World world) {
    return new ObservedMachine.Observer() {
      @Override
      public void applying(NamespaceMachine machine) {
        bug.beforeApply(process, machine);
      }

      @Override
      public void applied(NamespaceMachine machine, Command command) {
        record(process, machine, command, world.wallTimeMillis());
      }

      @Override
      public void loaded(NamespaceMachine machine) {
        compareTree(process + " loaded a checkpoint", machine.zxid(), machine.digest());
      }
    };
  }

  private void record(String process, NamespaceMachine machine, Command command, long millis) {
    Place place = new Place(command.address(), command.index());
    Map<Long, SessionState> now = machine.sessions();
    Digest digest = new Digest(machine.zxid(), machine.digest(), textOf(now, machine));
    Digest before = digests.putIfAbsent(place, digest);
    if (before != null) {
      if (!before.equals(digest)) {
        stage.broken(
            "Replicas", "%s at %s has %s, others %s".formatted(process, place, digest, before));
      }
      return;
    }
    if (last.isPresent() && last.get().compareTo(place) > 0) {
      stage.broken("Replicas", "%s applied %s, which all others skipped".formatted(process, place));
      return;
    }
    last = Optional.of(place);
    first(machine, CommandCodec.decode(command.body()), now, millis);
  }

  private static String textOf(Map<Long, SessionState> sessions, NamespaceMachine machine) {
    StringBuilder text = new StringBuilder();
    sessions.forEach(
        (id, one) ->
            text.append(id)
                .append(' ')
                .append(one.timeoutMillis())
                .append(' ')
                .append(one.server())
                .append(' ')
                .append(one.attachment())
                .append(' ')
                .append(one.lastVouch())
                .append(';'));
    return text.append(machine.servers()).toString();
  }

  /** Compares the state of a server that has applied everything. */
  void compareLast(String process, NamespaceMachine machine) {
    if (machine.zxid() != lastZxid) {
      stage.broken("Zxid", "%s ends at %d, not %d".formatted(process, machine.zxid(), lastZxid));
    }
    compareTree(process, machine.zxid(), machine.digest());
  }

  private void compareTree(String what, long zxid, long digest) {
    Long before = trees.get(zxid);
    if (before != null && before != digest) {
      stage.broken("Replicas", "%s: another tree at zxid %d".formatted(what, zxid));
    }
  }

  /** The first server has applied a command. */
  private void first(
      NamespaceMachine machine,
      NamespaceCommand command,
      Map<Long, SessionState> sessionsNow,
      long millis) {
    long zxid = machine.zxid();
    stage.count(command.getClass().getSimpleName());
    if (zxid != lastZxid) {
      if (zxid != lastZxid + 1) {
        stage.broken("Zxid", "%d follows %d".formatted(zxid, lastZxid));
      }
      states.put(zxid, nodesOf(machine.database().getDataTree()));
      trees.put(zxid, machine.digest());
      if (command instanceof ClientRequest request) {
        requests.put(zxid, request);
        applied.computeIfAbsent(request.session(), none -> new ArrayList<>()).add(request);
      }
    }
    noteEnds(command, sessionsNow, zxid, millis);
    sessions = sessionsNow;
    checkEphemerals(command, zxid);
    lastZxid = zxid;
    runDeferred();
  }

  private void runDeferred() {
    while (!deferred.isEmpty() && deferred.getFirst().zxid() <= lastZxid) {
      deferred.removeFirst().check().run();
    }
  }

  private void noteEnds(
      NamespaceCommand command, Map<Long, SessionState> now, long zxid, long millis) {
    for (Long session : sessions.keySet()) {
      if (!now.containsKey(session)) {
        boolean isExpiry = command instanceof ExpireSession;
        ends.put(session, new SessionEnd(millis, zxid, isExpiry));
        stage.count(isExpiry ? "session expired" : "session closed");
        Heard last = heard.get(session);
        if (isCalm
            && isExpiry
            && last != null
            && millis - last.millis() < 0.9 * last.timeoutMillis()) {
          stage.broken(
              "Sessions",
              "0x%x expired %d ms after its client was heard from"
                  .formatted(session, millis - last.millis()));
        }
      }
    }
  }

  private void checkEphemerals(NamespaceCommand command, long zxid) {
    Map<String, NodeState> now = at(zxid);
    now.forEach(
        (path, node) -> {
          if (node.owner() != 0 && !sessions.containsKey(node.owner())) {
            stage.broken(
                "Ephemerals",
                "%s outlives its session 0x%x, after %s".formatted(path, node.owner(), command));
          }
        });
    if (zxid == lastZxid) {
      return;
    }
    at(lastZxid)
        .forEach(
            (path, node) -> {
              if (node.owner() != 0
                  && sessions.containsKey(node.owner())
                  && !now.containsKey(path)
                  && !(command instanceof ClientRequest request && isDelete(request.type()))) {
                stage.broken(
                    "Ephemerals", "%s vanished before its session, by %s".formatted(path, command));
              }
            });
  }

  private static boolean isDelete(int type) {
    return type == OpCode.delete || type == OpCode.multi;
  }

  private static Map<String, NodeState> nodesOf(DataTree tree) {
    Map<String, NodeState> nodes = new TreeMap<>();
    add(tree, "/", nodes);
    return nodes;
  }

  private static void add(DataTree tree, String path, Map<String, NodeState> nodes) {
    if (path.startsWith("/zookeeper")) {
      return;
    }
    DataNode node = tree.getNode(path);
    List<String> children = node.getChildren().stream().sorted().toList();
    byte[] data = node.getData();
    nodes.put(
        path,
        new NodeState(
            data == null ? "" : new String(data, UTF_8),
            node.stat.getVersion(),
            node.stat.getCversion(),
            node.stat.getCzxid(),
            node.stat.getMzxid(),
            node.stat.getPzxid(),
            node.stat.getEphemeralOwner(),
            children));
    children.forEach(child -> add(tree, (path.equals("/") ? "" : path) + "/" + child, nodes));
  }

  // --------------------------------------------------------------------------------- questions

  /** Runs a check when the state of a zxid is known, in the order of these calls. */
  void whenKnown(long zxid, Runnable check) {
    deferred.add(new Deferred(zxid, check));
    runDeferred();
  }

  /** Returns whether each check has run. */
  boolean isComplete() {
    return deferred.isEmpty();
  }

  /** A server has received something of a session. */
  void heard(long session, long millis, int timeoutMillis) {
    heard.put(session, new Heard(millis, timeoutMillis));
  }

  /** A client has the reply to a change. */
  void acknowledged(long zxid) {
    lastAcknowledged = Math.max(lastAcknowledged, zxid);
  }

  /** Returns the highest zxid of a change whose reply a client has. */
  long lastAcknowledged() {
    return lastAcknowledged;
  }

  long lastZxid() {
    return lastZxid;
  }

  /** Returns the nodes after a change, by their paths. */
  Map<String, NodeState> at(long zxid) {
    return states.getOrDefault(zxid, Map.of());
  }

  Optional<NodeState> node(String path, long zxid) {
    return Optional.ofNullable(at(zxid).get(path));
  }

  /** Returns the client's request that had this number, or empty if it was another command. */
  Optional<ClientRequest> request(long zxid) {
    return Optional.ofNullable(requests.get(zxid));
  }

  /** Returns the applied requests of a session, in the order of the log. */
  List<ClientRequest> applied(long session) {
    return applied.getOrDefault(session, List.of());
  }

  Optional<SessionEnd> end(long session) {
    return Optional.ofNullable(ends.get(session));
  }

  /** Returns the first change after a zxid that fires a watch, up to another zxid. */
  Optional<Long> firstChange(String path, WatchKind kind, long after, long upTo) {
    for (long zxid = after + 1; zxid <= upTo; zxid++) {
      if (kind.isFired(node(path, zxid - 1), node(path, zxid))) {
        return Optional.of(zxid);
      }
    }
    return Optional.empty();
  }
}
