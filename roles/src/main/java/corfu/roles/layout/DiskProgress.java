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
 * A layout server's memory of log units' disks. It stores the progress of each recent life of each
 * unit, so that a disk that was set back differs from one that never had more. Not thread-safe.
 */
final class DiskProgress {

  /** The largest number of remembered lives of units: the latest ones. */
  static final int MAX_LIVES = 4096;

  /** The progress by life; the life that has been silent longest comes first. */
  private final Map<Life, Progress> lives = new LinkedHashMap<>();

  private boolean hasNews;

  private record Life(Endpoint server, Incarnation unit) {}

  DiskProgress(List<Remember> known) {
    known.forEach(this::remember);
    hasNews = false;
  }

  /** Stores the progress. The reply contains the progress stored before. */
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

  /** Returns all stored progress as requests, and clears the mark of unsaved changes. */
  List<Remember> takeAll() {
    hasNews = false;
    return lives.entrySet().stream()
        .map(each -> new Remember(each.getKey().server(), each.getKey().unit(), each.getValue()))
        .toList();
  }
}
