package corfu.bytes;

import corfu.bytes.internal.record.BytesRecord;
import corfu.bytes.internal.record.RecordCodec;
import corfu.bytes.internal.state.BytesState;
import corfu.bytes.internal.state.Replay;
import corfu.protocol.Address;
import corfu.protocol.StreamId;
import corfu.runtime.Corfu;
import corfu.runtime.Log;
import corfu.runtime.StreamAppend;
import corfu.runtime.stream.StreamReader;
import corfu.runtime.stream.Streams;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The byte arrays of a cluster. One per client is enough. Thread-safe.
 *
 * <pre>{@code
 * BytesStore store = BytesStore.over(corfu);
 * VersionedBytes notes = store.open(StreamId.named("notes"));
 * Address first = notes.write(0, bytes);
 * notes.truncate(0, note);
 * notes.at(first).read(0, 100); // still there
 * store.clone(notes.id(), first, StreamId.named("copy"), note); // one entry
 * }</pre>
 */
public final class BytesStore {

  /** The number of older versions that are kept for clones and readers of the past. */
  private static final int MOST_REPLAYED = 64;

  private final Log log;
  private final Streams streams;
  private final BytesOptions options;
  private final long seed;
  private final Map<StreamId, VersionedBytes> open = new ConcurrentHashMap<>();

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Version, BytesState> replayed =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Version, BytesState> eldest) {
          return size() > MOST_REPLAYED;
        }
      };

  private record Version(StreamId stream, long before) {}

  private BytesStore(Corfu corfu, BytesOptions options) {
    this.log = corfu.log();
    this.streams = Streams.over(corfu);
    this.options = options;
    this.seed = corfu.streamAccess().world().random().nextLong();
  }

  /** Returns the byte arrays of this client's cluster. */
  public static BytesStore over(Corfu corfu) {
    return over(corfu, BytesOptions.DEFAULT);
  }

  /** Returns the byte arrays of this client's cluster. */
  public static BytesStore over(Corfu corfu, BytesOptions options) {
    return new BytesStore(corfu, options);
  }

  /** Returns the array over a stream. An array that nobody has written to is empty. */
  public VersionedBytes open(StreamId stream) {
    return open.computeIfAbsent(stream, id -> new VersionedBytes(this, streams.open(id)));
  }

  /** Gives up the memory of an array. It stays usable, and {@link #open} plays it again. */
  public void close(VersionedBytes bytes) {
    open.remove(bytes.id(), bytes);
  }

  /** Makes an array the clone of another one's newest version; see {@link #clone}. */
  public Address cloneNewest(StreamId source, StreamId target, ByteBuffer note) {
    return cloneBelow(source, BytesRecord.NEWEST, target, note);
  }

  /**
   * Makes an array the clone of another one at a version. This is one entry, however large the
   * array is; later changes of either do not reach the other. A target that has content loses it in
   * its newer versions: so a clone of an array's own past brings the past back.
   *
   * @param version a version of the source, at most the log's tail
   * @param target the stream of the clone
   * @param note at most 255 bytes that the clone's version keeps
   * @return the first version of the target that includes the clone
   */
  public Address clone(StreamId source, Address version, StreamId target, ByteBuffer note) {
    Address tail = log.tail();
    if (version.compareTo(tail) > 0) {
      throw new IllegalArgumentException(
          "version %s of the byte array of stream %s does not exist yet: the log ends at %s"
              .formatted(version, source, tail));
    }
    return cloneBelow(source, version.value(), target, note);
  }

  private Address cloneBelow(StreamId source, long version, StreamId target, ByteBuffer note) {
    ByteBuffer payload = RecordCodec.encode(note, new BytesRecord.Clone(source, version, target));
    List<StreamId> both = source.equals(target) ? List.of(target) : List.of(source, target);
    StreamAppend.Appended appended = streams.append(both, payload);
    return new Address(appended.address().value() + 1);
  }

  Log log() {
    return log;
  }

  BytesOptions options() {
    return options;
  }

  BytesState empty(StreamId stream) {
    return BytesState.empty(stream, seed);
  }

  BytesView view(BytesState state) {
    return new BytesView(log, options, state);
  }

  /**
   * Makes sure that no entry will ever be appended below a version. The log's tail counts tokens,
   * and the next epoch may issue those again that no append has used; but none at or below an
   * address that is decided.
   */
  void decideBefore(Address version) {
    if (version.value() > 0) {
      var unused = log.read(new Address(version.value() - 1), 0, 1);
    }
  }

  /** Returns the state of an array that includes its entries below a log address. */
  BytesState stateAt(StreamId stream, long before) {
    return Optional.ofNullable(open.get(stream))
        .flatMap(bytes -> bytes.recentIfFree(before))
        .orElseGet(() -> replay(stream, before));
  }

  /** Plays a stream from its beginning up to a log address. */
  BytesState replay(StreamId stream, long before) {
    Version version = new Version(stream, before);
    Optional<BytesState> known = known(version);
    if (known.isPresent()) {
      return known.get();
    }
    StreamReader reader = streams.open(stream).reader();
    reader.sync();
    BytesState state = new Replay(empty(stream), this::stateAt).upTo(before, reader);
    keep(version, state);
    return state;
  }

  private Optional<BytesState> known(Version version) {
    lock.lock();
    try {
      return Optional.ofNullable(replayed.get(version));
    } finally {
      lock.unlock();
    }
  }

  private void keep(Version version, BytesState state) {
    lock.lock();
    try {
      replayed.put(version, state);
    } finally {
      lock.unlock();
    }
  }
}
