package corfu.node.access;

import corfu.access.audit.AuditCodec;
import corfu.access.audit.AuditEvent;
import corfu.access.audit.AuditRecord;
import corfu.access.audit.AuditSink;
import corfu.access.audit.RecordHash;
import corfu.runtime.Corfu;
import corfu.runtime.EntryTooLargeException;
import corfu.world.World;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a server's events to the audit log, by a client of the server's own. Events wait a moment
 * for others, and share a record. If the log cannot be written, they wait, up to a bound. Further
 * ones are only counted, and the next record says how many. One attempt runs at a time, on a thread
 * of its own. Thread-safe.
 */
final class AuditWriter implements AuditSink {

  private static final Logger LOG = LoggerFactory.getLogger(AuditWriter.class);

  /** The time for which an event waits for others. */
  static final Duration LINGER = Duration.ofMillis(100);

  /** The longest time between two attempts. */
  static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  /** The longest wait for the last events when a server stops. */
  static final Duration LAST_WAIT = Duration.ofMillis(500);

  /** The bounds of the events that wait. */
  static final int MOST_EVENTS = 8_192;

  static final long MOST_BYTES = 4 << 20;

  /** The bounds of one record. */
  static final int MOST_IN_RECORD = 256;

  static final int MOST_RECORD_BYTES = 64 << 10;

  /** The number of attempts in a row that lose against other servers. */
  private static final int MOST_CONFLICTS = 8;

  /** So many failures in a row are usual: the other servers are starting, or an epoch changes. */
  private static final int QUIET_FAILURES = 5;

  private final String server;
  private final World world;
  private final Supplier<Optional<Corfu>> client;
  private final int recordBytes;
  private final long life;

  private final ReentrantLock lock = new ReentrantLock();
  private final ArrayDeque<AuditRecord.Timed> queue = new ArrayDeque<>();
  private long queuedBytes;
  private long dropped;
  private boolean isActive;
  private boolean isClosed;
  private World.Timer timer = () -> {};
  private Optional<CompletableFuture<Void>> idle = Optional.empty();

  /** Only the current attempt uses these fields. */
  private Optional<AuditLogEnd> end = Optional.empty();

  private Optional<AuditRecord> pending = Optional.empty();
  private long number;
  private int failures;

  /**
   * @param server the server's name
   * @param client returns the server's client, or empty while the log has not been reached yet
   * @param maxPayloadBytes the largest payload of an entry in bytes
   */
  AuditWriter(String server, World world, Supplier<Optional<Corfu>> client, int maxPayloadBytes) {
    this.server = server;
    this.world = world;
    this.client = client;
    this.recordBytes = Math.min(MOST_RECORD_BYTES, maxPayloadBytes);
    this.life = world.random().nextLong();
  }

  @Override
  public void record(AuditEvent event) {
    AuditRecord.Timed timed = new AuditRecord.Timed(world.wallTimeMillis(), event);
    int bytes = AuditCodec.size(event);
    lock.lock();
    try {
      if (isClosed) {
        return;
      }
      if (queue.size() >= MOST_EVENTS || queuedBytes + bytes > MOST_BYTES) {
        dropped += event.count();
      } else {
        queue.add(timed);
        queuedBytes += bytes;
      }
      if (!isActive) {
        isActive = true;
        timer = begin(LINGER);
      }
    } finally {
      lock.unlock();
    }
  }

  private World.Timer begin(Duration pause) {
    return world.after(pause.toNanos(), () -> world.start("corfu-audit", this::write));
  }

  private void write() {
    Duration pause = LINGER;
    try {
      Optional<Corfu> corfu = client.get();
      if (corfu.isPresent()) {
        pause = write(corfu.get());
        failures = 0;
      }
    } catch (EntryTooLargeException neverFits) {
      drop();
    } catch (RuntimeException failure) {
      pause = failed(failure);
    }
    continueAfter(pause);
  }

