package corfu.sim.world;

import corfu.protocol.Endpoint;
import corfu.protocol.wire.FrameCodec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The network between processes, and its current faults. Connections behave like TCP's: frames on
 * one connection arrive in order and once. A connection may break or stall, and one of its ends may
 * forget it. Frames on an old connection may arrive after those on a newer one.
 */
public final class SimNetwork {

  private static final long NEAR_NANOS = 20_000;
  private static final long FAR_NANOS = 400_000;
  private static final int SPIKE = 40;

  /** The maximum delay, however many clogs there are. */
  private static final long SLOWEST_NANOS = 5_000_000_000L;

  private final Timeline timeline;
  private final Trace trace;
  private final SimRandom chance;
  private final Violations findings;
  private final long distanceNanos;
  private final Map<Endpoint, SimListener> listeners = new HashMap<>();
  private final Set<SimConnection> connections = new LinkedHashSet<>();
  private final Set<Cut> cuts = new LinkedHashSet<>();
  private final Set<Clog> clogs = new LinkedHashSet<>();
  private int lossPerMille;
  private int flipsPerMille;
  private int byteFlipsPerMille;
  private Predicate<String> upgraded = process -> false;

  public SimNetwork(Timeline timeline, Trace trace, SimRandom chance, Violations findings) {
    this.timeline = timeline;
    this.trace = trace;
    this.chance = chance;
    this.findings = findings;
    this.distanceNanos = chance.mostlyNear(NEAR_NANOS, FAR_NANOS);
  }

  /** No message from the first set of processes reaches the second. */
  public record Cut(Set<String> from, Set<String> to) {}

  /** All messages from and to this process take this many times as long. */
  public record Clog(String process, int factor) {}

  /** Processes for which the test is true have the newest protocol version from now on. */
  public void upgrade(Predicate<String> process) {
    upgraded = upgraded.or(process);
  }

  /**
   * Returns a client's newest protocol version. Some clients have the version before, as during an
   * upgrade.
   */
  public int newestVersionOf(String client) {
    boolean isOld =
        !upgraded.test(client) && Math.floorMod(31 * distanceNanos + client.hashCode(), 4) == 0;
    return isOld ? FrameCodec.NEWEST_VERSION - 1 : FrameCodec.NEWEST_VERSION;
  }

  public Timeline timeline() {
    return timeline;
  }

  public Trace trace() {
    return trace;
  }

  public Violations findings() {
    return findings;
  }

  public void cut(Cut cut) {
    cuts.add(cut);
  }

  public void mend(Cut cut) {
    cuts.remove(cut);
  }

  public void clog(Clog clog) {
    clogs.add(clog);
  }

  public void unclog(Clog clog) {
    clogs.remove(clog);
  }

  /** Loses this many of 1,000 messages. */
  public void lose(int perMille) {
    lossPerMille = perMille;
  }

  /** Flips one bit of an entry in this many of 1,000 messages with entries. */
  public void flipBits(int perMille) {
    flipsPerMille = perMille;
  }

  /** Flips one bit anywhere in this many of 1,000 messages. */
  public void flipBytes(int perMille) {
    byteFlipsPerMille = perMille;
  }

  public boolean isCut(String from, String to) {
    for (Cut cut : cuts) {
      if (cut.from().contains(from) && cut.to().contains(to)) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether messages from and to this process are lost, changed, or take much longer. */
  public boolean isDisturbed(String process) {
    return lossPerMille > 0
        || flipsPerMille > 0
        || clogs.stream().anyMatch(clog -> clog.process().equals(process));
  }

  boolean losesThis() {
    return lossPerMille > 0 && chance.perMille(lossPerMille);
  }

  boolean flipsABit() {
    return flipsPerMille > 0 && chance.perMille(flipsPerMille);
  }

  boolean flipsAByte() {
    return byteFlipsPerMille > 0 && chance.perMille(byteFlipsPerMille);
  }

  /** Returns the delay of a message that is sent now. */
  long delayNanos(String from, String to) {
    long delay = distanceNanos + chance.mostlyNear(0, distanceNanos);
    if (chance.oneIn(200)) {
      delay *= chance.between(2, SPIKE);
    }
    for (Clog clog : clogs) {
      if (clog.process().equals(from) || clog.process().equals(to)) {
        delay = Math.min(delay * clog.factor(), SLOWEST_NANOS);
      }
    }
    return Math.min(delay, SLOWEST_NANOS);
  }

  /** Returns the time after which a lost packet is sent again. */
  long retransmissionNanos(int tries) {
    return chance.between(50_000_000L, 200_000_000L) << Math.min(tries, 3);
  }

  public void listen(SimListener listener) {
    listeners.put(listener.endpoint(), listener);
    listener.life().whenOver(() -> close(listener));
  }

  public Optional<SimListener> listener(Endpoint endpoint) {
    return Optional.ofNullable(listeners.get(endpoint));
  }

  /** Stops listening, and ends the server's connections. */
  public void close(SimListener listener) {
    if (listeners.remove(listener.endpoint(), listener)) {
      connectionsWhere(c -> c.isWith(listener)).forEach(SimConnection::serverGone);
    }
  }

  public SimConnection connect(SimPeer client) {
    SimConnection fresh = new SimConnection(this, chance.split(), client);
    connections.add(fresh);
    return fresh;
  }

  public void forget(SimConnection over) {
    connections.remove(over);
  }

  /** Breaks all connections between these two processes. */
  public void reset(String one, String other) {
    connectionsWhere(c -> c.isBetween(one, other)).forEach(SimConnection::reset);
  }

  /** Makes a device between these two processes silently forget their connections. */
  public void forget(String one, String other) {
    connectionsWhere(c -> c.isBetween(one, other)).forEach(SimConnection::forgotten);
  }

  /** Returns the processes with connections to this one. */
  public List<String> neighbours(String process) {
    return connections.stream()
        .map(c -> c.neighbourOf(process))
        .flatMap(Optional::stream)
        .distinct()
        .toList();
  }

  void clientGone(ProcessLife client) {
    connectionsWhere(c -> c.isOf(client)).forEach(SimConnection::clientGone);
  }

  private List<SimConnection> connectionsWhere(Predicate<SimConnection> which) {
    return new ArrayList<>(connections.stream().filter(which).toList());
  }
}
