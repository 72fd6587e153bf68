package corfu.roles.layout;

import corfu.protocol.Endpoint;
import corfu.protocol.Incarnation;
import corfu.protocol.message.LayoutReply;
import corfu.protocol.message.LayoutRequest.Remember;
import corfu.protocol.message.Progress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a layout server remembers of log units' disks, so that one that was set back can be told
 * from one that never had more: how far each had come, of the last life of it that was heard of.
 * Not thread-safe.
 */
final class Witness {

  /** How many units are remembered: those heard of last. */
  static final int MAX_UNITS = 4096;

  /** Who has been silent for longest comes first. */
  private final Map<Endpoint, Seen> units = new LinkedHashMap<>();

  private boolean hasNews;

  private record Seen(Incarnation unit, Progress progress) {}

  Witness(List<Remember> known) {
    known.forEach(this::remember);
    hasNews = false;
  }

  /** Remembers it; the answer is what was known before. */
  LayoutReply.Remembered remember(Remember told) {
    Optional<Progress> known =
        Optional.ofNullable(units.remove(told.server()))
            .filter(seen -> seen.unit().equals(told.unit()))
            .map(Seen::progress);
    Progress now = known.map(before -> before.and(told.progress())).orElse(told.progress());
    hasNews |= known.filter(now::equals).isEmpty();
    units.put(told.server(), new Seen(told.unit(), now));
    if (units.size() > MAX_UNITS) {
      units.remove(units.keySet().iterator().next());
    }
    return new LayoutReply.Remembered(known);
  }

  boolean hasNews() {
    return hasNews;
  }

  /** All of it, as it would have to be told; no news any more. */
  List<Remember> takeAll() {
    hasNews = false;
    return units.entrySet().stream()
        .map(
            unit -> new Remember(unit.getKey(), unit.getValue().unit(), unit.getValue().progress()))
        .toList();
  }
}
