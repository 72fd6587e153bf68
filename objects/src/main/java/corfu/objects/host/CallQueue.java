package corfu.objects.host;

import corfu.objects.internal.hosted.HostedObject;
import corfu.objects.internal.hosted.HostedObject.CaughtUp;
import corfu.objects.remote.TypeName;
import corfu.protocol.StreamId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The calls on one hosted object. Calls wait until somebody catches up with the object's stream,
 * for all that wait then, or finds that they need not; from then on each of them is ready to be
 * carried out. All but the object is guarded by the host's lock.
 */
final class CallQueue {

  private static final int MOST_AT_ONCE = 256;

  /** An operation that has taken no longer is thought to be as quick the next time. */
  private static final long QUICK_NANOS = 50_000;

  /** Callers may name what they like: so many names are told apart. */
  private static final int NAMES = 256;

  final Key key;
  private final ArrayDeque<QueuedCall> waiting = new ArrayDeque<>();
  private final ArrayDeque<Ready> ready = new ArrayDeque<>();
  private final List<Work> workers = new ArrayList<>();
  private final BitSet quick = new BitSet(NAMES); // operations, by their names' hashes
  private boolean isScheduled;
  private @Nullable HostedObject<?> object; // once somebody has opened it
  private long bytes;
  private long lastUsed;

  /** As what an object is hosted. */
  record Key(StreamId stream, TypeName type) {}

  /**
   * A call that may be carried out.
   *
   * @param caughtUp a moment since it came, all before which has been played; empty: it is about a
   *     state that is at hand
   */
  record Ready(QueuedCall waiting, Optional<CaughtUp> caughtUp) {}

  /** The work that a thread does for the object now. */
  static final class Work {
    final long since;
    final String what;
    final boolean isPlaying;
    final boolean isQuick; // most likely
    boolean isReported;
    boolean isLeftAlone; // its thread takes nothing else
    Optional<QueuedCall> answered = Optional.empty();
    private long progress;
    private long progressedAt;

    private Work(long since, String what, boolean isPlaying, boolean isQuick) {
      this.since = since;
      this.what = what;
      this.isPlaying = isPlaying;
      this.isQuick = isQuick;
      this.progressedAt = since;
    }

    /** Where what it plays gets on, that is noted. */
    void lookAt(@Nullable HostedObject<?> object, long now) {
      if (isPlaying && object != null && object.progress() != progress) {
        progress = object.progress();
        progressedAt = now;
      }
    }

    long nanosWithoutProgress(long now) {
      return now - progressedAt;
    }
  }

  CallQueue(Key key) {
    this.key = key;
  }

  @Nullable HostedObject<?> object() {
    return object;
  }

  void opened(HostedObject<?> hosted) {
    object = hosted;
  }

  void add(QueuedCall call, long now) {
    waiting.add(call);
    lastUsed = now;
  }

  /** Those that wait, as far as one question is enough for them. */
  List<QueuedCall> takeWaiting() {
    List<QueuedCall> taken = new ArrayList<>();
    while (!waiting.isEmpty() && taken.size() < MOST_AT_ONCE) {
      taken.add(waiting.removeFirst());
    }
    return taken;
  }

  void areReady(List<QueuedCall> calls, Optional<CaughtUp> caughtUp) {
    calls.forEach(call -> ready.add(new Ready(call, caughtUp)));
  }

  Optional<Ready> pollReady() {
    return Optional.ofNullable(ready.pollFirst());
  }

  /** Somebody carries out a call from now on, or plays the object. */
  Work takeUp(Optional<Ready> ready, long now) {
    Work work =
        ready
            .map(next -> next.waiting().call().operation())
            .map(operation -> new Work(now, operation, false, quick.get(place(operation))))
            .orElseGet(() -> new Work(now, "playing it", true, false));
    workers.add(work);
    return work;
  }

  /** It has come to its end; what is not known to be quick is most likely not. */
  void isDone(Work work, long now) {
    workers.remove(work);
    quick.set(place(work.what), work.answered.isPresent() && now - work.since <= QUICK_NANOS);
  }

  private static int place(String operation) {
    return Math.floorMod(operation.hashCode(), NAMES);
  }

  boolean hasCalls() {
    return !waiting.isEmpty() || !ready.isEmpty();
  }

  boolean hasReady() {
    return !ready.isEmpty();
  }

  /** Calls that have been answered otherwise are nobody's any more. */
  void forgetAnswered() {
    waiting.removeIf(QueuedCall::isAnswered);
    ready.removeIf(call -> call.waiting().isAnswered());
  }

  List<Work> workers() {
    return workers;
  }

  /** Somebody is on the way to it. */
  boolean isScheduled() {
    return isScheduled;
  }

  void setScheduled(boolean scheduled) {
    isScheduled = scheduled;
  }

  boolean isIdle() {
    return !hasCalls() && workers.isEmpty() && !isScheduled;
  }

  /**
   * Returns a message about the work that does not return, or empty if other calls can proceed all
   * the same.
   *
   * @param mostWorkers the most threads that the object may have
   */
  Optional<String> stuck(int mostWorkers) {
    for (Work work : workers) {
      if (work.isReported && (work.isPlaying || workers.size() >= mostWorkers)) {
        return Optional.of(
            "%s of object %s has not returned for long, and everybody waits for it"
                .formatted(work.what, key.stream()));
      }
    }
    return Optional.empty();
  }

  /** Whether a thread plays the object and has got on, less than so long ago. */
  boolean getsOn(long now, long lullNanos) {
    return workers.stream()
        .anyMatch(work -> work.isPlaying && work.nanosWithoutProgress(now) < lullNanos);
  }

  /** Whether a thread plays the object, or tries to. */
  boolean isBeingPlayed() {
    return workers.stream().anyMatch(work -> work.isPlaying);
  }

  long bytes() {
    return bytes;
  }

  void weighs(long size) {
    bytes = size;
  }

  long lastUsed() {
    return lastUsed;
  }
}
