package corfu.bytes.internal.player;

import corfu.bytes.BytesOptions;
import corfu.bytes.BytesOrigin;
import corfu.bytes.VersionForgottenException;
import corfu.bytes.internal.checkpoint.CheckpointPace;
import corfu.bytes.internal.checkpoint.Checkpoints;
import corfu.bytes.internal.record.EntryDecoder;
import corfu.bytes.internal.record.RecordCodec;
import corfu.bytes.internal.state.BytesState;
import corfu.bytes.internal.state.PagesAhead;
import corfu.bytes.internal.state.Version;
import corfu.bytes.internal.state.VersionResolver;
import corfu.protocol.StreamAddress;
import corfu.protocol.StreamId;
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
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Plays the entries of one array, and keeps its newest versions. One thread plays at a time; the
 * others do not wait for it if they need nothing newer than memory has. Thread-safe.
 */
public final class ArrayPlayer {

  /**
   * The parts of a client that all its players share.
   *
   * @param decidedBelow an address such that no token below it will be issued any more; it grows
   * @param isLong receives a state that took many entries, of which a checkpoint is worthwhile
   */
  public record Shared(
      BytesOptions options,
      VersionResolver resolver,
      Checkpoints checkpoints,
      EntryDecoder decoder,
      AtomicLong decidedBelow,
      Consumer<BytesState> isLong) {}

  private final Shared shared;
  private final Version newest; // of the array, as the resolver names it
  private final Supplier<Optional<BytesState>> ahead;
  private final HeadReader reader;
  private final DeadlineLock playing;

  // guarded by playing
  private final PagesAhead pagesAhead = new PagesAhead();
  private final CheckpointPace pace;
  private Optional<HeadRead.Head> unapplied = Optional.empty();
  private Optional<StreamAddress> unpassedTrim = Optional.empty();
  private Optional<StreamAddress> forgotten = Optional.empty();
  private long gapSoughtTo; // the place behind the last gap for which a checkpoint was sought

  private final ReentrantLock memory = new ReentrantLock(); // never held during a call
  private final TreeMap<Long, BytesState> recent = new TreeMap<>(); // by their versions
  private Optional<BytesState> state = Optional.empty();
  private long playedBelow = -1; // the log address below which all entries are applied
  private long playedTail = -1; // the log's tail at the newest ends that were reached

