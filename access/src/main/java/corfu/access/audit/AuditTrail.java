package corfu.access.audit;

import corfu.protocol.Identity;
import corfu.protocol.Permission;
import corfu.protocol.StreamId;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Reports events to the audit log without letting a client flood it. The first event of its kind is
 * reported at once. Further ones of the same client, action, permission, stream and detail are
 * counted, and reported together when the window ends. A client with many different events has the
 * rest of them counted without streams and details. Lives on the server's loop.
 */
public final class AuditTrail {

  /** The time for which events of one kind are counted together. */
  public static final Duration WINDOW = Duration.ofSeconds(10);

  /** The largest number of different events of one client in a window. */
  public static final int MOST_OF_ONE = 32;

  /** The largest number of different events of all clients in a window. */
  public static final int MOST = 4_096;

  private final AuditSink sink;
  private final LongSupplier nanoTime;
  private final Map<Kind, Count> counts = new LinkedHashMap<>();
  private final Map<Identity, Integer> ofOne = new HashMap<>();
  private long windowBegan;
  private long unlisted;

  private record Kind(
      AuditEvent.Kind kind,
      Identity identity,
      String action,
      Optional<Permission> permission,
      Optional<StreamId> stream,
      String detail) {

    static Kind of(AuditEvent event) {
      return new Kind(
          event.kind(),
          event.identity(),
          event.action(),
          event.permission(),
          event.stream(),
          event.detail());
    }
  }

  private static final class Count {
    private final AuditEvent first;
    private long more;

    Count(AuditEvent first) {
      this.first = first;
    }
  }

  /**
   * @param sink receives the events
   * @param nanoTime the server's clock, in nanoseconds
   */
  public AuditTrail(AuditSink sink, LongSupplier nanoTime) {
    this.sink = sink;
    this.nanoTime = nanoTime;
    this.windowBegan = nanoTime.getAsLong();
  }

  /** Reports an event, or counts it. */
  public void add(AuditEvent event) {
    if (nanoTime.getAsLong() - windowBegan >= WINDOW.toNanos()) {
      flush();
    }
    if (!isCounted(event) && !isCounted(event.withoutPlace())) {
      unlisted += event.count();
    }
  }

  /** Counts the event if there is one of its kind, or room for it. */
  private boolean isCounted(AuditEvent event) {
    Kind kind = Kind.of(event);
    Count count = counts.get(kind);
    if (count != null) {
      count.more += event.count();
      return true;
    }
    boolean isWide = event.stream().isEmpty() && event.detail().isEmpty();
    int known = ofOne.getOrDefault(event.identity(), 0);
    if (counts.size() >= MOST || (known >= MOST_OF_ONE && !isWide)) {
      return false;
    }
    counts.put(kind, new Count(event));
    ofOne.put(event.identity(), known + 1);
    sink.record(event);
    return true;
  }

  /** Reports all counted events, and begins another window. To be called now and then. */
  public void flush() {
    for (Count count : counts.values()) {
      if (count.more > 0) {
        sink.record(count.first.times(count.more));
      }
    }
    if (unlisted > 0) {
      sink.record(
          new AuditEvent(
              AuditEvent.Kind.UNLISTED,
              Identity.ANONYMOUS,
              "",
              "",
              Optional.empty(),
              Optional.empty(),
              "events of more than %d kinds".formatted(MOST),
              unlisted));
    }
    counts.clear();
    ofOne.clear();
    unlisted = 0;
    windowBegan = nanoTime.getAsLong();
  }
}
