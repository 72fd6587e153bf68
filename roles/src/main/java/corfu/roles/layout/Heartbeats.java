package corfu.roles.layout;

import corfu.protocol.Endpoint;
import corfu.protocol.message.Health;
import corfu.protocol.message.LayoutReply.Observation;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The servers from which a layout server has heard since its start, with the times. It remembers
 * all members of the newest layout and a bounded number of others. Not thread-safe.
 */
final class Heartbeats {

  /** The largest number of remembered servers that no layout names: the latest ones. */
  static final int MAX_STRANGERS = 256;

  /** The largest length of a server's own description in characters, which is for people. */
  static final int MAX_DETAIL = 1_000;

  private static final long NANOS_PER_MILLI = 1_000_000;

  private final LeaseTerms terms;
  private final long startNanos;

  /** The signs of life by server; the server that has been silent longest comes first. */
  private final Map<Endpoint, Sign> signs = new LinkedHashMap<>();

  /**
   * The last sign of life of a server.
   *
   * @param steadySince the time of the first sign in a series without a longer gap
   * @param last the time of the last sign
   * @param health the server's report
   */
  private record Sign(long steadySince, long last, Health health) {}

  /**
   * @param terms the rule for signs of life
   * @param startNanos the clock's reading at the start
   */
  Heartbeats(LeaseTerms terms, long startNanos) {
    this.terms = terms;
    this.startNanos = startNanos;
  }

  void heardOf(Endpoint server, Health health, Set<Endpoint> members, long nowNanos) {
    Optional<Sign> before = Optional.ofNullable(signs.remove(server));
    long steadySince =
        before
            .filter(sign -> nowNanos - sign.last() <= terms.gapNanos())
            .map(Sign::steadySince)
            .orElse(nowNanos);
    signs.put(server, new Sign(steadySince, nowNanos, shortened(health)));
    if (before.isEmpty()) {
      forgetStrangers(members);
    }
  }

  private void forgetStrangers(Set<Endpoint> members) {
    Set<Endpoint> strangers = new LinkedHashSet<>(signs.keySet());
    strangers.removeAll(members);
    strangers.stream()
        .limit(Math.max(0, strangers.size() - MAX_STRANGERS))
        .forEach(signs.keySet()::remove);
  }

  private static Health shortened(Health health) {
    return health.detail().length() <= MAX_DETAIL
        ? health
        : new Health(
            health.logUnit(),
            health.sequencer(),
            health.layoutServer(),
            health.unit(),
            health.acceptor(),
            health.detail().substring(0, MAX_DETAIL));
  }

  /** Returns observations of the members in their order, then of all other servers heard of. */
  List<Observation> observations(Set<Endpoint> members, long nowNanos) {
    Set<Endpoint> all = new LinkedHashSet<>(members);
    all.addAll(signs.keySet());
    return all.stream().map(server -> observation(server, nowNanos)).toList();
  }

  private Observation observation(Endpoint server, long nowNanos) {
    return Optional.ofNullable(signs.get(server))
        .map(
            sign -> {
              long silence = nowNanos - sign.last();
              long steadiness = silence <= terms.gapNanos() ? nowNanos - sign.steadySince() : 0;
              return new Observation(server, millis(silence), millis(steadiness), sign.health());
            })
        .orElseGet(() -> new Observation(server, millis(nowNanos - startNanos), 0, Health.UNKNOWN));
  }

  private static long millis(long nanos) {
    return nanos / NANOS_PER_MILLI;
  }
}
