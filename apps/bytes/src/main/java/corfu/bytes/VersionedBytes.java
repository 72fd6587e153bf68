package corfu.bytes;

import corfu.bytes.internal.record.BytesRecord;
import corfu.bytes.internal.record.RecordCodec;
import corfu.bytes.internal.state.BytesState;
import corfu.protocol.Address;
import corfu.protocol.StreamAddress;
import corfu.protocol.StreamId;
import corfu.runtime.StreamAppend;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.StreamReader;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A byte array over a stream: each change is an entry of the stream, and every version stays
 * readable. Any number of clients may use the same array. Linearizable: a change that has returned
 * is part of every version that any client asks for later.
 *
 * <p>Thread-safe. Calls end as those of {@link corfu.runtime.Log}, with the same exceptions, and
 * with {@link DamagedRecordException} if the stream holds something else.
 */
public final class VersionedBytes {

  private static final ByteBuffer NO_NOTE = ByteBuffer.allocate(0);

  private final BytesStore store;
  private final LogStream stream;

  private final ReentrantLock lock = new ReentrantLock();
  private final TreeMap<Long, BytesState> recent = new TreeMap<>(); // by their versions
  private StreamReader reader;
  private StreamAddress next = StreamAddress.ZERO; // the place of the next entry to apply
  private long applying; // the log address of the last entry that was begun
  private BytesState state;

  VersionedBytes(BytesStore store, LogStream stream) {
    this.store = store;
    this.stream = stream;
    this.reader = stream.reader();
    this.state = store.empty(stream.id());
  }

  /** Returns the id of the array's stream. */
  public StreamId id() {
    return stream.id();
  }

  // ---------------------------------------------------------------------------------- reading

  /** Returns the newest version: it includes every change that had returned before this call. */
  public BytesView newest() {
    return store.view(sync());
  }

  /**
   * Returns the version that includes the changes at log addresses below this one, and no others.
   *
   * @param version an address at most the log's tail
   * @throws IllegalArgumentException if the address is beyond the log's tail
   * @throws VersionForgottenException if entries that the version needs were trimmed
   */
  public BytesView at(Address version) {
    Address tail = store.log().tail();
    if (version.compareTo(tail) > 0) {
      throw new IllegalArgumentException(
          "version %s of the byte array of stream %s does not exist yet: the log ends at %s"
              .formatted(version, id(), tail));
    }
    store.decideBefore(version);
    return store.view(store.stateAt(id(), version.value()));
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
    List<CompletableFuture<StreamAppend.Appended>> appends = new ArrayList<>();
    int most = store.options().maxEntryBytes();
    for (int done = 0; done < data.remaining(); done += most) {
      ByteBuffer piece =
          data.slice(data.position() + done, Math.min(most, data.remaining() - done));
      appends.add(stream.appendAsync(RecordCodec.write(note, offset + done, piece)));
    }
    return appends.stream().map(VersionedBytes::version).max(Address::compareTo).orElseThrow();
  }

  private static Address version(CompletableFuture<StreamAppend.Appended> append) {
    try {
      return version(append.join());
    } catch (CompletionException failed) {
      throw failed.getCause() instanceof RuntimeException cause ? cause : failed;
    }
  }

  private static Address version(StreamAppend.Appended appended) {
    return new Address(appended.address().value() + 1);
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
    return data.hasRemaining()
        ? version(stream.append(RecordCodec.append(note, data)))
        : newest().version();
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
    return version(stream.append(RecordCodec.encode(note, new BytesRecord.Truncate(size))));
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
    return version(stream.append(RecordCodec.encode(note, new BytesRecord.Punch(offset, length))));
  }

  // ---------------------------------------------------------------------------------- playing

  /** Applies all entries that had been appended before this call. */
  private BytesState sync() {
    lock.lock();
    try {
      play();
      return state;
    } finally {
      lock.unlock();
    }
  }

  /** A failure leaves the state at the last applied entry, and a later call goes on from there. */
  private void play() {
    boolean isDone = false;
    try {
      reader.sync();
      playToEnd();
      isDone = true;
    } finally {
      if (!isDone) {
        reader = stream.reader(next); // the old one has passed an entry, or reported a gap once
      }
    }
  }

  private void playToEnd() {
    while (true) {
      switch (reader.readNext()) {
        case StreamRead.Entry entry -> apply(entry);
        case StreamRead.Trimmed(StreamAddress before) ->
            throw new VersionForgottenException(
                id(), state.version(), "the stream before place " + before);
        case StreamRead.Absent end -> {
          return;
        }
      }
    }
  }

  private void apply(StreamRead.Entry entry) {
    Address address = entry.address();
    RecordCodec.Decoded record = RecordCodec.decode(address, entry.payload());
    applying = address.value();
    state = state.after(address.value(), record, this::versionFor);
    next = new StreamAddress(entry.streamAddress().value() + 1);
    recent.put(state.before(), state);
    if (recent.size() > store.options().recentVersions()) {
      recent.pollFirstEntry();
    }
  }

  private BytesState versionFor(StreamId source, long before) {
    return source.equals(id())
        ? recent(before).orElseGet(() -> store.replay(source, before))
        : store.stateAt(source, before);
  }

  /** Returns a version if memory still has it. The lock must be held. */
  private Optional<BytesState> recent(long before) {
    return Optional.ofNullable(recent.floorEntry(before)).map(found -> found.getValue());
  }

  /**
   * Returns a version if memory has it, and if no other thread plays entries. To wait for that
   * thread might never end, because it may wait for this one. If this thread is just applying an
   * entry of the array, a clone on the way has come back to it. Then memory has only the versions
   * before that entry.
   */
  Optional<BytesState> recentIfFree(long before) {
    if (!lock.tryLock()) {
      return Optional.empty();
    }
    try {
      if (lock.getHoldCount() > 1) {
        return before <= applying ? recent(before) : Optional.empty();
      }
      play();
      return recent(before);
    } finally {
      lock.unlock();
    }
  }
}
