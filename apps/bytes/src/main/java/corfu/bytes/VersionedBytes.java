package corfu.bytes;

import corfu.bytes.internal.extent.Extent;
import corfu.bytes.internal.player.ArrayPlayer;
import corfu.bytes.internal.record.BytesRecord;
import corfu.bytes.internal.record.RecordCodec;
import corfu.bytes.internal.state.BytesState;
import corfu.bytes.internal.state.Version;
import corfu.bytes.internal.writer.WriterPlayer;
import corfu.protocol.Address;
import corfu.protocol.StreamId;
import corfu.runtime.StreamAppend;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.StreamEnds;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A byte array over a stream: each change is an entry of the stream, and every version stays
 * readable. Any number of clients may use the same array. Linearizable: a change that has returned
 * is part of every version that any client asks for later.
 *
 * <p>An array may have an only writer instead: see {@link ArrayWriter}. Then changes of this class
 * have no effect. They fail with {@link ArrayHasWriterException} if this client has played the
 * array up to the take-over.
 *
 * <p>Thread-safe. Calls end as those of {@link corfu.runtime.Log}, with the same exceptions, and
 * with {@link DamagedRecordException} if the stream holds something else.
 */
public final class VersionedBytes {

  /** The largest size of an array in bytes. */
  public static final long MAX_SIZE = RecordCodec.MAX_SIZE;

  private static final ByteBuffer NO_NOTE = ByteBuffer.allocate(0);

  private final BytesStore store;
  private final LogStream stream;
  private final Optional<BytesOrigin> origin;
  private final AtomicReference<@Nullable ArrayPlayer> player = new AtomicReference<>();
  private final AtomicReference<Optional<WriterPlayer>> writer =
      new AtomicReference<>(Optional.empty());

  VersionedBytes(BytesStore store, LogStream stream, Optional<BytesOrigin> origin) {
    this.store = store;
    this.stream = stream;
    this.origin = origin;
  }

  /** Returns the id of the array's stream. */
  public StreamId id() {
    return stream.id();
  }

  /** Returns the content of the array before the first entry of its stream, if it has any. */
  public Optional<BytesOrigin> origin() {
    return origin;
  }

  // ---------------------------------------------------------------------------------- reading

  /**
   * Returns the newest version: it includes every change that had returned before this call.
   * Callers that ask at the same time, of whatever array, share one question to the cluster.
   */
  public BytesView newest() {
    return newest(
        playerIfUsed().filter(ArrayPlayer::hasBegun).isPresent()
            ? store.end(id())
            : store.endsToBegin(id()));
  }

  /**
   * Returns the version at ends that were asked for before, or a newer one: it includes every
   * change that had returned when they were asked for.
   *
   * @param ends the ends of some streams, this array's among them; see {@link
   *     corfu.runtime.stream.Streams#ends}
   * @throws IllegalArgumentException if this array's stream is not among them
   */
  public BytesView newest(StreamEnds ends) {
    BytesState state = store.maps().withMaps(id(), () -> player().upTo(ends, store.deadline()));
    return store.view(state, origin);
  }

  /**
   * Returns the version that includes the changes at log addresses below this one, and no others.
   *
   * @param version an address at most the log's tail
   * @throws IllegalArgumentException if the address is beyond the log's tail
   * @throws VersionForgottenException if entries that the version needs were trimmed
   */
  public BytesView at(Address version) {
    store.decideBefore(id(), version);
    Version wanted = new Version(id(), origin, version.value());
    Optional<BytesState> known = player().known(wanted);
    if (known.isEmpty()) {
      var unused = newest();
      known = player().known(wanted);
    }
    return store.view(known.orElseGet(() -> resolved(wanted)), origin);
  }

  /** Reads a range of the newest version; see {@link BytesView#read}. */
  public ByteBuffer read(long offset, int length) {
    return newest().read(offset, length);
  }

  // ---------------------------------------------------------------------------------- changes

  /** Writes bytes without a note; see {@link #write(long, ByteBuffer, ByteBuffer)}. */
  public Address write(long offset, ByteBuffer data) {
    return write(offset, data, NO_NOTE);
  }

  /**
   * Writes bytes at an offset. Bytes between the array's end and the offset are zeros. A write of
   * at most {@link BytesOptions#maxEntryBytes} is atomic. Of a longer one, other clients may see
   * parts.
   *
   * @param offset the first byte's offset, 0 or more
   * @param data the bytes, from the buffer's position to its limit; not changed
   * @param note at most 255 bytes that the version keeps: for example a time and a user
   * @return the first version that includes the write
   */
  public Address write(long offset, ByteBuffer data, ByteBuffer note) {
    if (offset < 0 || offset > RecordCodec.MAX_SIZE - data.remaining()) {
      throw new IllegalArgumentException(
          "%d bytes at offset %d do not fit into an array of at most %d bytes"
              .formatted(data.remaining(), offset, RecordCodec.MAX_SIZE));
    }
    if (!data.hasRemaining()) {
      return newest().version();
    }
    List<ByteBuffer> payloads = new ArrayList<>();
    int most = store.options().maxEntryBytes();
    for (int done = 0; done < data.remaining(); done += most) {
      ByteBuffer piece =
          data.slice(data.position() + done, Math.min(most, data.remaining() - done));
      payloads.add(RecordCodec.write(note, offset + done, piece));
    }
    return appendAll(payloads);
  }