  /** Writes records while there are full ones. Returns the time until the next attempt. */
  private Duration write(Corfu corfu) {
    AuditLogEnd log = end.orElseGet(() -> AuditLogEnd.find(corfu, life));
    end = Optional.of(log);
    int conflicts = 0;
    do {
      pending = pending.or(this::nextRecord);
      if (pending.isEmpty()) {
        return LINGER;
      }
      if (log.append(pending.get())) {
        pending = Optional.empty();
        number++;
      } else if (++conflicts == MOST_CONFLICTS) {
        return LINGER.plusNanos(world.random().nextLong(LINGER.toNanos()));
      }
    } while (pending.isPresent() || isFull());
    return LINGER;
  }

  private boolean isFull() {
    lock.lock();
    try {
      return queue.size() >= MOST_IN_RECORD || queuedBytes >= recordBytes;
    } finally {
      lock.unlock();
    }
  }

  private Optional<AuditRecord> nextRecord() {
    lock.lock();
    try {
      if (queue.isEmpty() && dropped == 0) {
        return Optional.empty();
      }
      List<AuditRecord.Timed> events = new ArrayList<>();
      int size = AuditCodec.encode(record(events)).remaining();
      while (!queue.isEmpty() && events.size() < MOST_IN_RECORD) {
        int more = AuditCodec.size(queue.element().event());
        if (size + more > recordBytes && !events.isEmpty()) {
          break;
        }
        size += more;
        queuedBytes -= more;
        events.add(queue.remove());
      }
      AuditRecord next = record(events);
      dropped = 0;
      return Optional.of(next);
    } finally {
      lock.unlock();
    }
  }

  private AuditRecord record(List<AuditRecord.Timed> events) {
    return new AuditRecord(
        RecordHash.NONE, server, life, number, world.wallTimeMillis(), dropped, events);
  }

  /** Gives up a record that no entry of this cluster can hold. */
  private void drop() {
    AuditRecord lost = pending.orElseThrow();
    LOG.error(
        "server {} dropped {} audit events, because they do not fit into an entry of this cluster;"
            + " raise max-entry",
        server,
        lost.events().size());
    lock.lock();
    try {
      dropped +=
          lost.dropped() + lost.events().stream().mapToLong(timed -> timed.event().count()).sum();
    } finally {
      lock.unlock();
    }
    pending = Optional.empty();
  }

  /** Counts a failure, and returns the pause after it. Says only one in a row. */
  private Duration failed(RuntimeException failure) {
    if (failures == QUIET_FAILURES && !isClosed()) {
      LOG.warn(
          "server {} cannot write the audit log, and tries again; up to {} events wait, and later"
              + " ones are only counted: {}",
          server,
          MOST_EVENTS,
          failure.toString());
    }
    failures++;
    Duration pause = LINGER.multipliedBy(failures);
    return pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE;
  }

  private boolean isClosed() {
    lock.lock();
    try {
      return isClosed;
    } finally {
      lock.unlock();
    }
  }

  private void continueAfter(Duration pause) {
    lock.lock();
    try {
      isActive = !isClosed && (pending.isPresent() || !queue.isEmpty() || dropped > 0);
      if (isActive) {
        timer = begin(pause);
      } else {
        idle.ifPresent(waiting -> waiting.complete(null));
      }
    } finally {
      lock.unlock();
    }
  }

  /** Waits until all events are written, or for a moment. Must not be called on a loop. */
  void finish() {
    CompletableFuture<Void> written = new CompletableFuture<>();
    lock.lock();
    try {
      if (!isActive) {
        return;
      }
      idle = Optional.of(written);
    } finally {
      lock.unlock();
    }
    World.Timer patience = world.after(LAST_WAIT.toNanos(), () -> written.complete(null));
    written.join();
    patience.cancel();
  }

  /** Takes and writes no more events. */
  void close() {
    lock.lock();
    try {
      isClosed = true;
      timer.cancel();
    } finally {
      lock.unlock();
    }
  }
}
