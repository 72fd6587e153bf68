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
 * The wires between processes, and what is wrong with them now. Connections behave as TCP's do:
 * what arrives on one arrives in order and once; but one may break, stall, or have been forgotten
 * by one of its ends, and what was sent on an old one may arrive after what was sent on a newer
 * one.
 */
public final class SimNetwork {

  private static final long NEAR_NANOS = 20_000;
  private static final long FAR_NANOS = 400_000;
  private static final int SPIKE = 40;

  /** However many clogs there are. */
  private static final long SLOWEST_NANOS = 5_000_000_000L;

  private final Timeline timeline;
  private final Trace trace;
  private final Chance chance;
  private final Findings findings;
  private final long distanceNanos;
  private final Map<Endpoint, SimListener> listeners = new HashMap<>();
  private final Set<SimConnection> connections = new LinkedHashSet<>();
  private final Set<Cut> cuts = new LinkedHashSet<>();
  private final Set<Clog> clogs = new LinkedHashSet<>();
  private int lossPerMille;
  private int flipsPerMille;
  private int byteFlipsPerMille;

  public SimNetwork(Timeline timeline, Trace trace, Chance chance, Findings findings) {
    this.timeline = timeline;
    this.trace = trace;
    this.chance = chance;
    this.findings = findings;
    this.distanceNanos = chance.mostlyNear(NEAR_NANOS, FAR_NANOS);
  }

  /** Nothing gets from one of these processes to one of those. */
  public record Cut(Set<String> from, Set<String> to) {}

  /** Everything from and to this process takes so many times as long. */
  public record Clog(String process, int factor) {}

  /** Some clients are of the version before, as in an upgrade. */
  public int newestVersionOf(String client) {
    boolean isOld = Math.floorMod(31 * distanceNanos + client.hashCode(), 4) == 0;
    return isOld ? FrameCodec.NEWEST_VERSION - 1 : FrameCodec.NEWEST_VERSION;
  }

  public Timeline timeline() {
    return timeline;
  }

  public Trace trace() {
    return trace;
  }

  public Findings findings() {
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

  /** Of a thousand messages, so many vanish. */
  public void lose(int perMille) {
    lossPerMille = perMille;
  }

  /** Of a thousand messages with entries, so many arrive with one bit that is another. */
  public void flipBits(int perMille) {
    flipsPerMille = perMille;
  }

  /** Of a thousand messages, so many arrive with one byte that is another, wherever it is. */
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

  /** Whether messages from and to this process vanish, are changed, or take much longer. */
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

  /** How long something takes that leaves now. */
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

  /** After this long what did not get through is sent again. */
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

  /** The server listens no more; its connections end. */
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

  /** Breaks connections between these two, if they have any. */
  public void reset(String one, String other) {
    connectionsWhere(c -> c.isBetween(one, other)).forEach(SimConnection::reset);
  }

  /** Something between these two forgets their connections, and tells neither. */
  public void forget(String one, String other) {
    connectionsWhere(c -> c.isBetween(one, other)).forEach(SimConnection::forgotten);
  }

  /** The processes that have connections to this one. */
  public List<String> neighbours(String process) {
    return connections.stream()
        .map(c -> c.neighbourOf(process))
        .flatMap(Optional::stream)
        .distinct()
        .toList();
  }

  void clientGone(Life client) {
    connectionsWhere(c -> c.isOf(client)).forEach(SimConnection::clientGone);
  }

  private List<SimConnection> connectionsWhere(Predicate<SimConnection> which) {
    return new ArrayList<>(connections.stream().filter(which).toList());
  }
}
