package corfu.runtime;

import corfu.protocol.Endpoint;
import corfu.protocol.Incarnation;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.Health;
import corfu.protocol.message.LayoutReply;
import corfu.protocol.message.LayoutReply.Observation;
import corfu.protocol.message.LayoutRequest;
import corfu.protocol.message.Reply;
import corfu.runtime.Outlook.Verdict;
import corfu.transport.Transport;
import corfu.transport.TransportException;
import corfu.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.ToLongFunction;

/**
 * Asks the layout servers who lives, and puts together what they say: one of them may be cut off
 * from a server that serves everybody else, so it takes a majority to suspect, and to trust.
 * Thread-safe.
 */
public final class Observers {

  /** A spare that has lived for so long may be used; an agent that remembers more asks for more. */
  public static final Duration FRESH_TRUST = Duration.ofSeconds(1);

  /** An observer that has started, and not heard of a server yet, waits for so long. */
  private static final Duration START_GRACE = Duration.ofSeconds(10);

  private final World world;
  private final Servers servers;
  private final Duration suspicion;
  private final Duration timeout;

  /**
   * @param suspicion who has been silent for longer is under suspicion
   * @param timeout how long a layout server may take to answer
   */
  public Observers(World world, Transport transport, Duration suspicion, Duration timeout) {
    this.world = world;
    this.servers = new Servers(transport, timeout);
    this.suspicion = suspicion;
    this.timeout = timeout;
  }

  /** What the layout servers of this layout know of its servers. */
  public Outlook ask(Layout layout) {
    Deadline deadline = Deadline.in(world, timeout);
    List<CompletableFuture<Reply>> sent = new ArrayList<>();
    for (Endpoint observer : layout.layoutServers()) {
      sent.add(servers.send(observer, new LayoutRequest.Observe(), deadline));
    }
    Map<Endpoint, List<Observation>> answers = new LinkedHashMap<>();
    for (int i = 0; i < sent.size(); i++) {
      Endpoint observer = layout.layoutServers().get(i);
      try {
        var seen = Servers.await(observer, sent.get(i), LayoutReply.Observations.class);
        if (!seen.observations().isEmpty()) { // one that knows no layout has nobody to observe
          answers.put(observer, seen.observations());
        }
      } catch (SetbackException | TransportException silent) {
        // An observer that does not answer is one that does not say anything.
      }
    }
    return combine(layout, answers, suspicion);
  }

  static Outlook combine(
      Layout layout, Map<Endpoint, List<Observation>> answers, Duration suspicion) {
    int majority = layout.layoutServers().size() / 2 + 1;
    Map<Endpoint, Verdict> verdicts = new LinkedHashMap<>();
    Map<Endpoint, Incarnation> lives = new LinkedHashMap<>();
    for (Endpoint server : layout.servers()) {
      List<Observation> seen =
          answers.values().stream()
              .flatMap(List::stream)
              .filter(observation -> observation.server().equals(server))
              .toList();
      Health health = newestOf(seen);
      boolean isSilent = isSilent(seen, majority, suspicion.toMillis());
      boolean isUseless = isBroken(health) || hasLostItsUnit(layout, server, health);
      long silent = byMajority(seen, majority, Observation::silentMillis);
      long steady = byMajority(seen, majority, Observation::steadyMillis);
      verdicts.put(server, new Verdict(isSilent || isUseless, silent, steady, health));
      if (!isSilent && layout.layoutServers().contains(server) && health.acceptor().isKnown()) {
        lives.put(server, health.acceptor());
      }
    }
    Optional<Endpoint> first =
        layout.layoutServers().stream().filter(answers::containsKey).findFirst();
    Outlook outlook =
        new Outlook(layout, answers.size() >= majority, verdicts, Set.of(), lives, first);
    Set<Endpoint> usable = new LinkedHashSet<>(outlook.livingSpares());
    usable.removeIf(spare -> outlook.of(spare).steadyMillis() < FRESH_TRUST.toMillis());
    return outlook.withUsableSpares(usable);
  }

  /** When a whole cluster starts, some servers are slower than others. */
  private static boolean isSilent(Observation observation, long suspicionMillis) {
    boolean wasHeard = !observation.health().equals(Health.UNKNOWN);
    return observation.silentMillis() > (wasHeard ? suspicionMillis : START_GRACE.toMillis());
  }

  private static boolean isSilent(List<Observation> seen, int majority, long suspicionMillis) {
    return seen.stream().filter(one -> isSilent(one, suspicionMillis)).count() >= majority;
  }

  private static Health newestOf(List<Observation> seen) {
    return seen.stream()
        .min(Comparator.comparingLong(Observation::silentMillis))
        .map(Observation::health)
        .orElse(Health.UNKNOWN);
  }

  private static boolean isBroken(Health health) {
    return health.logUnit() == Health.State.BROKEN || health.sequencer() == Health.State.BROKEN;
  }

  private static boolean hasLostItsUnit(Layout layout, Endpoint server, Health health) {
    Incarnation named = layout.incarnationOf(server);
    return named.isKnown() && health.unit().isKnown() && !named.equals(health.unit());
  }

  /** What a majority of the layout servers has seen at least; 0 if too few have told. */
  private static long byMajority(
      List<Observation> seen, int majority, ToLongFunction<Observation> millis) {
    return seen.size() < majority
        ? 0
        : seen.stream()
            .map(millis::applyAsLong)
            .sorted(Comparator.reverseOrder())
            .toList()
            .get(majority - 1);
  }
}