  /**
   * @param ahead returns a state from which to go on if it is newer than the player's
   */
  public ArrayPlayer(
      Shared shared,
      LogStream stream,
      Optional<BytesOrigin> origin,
      Supplier<Optional<BytesState>> ahead) {
    this.shared = shared;
    this.ahead = ahead;
    this.newest = new Version(stream.id(), origin, Long.MAX_VALUE);
    this.pace = new CheckpointPace(shared.options().checkpointsFrom());
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

  /** Returns whether the player has a state already. */
  public boolean hasBegun() {
    return current().isPresent();
  }

  /** A failure leaves the state at the last applied entry, and a later call goes on from there. */
  private BytesState play(StreamEnds ends) {
    BytesState now = current().orElseGet(() -> begin(ends));
    ahead.get().filter(state -> state.place() > place()).ifPresent(this::skipAhead);
    reader.sync(ends);
    unpassedTrim.ifPresent(this::passTrimmed);
    unapplied.ifPresent(this::pass);
    while (true) {
      forgotten.ifPresent(this::failForgotten);
      switch (reader.readNext()) {
        case HeadRead.Head head -> pass(head);
        case HeadRead.Trimmed(StreamAddress before) -> passTrimmed(before);
        case HeadRead.Absent end -> {
          passGap(ends.end(newest.stream()).value());
          played(ends);
          noteLength();
          return current().orElse(now);
        }
      }
    }
  }

  /** The reader returns a head once. If this fails, the next call passes it again. */
  private void pass(HeadRead.Head head) {
    unapplied = Optional.of(head);
    passGap(head.streamAddress().value());
    if (head.streamAddress().value() < place()) {
      unapplied = Optional.empty(); // a checkpoint includes it
      return;
    }
    unapplied = Optional.of(head);
    pagesAhead.prepare(current().orElseThrow(), head, reader);
    apply(head);
  }

  private void passTrimmed(StreamAddress before) {
    unpassedTrim = Optional.of(before); // as above
    gapSoughtTo = 0; // a checkpoint may be new
    passGap(before.value());
    forgotten = before.value() > place() ? Optional.of(before) : Optional.empty();
    unpassedTrim = Optional.empty();
  }

  private long place() {
    return current().orElseThrow().place();
  }

  /**
   * Looks for a checkpoint if there are no entries up to a place. They were never written, or they
   * are trimmed, and then a checkpoint includes them.
   */
  private void passGap(long to) {
    if (to <= place() || to <= gapSoughtTo) {
      return;
    }
    Checkpoints.Found found =
        shared.checkpoints().newest(newest.stream(), Long.MAX_VALUE, place() + 1);
    gapSoughtTo = to;
    found.state().ifPresent(this::restart);
    if (found.isForgotten() && place() < to) {
      failForgotten(new StreamAddress(to)); // a floor there has lost pages, and entries may be gone
    }
  }

  private void skipAhead(BytesState newer) {
    restart(newer);
    reader.skipTo(new StreamAddress(newer.place()), newer.version());
  }

  /** Versions between the old and the new state are not known any more. */
  private void restart(BytesState checkpoint) {
    memory.lock();
    try {
      recent.clear();
    } finally {
      memory.unlock();
    }
    reader.skipTo(new StreamAddress(checkpoint.place()));
    unapplied = Optional.empty();
    pace.restart();
    keep(checkpoint);
  }

  /** Looks whether a checkpoint is worthwhile. */
  private void noteLength() {
    BytesState now = current().orElseThrow();
    if (pace.takeDue(() -> shared.checkpoints().size(now).changed())) {
      shared.isLong().accept(now);
    }
  }

  private void failForgotten(StreamAddress before) {
    throw new VersionForgottenException(
        newest.stream(), current().orElseThrow().version(), "the stream before place " + before);
  }

  private BytesState begin(StreamEnds ends) {
    Optional<BytesState> checkpoint =
        ahead
            .get()
            .or(
                () ->
                    mayHaveCheckpoint(ends)
                        ? shared.checkpoints().newest(newest.stream(), Long.MAX_VALUE, 0).state()
                        : Optional.empty());
    BytesState beginning =
        checkpoint.orElseGet(() -> shared.resolver().beginning(newest.stream(), newest.origin()));
    reader.skipTo(new StreamAddress(beginning.place()));
    keep(beginning);
    return beginning;
  }

  private boolean mayHaveCheckpoint(StreamEnds ends) {
    StreamId checkpoints = Checkpoints.streamOf(newest.stream());
    boolean isNew =
        ends.end(newest.stream()).equals(StreamAddress.ZERO) && newest.origin().isEmpty();
    return !isNew && (!ends.has(checkpoints) || !ends.end(checkpoints).equals(StreamAddress.ZERO));
  }

  private void apply(HeadRead.Head head) {
    Optional<RecordCodec.Decoded> content = shared.decoder().decode(head);
    if (content.isEmpty()) {
      unapplied = Optional.empty();
      passTrimmed(head.streamAddress().plus(1));
      return;
    }
    BytesState before = current().orElseThrow();
    var entry =
        new BytesState.Entry(head.address().value(), head.streamAddress().value(), content.get());
    Optional<Version> needed = before.needs(entry);
    keep(
        needed.isEmpty()
            ? before.after(entry)
            : before.after(entry, shared.resolver().version(inContext(needed.get()))));
    unapplied = Optional.empty();
    pace.add(head.payloadBytes());
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

  /** Returns the newest state in memory, if the player has begun. */
  public Optional<BytesState> current() {
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
