package corfu.bytes;

import corfu.bytes.internal.checkpoint.Checkpoints;
import corfu.bytes.internal.extent.PageCache;
import corfu.bytes.internal.extent.PageLostException;
import corfu.bytes.internal.player.ArrayPlayer;
import corfu.bytes.internal.record.BytesRecord;
import corfu.bytes.internal.record.EntryDecoder;
import corfu.bytes.internal.record.RecordCodec;
import corfu.bytes.internal.state.BytesState;
import corfu.bytes.internal.state.CheckpointSearch;
import corfu.bytes.internal.state.MapReads;
import corfu.bytes.internal.state.Version;
import corfu.bytes.internal.state.VersionResolver;
import corfu.protocol.Address;
import corfu.protocol.StreamAddress;
import corfu.protocol.StreamId;
import corfu.runtime.Corfu;
import corfu.runtime.CorfuException;
import corfu.runtime.Deadline;
import corfu.runtime.EntryPart;
import corfu.runtime.Log;
import corfu.runtime.StreamAccess;
import corfu.runtime.StreamAppend;
import corfu.runtime.stream.HeadReader;
import corfu.runtime.stream.SharedQuestion;
import corfu.runtime.stream.StreamEnds;
import corfu.runtime.stream.Streams;
import corfu.world.World;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

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
  private final Supplier<Deadline> deadlines;
  private final EntryDecoder decoder;
  private final VersionResolver resolver;
  private final MapReads maps;
  private final PageCache pages;
  private final Checkpoints checkpoints;
  private final SharedQuestion<Set<StreamId>, StreamEnds> ends;
  private final Map<StreamId, VersionedBytes> open = new ConcurrentHashMap<>();
  private final AtomicLong decidedBelow = new AtomicLong();
  private final LongAdder entriesAppended = new LongAdder();
  private final StreamAccess access;
  private final AtomicBoolean isWriting = new AtomicBoolean();

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Version, BytesState> replayed =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Version, BytesState> eldest) {
          return size() > MOST_REPLAYED;
        }
      };

  private BytesStore(Corfu corfu, BytesOptions options) {
    this.log = corfu.log();
    this.access = corfu.streamAccess();
    this.streams = Streams.over(corfu);
    this.options = options;
    this.deadlines = corfu.streamAccess()::deadline;
    this.pages = new PageCache(options.maxPageBytes());
    this.checkpoints = new Checkpoints(streams, log, pages, this::giveUpMaps);
    this.decoder = new EntryDecoder(log);
    this.resolver = new VersionResolver(new Memory(), decoder);
    this.maps = new MapReads(resolver);
    this.ends =
        new SharedQuestion<>(
            deadlines,
            LinkedHashSet::new,
            asked -> {
              StreamEnds answer = streams.ends(asked);
              return () -> answer;
            });
  }

  /** Returns the byte arrays of this client's cluster. */
  public static BytesStore over(Corfu corfu) {
    return over(corfu, BytesOptions.DEFAULT);
  }

  /** Returns the byte arrays of this client's cluster. */
  public static BytesStore over(Corfu corfu, BytesOptions options) {
    return new BytesStore(corfu, options);
  }

  /**
   * Returns the array over the stream of this name; see {@link StreamId#named}. If permissions
   * depend on names, a client opens its arrays by name, so that it can tell servers the names.
   */
  public VersionedBytes open(String name) {
    return open(access.named(name));
  }

  /** Returns the array over a stream. An array that nobody has written to is empty. */
  public VersionedBytes open(StreamId stream) {
    return open(stream, Optional.empty());
  }

  /**
   * Returns the array over a stream. Nothing is read before the array is used.
   *
   * @param origin the content before the first entry of the stream. It must be the same whenever
   *     any client opens this array: the log does not have it.
   * @throws IllegalArgumentException if the array is open already, with another origin
   */
  public VersionedBytes open(StreamId stream, Optional<BytesOrigin> origin) {
    VersionedBytes bytes =
        open.computeIfAbsent(
            stream,
            id -> {
              rememberNames(id);
              return new VersionedBytes(this, streams.open(id), origin);
            });
    if (!bytes.origin().equals(origin)) {
      throw new IllegalArgumentException(
          "the byte array of stream %s is open with the origin %s, not with %s"
              .formatted(stream, bytes.origin(), origin));
    }
    return bytes;
  }

  /** The permissions on an array are those on the streams that belong to it. */
  private void rememberNames(StreamId array) {
    var unusedCheckpoints = access.named(Checkpoints.nameOf(array));
    var unusedFences = access.named(nameOfFences(array));
  }

  static String nameOfFences(StreamId array) {
    return "corfu.bytes: writers of " + array;
  }

  /** Gives up all memory of an array. It stays usable, and is played again then. */
  public void close(VersionedBytes bytes) {
    open.remove(bytes.id(), bytes);
    bytes.forgetPlayer();
    lock.lock();
    try {
      replayed.keySet().removeIf(version -> version.stream().equals(bytes.id()));
    } finally {
      lock.unlock();
    }
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
   * <p>The entry names streams only. So the source must be an array without an origin, unless it is
   * the target, too. For others, {@link BytesView#asOrigin} makes clones.
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
    boolean hasOrigin =
        Optional.ofNullable(open.get(source)).flatMap(VersionedBytes::origin).isPresent();
    if (hasOrigin && !source.equals(target)) {
      throw new IllegalArgumentException(
          "the byte array of stream %s has an origin, which a clone in the log does not know: "
                  .formatted(source)
              + "open the clone with an origin, too");
    }
    Optional.ofNullable(open.get(target)).ifPresent(VersionedBytes::checkNoWriter);
    ByteBuffer payload = RecordCodec.encode(note, new BytesRecord.Clone(source, version, target));
    List<StreamId> both = source.equals(target) ? List.of(target) : List.of(source, target);
    StreamAppend.Appended appended = streams.append(both, payload);
    hasAppended(appended.address());
    return new Address(appended.address().value() + 1);
  }

  Log log() {
    return log;
  }

  BytesOptions options() {
    return options;
  }

  VersionResolver resolver() {
    return resolver;
  }

  /** Returns what the players of arrays share. */
  ArrayPlayer.Shared shared() {
    return new ArrayPlayer.Shared(
        options, resolver, checkpoints, decoder, decidedBelow, this::writeBehind);
  }

  /** Writes a checkpoint of a state. */
  void writeCheckpoint(BytesState state) {
    var unused = write(state, OptionalLong.empty());
  }

  private Checkpoints.Checkpoint write(BytesState state, OptionalLong until) {
    return checkpoints.write(state, until, options.maxEntryBytes());
  }

  /**
   * Writes a checkpoint on a thread of its own, unless one is being written already, or another
   * client has written one that is nearly as new.
   */
  private void writeBehind(BytesState state) {
    if (isWriting.compareAndSet(false, true)) {
      long recent = Math.max(0, state.place() - options.checkpointsFrom() / 2);
      var unused =
          access.ahead(
              () -> {
                try {
                  return checkpoints
                      .newest(state.stream(), Long.MAX_VALUE, recent)
                      .checkpoint()
                      .orElseGet(() -> write(state, OptionalLong.empty()));
                } finally {
                  isWriting.set(false);
                }
              });
    }
  }

  World world() {
    return access.world();
  }

  /**
   * Writes a checkpoint behind which entries of other versions may be trimmed.
   *
   * @param version the last version that surely has this state
   */
  Checkpoints.Checkpoint writeFloor(BytesState state, Address version) {
    return write(state, OptionalLong.of(version.value()));
  }

  /** Runs a task that may block on a thread of its own. */
  void start(Supplier<Boolean> task) {
    var unused = access.ahead(task);
  }

  /** Returns the way to use maps whose pages others may trim. */
  MapReads maps() {
    return maps;
  }

  private void giveUpMaps() {
    open.values().forEach(VersionedBytes::giveUpMaps);
    lock.lock();
    try {
      replayed.clear();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Makes sure that a version can be read without any entry before it.
   *
   * @param version a version with this state
   * @param isAlone whether entries behind the version may be trimmed, too
   * @return the checkpoint that has it, on which readers rely from now on
   */
  Checkpoints.Checkpoint keep(BytesState state, Address version, boolean isAlone) {
    long least = isAlone ? version.value() : 0;
    return checkpoints
        .newest(state.stream(), version.value(), state.place())
        .checkpoint()
        .filter(known -> known.until().orElse(-1) >= least)
        .filter(known -> known.state().place() == state.place())
        .orElseGet(() -> write(state, OptionalLong.of(version.value())));
  }

  /** Returns the bytes of memory of the pages of maps that the log has, too, at most. */
  long pageBytes() {
    return pages.bytes();
  }

  Checkpoints checkpoints() {
    return checkpoints;
  }

  EntryDecoder decoder() {
    return decoder;
  }

  Streams streams() {
    return streams;
  }

  Deadline deadline() {
    return deadlines.get();
  }

  BytesView view(BytesState state, Optional<BytesOrigin> origin) {
    return new BytesView(log, options, maps, state, origin);
  }

  /** Returns the end of a stream, and perhaps of others. */
  StreamEnds end(StreamId stream) {
    return ends.ask(asked -> asked.add(stream));
  }

  /** Returns the number of entries that this client has appended to its arrays. */
  public long entriesAppended() {
    return entriesAppended.sum();
  }

  /** Records an append of this client. */
  void hasAppended(Address address) {
    entriesAppended.increment();
    isDecided(address);
  }

  /** Returns the ends of an array's stream and of its checkpoints, and perhaps of others. */
  StreamEnds endsToBegin(StreamId array) {
    return ends.ask(asked -> asked.addAll(List.of(array, Checkpoints.streamOf(array))));
  }

  /** Records that an address holds an entry: no new entry can appear at a lower one unnoticed. */
  void isDecided(Address address) {
    decidedBelow.accumulateAndGet(address.value() + 1, Math::max);
  }

  /**
   * Makes sure that no token below a version will be issued any more. The log's tail counts tokens,
   * and the next epoch may issue those again that no append has used; but none at or below an
   * address that is decided.
   *
   * @throws IllegalArgumentException if the version is beyond the log's tail
   */
  void decideBefore(StreamId stream, Address version) {
    if (version.value() <= decidedBelow.get()) {
      return;
    }
    Address last = new Address(version.value() - 1);
    if (log.read(last, 0, 1) instanceof EntryPart.Unwritten) {
      throw new IllegalArgumentException(
          "version %s of the byte array of stream %s does not exist yet: the log ends at %s"
              .formatted(version, stream, log.tail()));
    }
    isDecided(last);
  }

  /** The memory and the streams of this client, for the resolver. */
  private final class Memory implements VersionResolver.Arrays {

    @Override
    public Optional<BytesState> known(Version version) {
      return player(version)
          .flatMap(player -> player.known(version))
          .or(() -> atWriter(version))
          .or(() -> inMemory(version));
    }

    @Override
    public Optional<BytesState> before(Version version) {
      return player(version).flatMap(player -> player.before(version));
    }

    /** An array's writer has its newest version. */
    private Optional<BytesState> atWriter(Version version) {
      return Optional.ofNullable(open.get(version.stream()))
          .filter(array -> array.origin().equals(version.origin()))
          .flatMap(VersionedBytes::writerState)
          .filter(state -> state.before() == version.before());
    }

    private Optional<ArrayPlayer> player(Version version) {
      return Optional.ofNullable(open.get(version.stream())).flatMap(VersionedBytes::playerIfUsed);
    }

    private Optional<BytesState> inMemory(Version version) {
      lock.lock();
      try {
        return Optional.ofNullable(replayed.get(version));
      } finally {
        lock.unlock();
      }
    }

    @Override
    public CheckpointSearch checkpoint(Version version, long place) {
      return checkpoints.newest(version.stream(), version.before(), place).search();
    }

    @Override
    public StreamId checkpointsOf(StreamId array) {
      return Checkpoints.streamOf(array);
    }

    @Override
    public void isDeep(BytesState state) {
      try {
        writeCheckpoint(state);
      } catch (CorfuException | PageLostException later) {
        // It only saves time. The next client that goes as deep tries again.
      }
    }

    @Override
    public void keep(Version version, BytesState state) {
      lock.lock();
      try {
        replayed.put(version, state);
      } finally {
        lock.unlock();
      }
    }

    @Override
    public BytesState empty(StreamId stream) {
      return BytesState.empty(stream);
    }

    @Override
    public void decide(Version version) {
      decideBefore(version.stream(), new Address(version.before()));
    }

    @Override
    public StreamEnds ends(Set<StreamId> asked) {
      return streams.ends(asked);
    }

    @Override
    public HeadReader reader(BytesState state) {
      return streams
          .open(state.stream())
          .heads(new StreamAddress(state.place()), EntryDecoder.HEAD_BYTES);
    }
  }
}
