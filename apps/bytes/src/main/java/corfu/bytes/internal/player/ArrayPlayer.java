package corfu.bytes.internal.player;

import corfu.bytes.BytesOptions;
import corfu.bytes.BytesOrigin;
import corfu.bytes.VersionForgottenException;
import corfu.bytes.internal.checkpoint.Checkpoints;
import corfu.bytes.internal.record.EntryDecoder;
import corfu.bytes.internal.state.BytesState;
import corfu.bytes.internal.state.Version;
import corfu.bytes.internal.state.VersionResolver;
import corfu.protocol.StreamAddress;
import corfu.runtime.Deadline;
import corfu.runtime.DeadlineLock;
import corfu.runtime.StreamAppend;
import corfu.runtime.stream.HeadRead;
import corfu.runtime.stream.HeadReader;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.StreamEnds;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Plays the entries of one array, and keeps its newest versions. One thread plays at a time; the
 * others do not wait for it if they need nothing newer than memory has. Thread-safe.
 */
public final class ArrayPlayer {

  /**
   * The parts of a client that all its players share.
   *
   * @param decidedBelow an address such that no token below it will be issued any more; it grows
   */
  public record Shared(
      BytesOptions options,
      VersionResolver resolver,
      Checkpoints checkpoints,
      EntryDecoder decoder,
      AtomicLong decidedBelow) {}

  private final Shared shared;
  private final Version newest; // of the array, as the resolver names it
  private final HeadReader reader;
  private final DeadlineLock playing;

  // guarded by playing
  private Optional<HeadRead.Head> unapplied = Optional.empty();
  private Optional<StreamAddress> forgotten = Optional.empty();

  private final ReentrantLock memory = new ReentrantLock(); // never held during a call
  private final TreeMap<Long, BytesState> recent = new TreeMap<>(); // by their versions
  private Optional<BytesState> state = Optional.empty();
  private long playedBelow = -1; // the log address below which all entries are applied
  private long playedTail = -1; // the log's tail at the newest ends that were reached

  public ArrayPlayer(Shared shared, LogStream stream, Optional<BytesOrigin> origin) {
    this.shared = shared;
    this.newest = new Version(stream.id(), origin, Long.MAX_VALUE);
    this.reader = stream.heads(StreamAddress.ZERO, EntryDecoder.HEAD_BYTES);
    this.playing =
        new DeadlineLock("the byte array of stream %s is being played".formatted(stream.id()));
  }

  /** Records an entry that this client has appended: it need not be read. */
  public void addOwn(StreamAppend.Appended entry, ByteBuffer payload) {
    reader.addOwn(entry, payload);
  }

  /** Returns the state that includes all entries before these ends, which include the array's. */
  public BytesState upTo(StreamEnds ends, Deadline deadline) {
    Optional<BytesState> known = playedUpTo(ends);
    if (known.isPresent()) {
      return known.get();
    }
    playing.lock(deadline);
    try {
      return playedUpTo(ends).orElseGet(() -> play(ends));
    } finally {
      playing.unlock();
    }
  }

  private Optional<BytesState> playedUpTo(StreamEnds ends) {
    memory.lock();
    try {
      if (ends.newest(newest.stream()) >= playedBelow) {
        return Optional.empty();
      }
      playedTail = Math.max(playedTail, ends.tail().value());
      return state;
    } finally {
      memory.unlock();
    }
  }

  /** A failure leaves the state at the last applied entry, and a later call goes on from there. */
  private BytesState play(StreamEnds ends) {
    BytesState now = current().orElseGet(() -> begin(ends));
    reader.sync(ends);
    unapplied.ifPresent(this::apply);
    while (true) {
      forgotten.ifPresent(this::failForgotten);
      switch (reader.readNext()) {
        case HeadRead.Head head -> {
          unapplied = Optional.of(head);
          apply(head);
        }
        case HeadRead.Trimmed(StreamAddress before) -> forgotten = Optional.of(before);
        case HeadRead.Absent end -> {
          played(ends);
          return current().orElse(now);
        }
      }
    }
  }

  private void failForgotten(StreamAddress before) {
    throw new VersionForgottenException(
        newest.stream(), current().orElseThrow().version(), "the stream before place " + before);
  }

  private BytesState begin(StreamEnds ends) {
    boolean isLong = ends.end(newest.stream()).value() > shared.options().checkpointsFrom();
    Optional<BytesState> checkpoint =
        isLong
            ? shared.checkpoints().newest(newest.stream(), ends.tail().value())
            : Optional.empty();
    BytesState beginning =
        checkpoint.orElseGet(() -> shared.resolver().beginning(newest.stream(), newest.origin()));
    reader.skipTo(new StreamAddress(beginning.place()));
    keep(beginning);
    return beginning;
  }

  private void apply(HeadRead.Head head) {
    BytesState before = current().orElseThrow();
    var entry =
        new BytesState.Entry(
            head.address().value(), head.streamAddress().value(), shared.decoder().decode(head));
    Optional<Version> needed = before.needs(entry);
    keep(
        needed.isEmpty()
            ? before.after(entry)
            : before.after(entry, shared.resolver().version(inContext(needed.get()))));
    unapplied = Optional.empty();
    shared.decidedBelow().accumulateAndGet(head.address().value() + 1, Math::max);
  }

  /** A clone entry names a stream. If that is the array's own, its origin is known. */
  private Version inContext(Version needed) {
    return needed.stream().equals(newest.stream())
        ? new Version(newest.stream(), newest.origin(), needed.before())
        : needed;
  }

  private void keep(BytesState next) {
    memory.lock();
    try {
      state = Optional.of(next);
      recent.put(next.before(), next);
      if (recent.size() > shared.options().recentVersions()) {
        recent.pollFirstEntry();
      }
    } finally {
      memory.unlock();
    }
  }

  private void played(StreamEnds ends) {
    memory.lock();
    try {
      playedTail = Math.max(playedTail, ends.tail().value());
      playedBelow = reader.foundBelow().value();
    } finally {
      memory.unlock();
    }
  }

  private Optional<BytesState> current() {
    memory.lock();
    try {
      return state;
    } finally {
      memory.unlock();
    }
  }

  /** Returns a version if memory has it, and it cannot change any more. */
  public Optional<BytesState> known(Version version) {
    if (!isOf(version)) {
      return Optional.empty();
    }
    memory.lock();
    try {
      long decided = Math.min(playedTail, shared.decidedBelow().get());
      long applied = state.map(BytesState::before).orElse(-1L);
      long playedTo = Math.max(applied, Math.max(playedBelow, decided));
      return version.before() <= playedTo ? floor(version.before()) : Optional.empty();
    } finally {
      memory.unlock();
    }
  }

  /** Returns the newest state that is not behind a version, from which to go on to it. */
  public Optional<BytesState> before(Version version) {
    if (!isOf(version)) {
      return Optional.empty();
    }
    memory.lock();
    try {
      return floor(version.before());
    } finally {
      memory.unlock();
    }
  }

  private boolean isOf(Version version) {
    return version.stream().equals(newest.stream()) && version.origin().equals(newest.origin());
  }

  private Optional<BytesState> floor(long before) {
    return Optional.ofNullable(recent.floorEntry(before)).map(Map.Entry::getValue);
  }
}