  private Address appendAll(List<ByteBuffer> payloads) {
    checkNoWriter();
    if (payloads.size() == 1) {
      return appendOne(payloads.getFirst());
    }
    List<CompletableFuture<StreamAppend.Appended>> appends =
        payloads.stream().map(stream::appendAsync).toList();
    Address last = Address.ZERO;
    for (int i = 0; i < appends.size(); i++) {
      Address version = appended(join(appends.get(i)), payloads.get(i));
      last = version.compareTo(last) > 0 ? version : last;
    }
    return last;
  }

  private Address appendOne(ByteBuffer payload) {
    checkNoWriter();
    return appended(stream.append(payload), payload);
  }

  /** Refuses a change that would have no effect, as far as this client knows. */
  void checkNoWriter() {
    boolean hadOne =
        writer
            .get()
            .map(WriterPlayer::state)
            .or(() -> playerIfUsed().flatMap(ArrayPlayer::current))
            .map(state -> state.writer().isHeld())
            .orElse(false);
    Optional<Owner> owner = hadOne ? newest().writer() : Optional.empty();
    if (owner.isPresent()) {
      throw new ArrayHasWriterException(id(), owner.get());
    }
  }

  private static StreamAppend.Appended join(CompletableFuture<StreamAppend.Appended> append) {
    try {
      return append.join();
    } catch (CompletionException failed) {
      throw failed.getCause() instanceof RuntimeException cause ? cause : failed;
    }
  }

  /**
   * Records an entry that the caller has appended to this array's stream, perhaps among others, so
   * that this client does not read it again. See {@link BytesRecords}.
   *
   * @param entry the outcome of the append
   * @param payload the entry's payload, from the buffer's position to its limit; not changed
   * @return the first version that includes the entry
   * @throws IllegalArgumentException if the entry is not in this array's stream
   */
  public Address appended(StreamAppend.Appended entry, ByteBuffer payload) {
    player().addOwn(entry, payload);
    store.hasAppended(entry.address());
    return new Address(entry.address().value() + 1);
  }

  /**
   * Writes bytes behind the array's last one, wherever that is when the log orders the change. Two
   * clients that append at the same time do not overwrite each other. Atomic.
   *
   * @param data the bytes, at most {@link BytesOptions#maxEntryBytes}
   * @param note at most 255 bytes that the version keeps
   * @return the first version that includes the bytes
   */
  public Address append(ByteBuffer data, ByteBuffer note) {
    if (data.remaining() > store.options().maxEntryBytes()) {
      throw new IllegalArgumentException(
          "an append has at most %d bytes, not %d: append pieces"
              .formatted(store.options().maxEntryBytes(), data.remaining()));
    }
    return data.hasRemaining() ? appendOne(RecordCodec.append(note, data)) : newest().version();
  }

  /**
   * Sets the array's size. Bytes that are new are zeros.
   *
   * @return the first version that includes the change
   */
  public Address truncate(long size, ByteBuffer note) {
    if (size < 0 || size > RecordCodec.MAX_SIZE) {
      throw new IllegalArgumentException(
          "an array has 0 to %d bytes, not %d".formatted(RecordCodec.MAX_SIZE, size));
    }
    return appendOne(RecordCodec.encode(note, new BytesRecord.Truncate(size)));
  }

  /**
   * Replaces a range with zeros that need no space. The size stays.
   *
   * @return the first version that includes the change
   */
  public Address punch(long offset, long length, ByteBuffer note) {
    if (offset < 0 || length < 0 || offset > RecordCodec.MAX_SIZE - length) {
      throw new IllegalArgumentException(
          "no array has a range of %d bytes at offset %d".formatted(length, offset));
    }
    return appendOne(RecordCodec.encode(note, new BytesRecord.Punch(offset, length)));
  }

