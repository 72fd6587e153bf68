package corfu.mirror;

import corfu.mirror.MirrorException.Reason;
import corfu.protocol.Address;
import corfu.protocol.StreamHeader;
import corfu.protocol.layout.Layout;
import corfu.protocol.layout.Origin;
import corfu.runtime.Corfu;
import corfu.runtime.LogEntry;
import corfu.runtime.reconfiguration.ClusterHealth;
import corfu.runtime.reconfiguration.Reconfiguration;
import java.util.List;
import java.util.Optional;

/**
 * Turns a new cluster into a mirror. Once the layout says so, clients cannot append. Entries that
 * exist then are older, or are copies of another run that began at the same time.
 */
final class MirrorStart {

  /**
   * The number of last entries that are compared: clients may have appended until the last moment.
   */
  private static final long LOOKED_AT = 64;

  private final Corfu source;
  private final Corfu target;
  private final Reconfiguration changes;

  MirrorStart(Corfu source, Corfu target, Reconfiguration changes) {
    this.source = source;
    this.target = target;
    this.changes = changes;
  }

  /**
   * @return the layout of a mirror, perhaps one that another run has installed
   * @throws MirrorException if the cluster has entries of its own
   */
  Layout mirror(Layout layout, Origin wanted) {
    if (target.log().tail().value() > 0) {
      Layout now = target.layout(); // it may be newer now
      if (now.origin().isPresent()) {
        return now;
      }
      throw notFresh(now);
    }
    Layout mirrored =
        changes.change(
            layout,
            now -> now.origin().isPresent() ? now : now.withOrigin(Optional.of(wanted)),
            ClusterHealth.calm(layout));
    Origin decided = mirrored.origin().orElseThrow();
    if (decided.equals(wanted) && !holdsOnlyCopies(decided)) {
      var unused =
          changes.change(
              mirrored,
              now ->
                  now.origin().equals(Optional.of(wanted)) ? now.withOrigin(Optional.empty()) : now,
              ClusterHealth.calm(mirrored));
      throw notFresh(layout);
    }
    return mirrored;
  }

  private boolean holdsOnlyCopies(Origin origin) {
    long below = Math.min(LOOKED_AT, target.log().tail().value());
    for (long i = 0; i < below; i++) { // one by one: an entry may be large
      Address at = new Address(i);
      if (!isCopy(target.log().read(at), source.log().read(at), origin)) {
        return false;
      }
    }
    return true;
  }

  /** Whether an entry may be a copy. The source may have trimmed the original. */
  private static boolean isCopy(LogEntry here, LogEntry there, Origin origin) {
    if (!(here instanceof LogEntry.Data copy) || there instanceof LogEntry.Trimmed) {
      return true;
    }
    return there instanceof LogEntry.Data original
        && copy.payload().equals(original.payload())
        && copy.streams().equals(taken(original, origin));
  }

  private static List<StreamHeader> taken(LogEntry.Data data, Origin origin) {
    return data.streams().stream().filter(header -> origin.takes(header.stream())).toList();
  }

  private static MirrorException notFresh(Layout layout) {
    return new MirrorException(
        Reason.NOT_FRESH,
        "cluster %s has entries of its own: it was promoted, or appended to; mirror into a fresh"
                .formatted(layout.clusterId())
            + " cluster");
  }
}
