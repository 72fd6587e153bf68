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
 * from one that never had more: how far each had come, in each life of it that was heard of lately.
 * Not thread-safe.
 */
final class Witness {

  /** How many lives of units are remembered: those heard of last. */
  static final int MAX_LIVES = 4096;

  /** Who has been silent for longest comes first. */
  private final Map<Life, Progress> lives = new LinkedHashMap<>();

  private boolean hasNews;

  private record Life(Endpoint server, Incarnation unit) {}

  Witness(List<Remember> known) {
    known.forEach(this::remember);
    hasNews = false;
  }

  /** Remembers it; the answer is what was known before. */
  LayoutReply.Remembered remember(Remember told) {
    Life life = new Life(told.server(), told.unit());
    Optional<Progress> known = Optional.ofNullable(lives.remove(life));
    Progress now = known.map(before -> before.and(told.progress())).orElse(told.progress());
    hasNews |= known.filter(now::equals).isEmpty();
    lives.put(life, now);
    if (lives.size() > MAX_LIVES) {
      lives.remove(lives.keySet().iterator().next());
    }
    return new LayoutReply.Remembered(known);
  }

  boolean hasNews() {
    return hasNews;
  }

  /** All of it, as it would have to be told; no news any more. */
  List<Remember> takeAll() {
    hasNews = false;
    return lives.entrySet().stream()
        .map(each -> new Remember(each.getKey().server(), each.getKey().unit(), each.getValue()))
        .toList();
  }
}