  /**
   * Gives a range of this array the content of a range of a version. The bytes stay in the log's
   * entries that hold them: the copy is one small entry. If the source's range has more extents
   * than fit into {@link BytesOptions#maxEntryBytes}, the copy is several entries, and other
   * clients may see a part of it.
   *
   * @param source a version of any array, this one or another
   * @param sourceOffset the first byte's offset in the source, 0 or more
   * @param length the number of bytes, 0 or more; fewer are copied if the source ends before
   * @param targetOffset the first byte's offset in this array, 0 or more
   * @param note at most 255 bytes that the version keeps
   * @return the first version that includes the change
   */
  public Address copyRange(
      BytesView source, long sourceOffset, long length, long targetOffset, ByteBuffer note) {
    if (sourceOffset < 0 || length < 0 || targetOffset < 0) {
      throw new IllegalArgumentException(
          "no array has a range of %d bytes at offset %d or %d"
              .formatted(length, sourceOffset, targetOffset));
    }
    long many = Math.min(length, Math.max(0, source.size() - sourceOffset));
    if (targetOffset > RecordCodec.MAX_SIZE - many) {
      throw new IllegalArgumentException(
          "%d bytes at offset %d do not fit into an array of at most %d bytes"
              .formatted(many, targetOffset, RecordCodec.MAX_SIZE));
    }
    if (many == 0) {
      return newest().version();
    }
    List<ByteBuffer> payloads = new ArrayList<>();
    for (long done = 0; done < many; ) {
      CopyEntry next =
          copyEntry(source, sourceOffset + done, many - done, targetOffset + done, note);
      payloads.add(next.payload());
      done += next.length();
    }
    return appendAll(payloads);
  }

  /**
   * An entry that copies a range.
   *
   * @param payload the entry's payload, for {@link #appended}
   * @param length the number of bytes that it copies
   */
  public record CopyEntry(ByteBuffer payload, long length) {}

  /**
   * Returns an entry that copies a range, or as much of its beginning as fits into {@link
   * BytesOptions#maxEntryBytes}, for applications that append it themselves.
   *
   * @param source a version of any array, this one or another
   * @param sourceOffset the first byte's offset in the source, 0 or more
   * @param length the number of bytes, 1 or more, up to the source's end
   * @param targetOffset the first byte's offset in this array, 0 or more
   * @param note at most 255 bytes that the version keeps
   */
  public CopyEntry copyEntry(
      BytesView source, long sourceOffset, long length, long targetOffset, ByteBuffer note) {
    List<Extent> extents = source.extents(sourceOffset, length, targetOffset);
    int most = store.options().maxEntryBytes() / RecordCodec.EXTENT_BYTES;
    int count = Math.min(extents.size(), most);
    long end = count < extents.size() ? extents.get(count).offset() : targetOffset + length;
    long copied = end - targetOffset;
    var copy = new BytesRecord.Copy(targetOffset, copied, extents.subList(0, count));
    return new CopyEntry(RecordCodec.encode(note, copy), copied);
  }

  /**
   * Writes the map of the newest version to the log, so that clients that open the array need not
   * play it from its beginning.
   *
   * @return the version of the checkpoint
   */
  public Address checkpoint() {
    return store
        .maps()
        .withMaps(
            id(),
            () -> {
              BytesState state = newestState();
              store.writeCheckpoint(state);
              return state.version();
            });
  }

  /** Returns the store to which this array belongs. */
  BytesStore store() {
    return store;
  }

  /** Returns the state at a version, which is decided. */
  BytesState stateAt(Address version) {
    store.decideBefore(id(), version);
    return resolved(new Version(id(), origin, version.value()));
  }

  private BytesState resolved(Version wanted) {
    return store.maps().withMaps(id(), () -> store.resolver().version(wanted));
  }

  // ---------------------------------------------------------------------------------- playing

  private ArrayPlayer player() {
    ArrayPlayer known = player.get();
    if (known != null) {
      return known;
    }
    var created = new ArrayPlayer(store.shared(), stream, origin, this::writerState);
    ArrayPlayer first = player.compareAndExchange(null, created);
    return first == null ? created : first;
  }

  /** A writer of this client has states that are newer than what the player has. */
  void isWrittenBy(WriterPlayer writerPlayer) {
    writer.set(Optional.of(writerPlayer));
    forgetPlayer(); // the memory has one map then
  }

  /** A writer of this client has ended. */
  void isNotWrittenBy(WriterPlayer ended) {
    writer.updateAndGet(now -> now.filter(other -> other != ended));
  }

  /**
   * Returns the newest state of a writer of this client, if the array has one. It is left out as
   * long as pages of its map may be trimmed.
   */
  Optional<BytesState> writerState() {
    return writer.get().flatMap(WriterPlayer::wholeState);
  }

  /** Returns the state that includes every change that has returned. */
  BytesState newestState() {
    return store.maps().withMaps(id(), () -> player().upTo(store.end(id()), store.deadline()));
  }

  /** Gives up the maps in memory, because pages of some were trimmed. */
  void giveUpMaps() {
    forgetPlayer();
    writer.get().ifPresent(WriterPlayer::isMapLost);
  }

  /** Returns the player, if the array was used since it was opened. */
  Optional<ArrayPlayer> playerIfUsed() {
    return Optional.ofNullable(player.get());
  }

  /** Gives up all memory. A later use begins anew. */
  void forgetPlayer() {
    player.set(null);
  }

  @Override
  public String toString() {
    return "the byte array of stream " + id();
  }
}
