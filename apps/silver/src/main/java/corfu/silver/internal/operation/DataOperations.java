package corfu.silver.internal.operation;

import corfu.bytes.BytesView;
import corfu.bytes.VersionedBytes;
import corfu.fuse.Done;
import corfu.fuse.Result;
import corfu.fuse.linux.Errno;
import corfu.protocol.Address;
import corfu.protocol.StreamId;
import corfu.protocol.stream.StreamPart;
import corfu.silver.Caller;
import corfu.silver.NodeId;
import corfu.silver.internal.inode.Content;
import corfu.silver.internal.inode.Inode;
import corfu.silver.internal.node.Attempt;
import corfu.silver.internal.node.Changes;
import corfu.silver.internal.node.View;
import corfu.silver.internal.record.DataEntries;
import corfu.silver.internal.record.SilverCodec;
import corfu.silver.internal.record.SilverRecord;
import corfu.silver.internal.record.Stamp;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * The operations that change the bytes of files. Thread-safe.
 *
 * <p>The bytes of a small file are in the stream of its attributes. The write that makes it larger
 * moves all of them to the file's data stream. That write is one entry in both streams. From then
 * on the data stream has the bytes, whatever the size.
 */
public final class DataOperations {

  private final Changes changes;
  private final FileData data;

  /** Returns the operations of a file system. */
  public DataOperations(Changes changes, FileData data) {
    this.changes = changes;
    this.data = data;
  }

  /** Where the bytes of a file are, after an operation on a small file. */
  private enum Outcome {
    DONE,
    IN_DATA_STREAM
  }

  /** The effect of an operation on a small file. */
  @FunctionalInterface
  private interface Small {
    Attempt<Outcome> on(byte[] bytes, Stamp stamp);
  }

  private Result<Outcome> change(NodeId node, Caller caller, Small operation) {
    Stamp stamp = NameOperations.stamp(caller);
    return changes.make(view -> attempt(view, node, stamp, operation));
  }

  private static Attempt<Outcome> attempt(View view, NodeId node, Stamp stamp, Small operation) {
    Optional<Inode> inode = view.get(node);
    if (inode.isEmpty()) {
      return Attempt.refused(Errno.ESTALE);
    }
    return switch (inode.get().content()) {
      case Content.Inline(byte[] bytes) -> operation.on(bytes, stamp);
      case Content.Spilled spilled -> new Attempt.Unchanged<>(Outcome.IN_DATA_STREAM);
      case Content.Directory directory -> Attempt.refused(Errno.EISDIR);
      case Content.Target target -> Attempt.refused(Errno.EINVAL);
      case Content.Special special -> Attempt.refused(Errno.EINVAL);
    };
  }

  private boolean isInDataStream(NodeId node) {
    return changes
        .known(node)
        .filter(inode -> inode.content() instanceof Content.Spilled)
        .isPresent();
  }

  // ------------------------------------------------------------------------------------- writes

  /**
   * Writes bytes.
   *
   * @param bytes the bytes; they must not change until this returns
   */
  public Result<Done> write(NodeId node, long offset, ByteBuffer bytes, Caller caller) {
    return throughBoth(
        node,
        offset,
        bytes.remaining(),
        caller,
        (before, stamp) -> small(node, before, offset, bytes, stamp),
        note -> data.open(node).write(offset, bytes, note));
  }

  /** Writes bytes behind the last one, wherever that is when the log orders the write. */
  public Result<Done> append(NodeId node, ByteBuffer bytes, Caller caller) {
    return throughBoth(
        node,
        0,
        bytes.remaining(),
        caller,
        (before, stamp) -> smallAppend(node, before, bytes, stamp),
        note -> data.open(node).append(bytes, note));
  }

  /** The effect of an operation on a large file. */
  @FunctionalInterface
  private interface Large {
    Address on(ByteBuffer note);
  }

  /** Finds what is wrong with a range of a file. */
  private static Optional<Errno> problemOfRange(long offset, long length) {
    if (offset < 0 || length < 0) {
      return Optional.of(Errno.EINVAL);
    }
    return offset > VersionedBytes.MAX_SIZE - length ? Optional.of(Errno.EFBIG) : Optional.empty();
  }

  private Result<Done> throughBoth(
      NodeId node, long offset, long length, Caller caller, Small small, Large large) {
    Optional<Errno> problem = problemOfRange(offset, length);
    if (problem.isPresent()) {
      return Result.failed(problem.get());
    }
    while (!isInDataStream(node)) {
      switch (change(node, caller, small)) {
        case Result.Failure<Outcome>(Errno errno) -> {
          return Result.failed(errno);
        }
        case Result.Success<Outcome>(Outcome outcome) when outcome == Outcome.DONE -> {
          return Result.done();
        }
        case Result.Success<Outcome> inDataStream -> {}
      }
      changes.see(node);
    }
    Address version = large.on(NameOperations.stamp(caller).note());
    changes.appended(version.value() - 1);
    return Result.done();
  }

  private static Attempt<Outcome> small(
      NodeId node, byte[] before, long offset, ByteBuffer bytes, Stamp stamp) {
    long end = offset + bytes.remaining();
    if (end <= Inode.MAX_INLINE_BYTES) {
      return inline(node, written(offset, bytes), stamp, Keys.PLACE);
    }
    if (before.length == 0) {
      return spill(node, DataEntries.write(stamp, offset, bytes), Outcome.DONE);
    }
    if (offset > before.length) {
      return moveAll(node, before, stamp); // the gap needs no bytes in a second entry
    }
    ByteBuffer all = ByteBuffer.allocate((int) Math.max(end, before.length));
    all.put(before).put((int) offset, bytes, bytes.position(), bytes.remaining());
    return spill(node, DataEntries.write(stamp, 0, all.clear()), Outcome.DONE);
  }

  private static Attempt<Outcome> smallAppend(
      NodeId node, byte[] before, ByteBuffer bytes, Stamp stamp) {
    return before.length + bytes.remaining() <= Inode.MAX_INLINE_BYTES
        ? inline(node, written(before.length, bytes), stamp, Keys.PLACE, Keys.BYTES)
        : small(node, before, before.length, bytes, stamp);
  }

  private static SilverRecord written(long offset, ByteBuffer bytes) {
    byte[] copy = new byte[bytes.remaining()];
    bytes.duplicate().get(copy);
    return new SilverRecord.WriteInline(offset, copy);
  }

  /**
   * Other writes of the file may come between, as the log orders them, but no move of the bytes.
   */
  private static Attempt<Outcome> inline(
      NodeId node, SilverRecord record, Stamp stamp, Long... reads) {
    return Attempt.append(
        SilverCodec.encode(stamp, record),
        List.of(Keys.of(node, Keys.BYTES)),
        List.of(Keys.of(node, reads)),
        Outcome.DONE);
  }

  private static Attempt<Outcome> moveAll(NodeId node, byte[] bytes, Stamp stamp) {
    return spill(node, DataEntries.write(stamp, 0, ByteBuffer.wrap(bytes)), Outcome.IN_DATA_STREAM);
  }

  private static Attempt<Outcome> spill(NodeId node, ByteBuffer entry, Outcome outcome) {
    StreamId bytes = node.data();
    return Attempt.append(
        entry,
        List.of(Keys.of(node, Keys.BYTES, Keys.PLACE), StreamPart.whole(bytes)),
        List.of(Keys.of(node, Keys.BYTES, Keys.PLACE)),
        outcome);
  }

  // ------------------------------------------------------------------------------ sizes and holes

  /** Sets the size of a file. */
  public Result<Done> resize(NodeId node, long size, Caller caller) {
    return throughBoth(
        node,
        size,
        0,
        caller,
        (before, stamp) -> {
          if (size <= Inode.MAX_INLINE_BYTES) {
            return inline(node, new SilverRecord.ResizeInline(size), stamp, Keys.PLACE);
          }
          return before.length == 0
              ? spill(node, DataEntries.resize(stamp, size), Outcome.DONE)
              : moveAll(node, before, stamp);
        },
        note -> data.open(node).truncate(size, note));
  }

  /** Replaces a range with zeros. The size stays. */
  public Result<Done> punch(NodeId node, long offset, long length, Caller caller) {
    return throughBoth(
        node,
        offset,
        length,
        caller,
        (before, stamp) -> {
          if (offset >= before.length) {
            return new Attempt.Unchanged<>(Outcome.DONE);
          }
          int count = (int) Math.min(length, before.length - offset);
          SilverRecord zeros = new SilverRecord.WriteInline(offset, new byte[count]);
          return inline(node, zeros, stamp, Keys.PLACE, Keys.BYTES);
        },
        note -> data.open(node).punch(offset, length, note));
  }

  /**
   * A file to copy from.
   *
   * @param root the root of its file system
   * @param node the file
   * @param version the version, or empty for the newest one
   * @param data takes a view of its bytes at that version
   */
  public record CopySource(
      NodeId root, NodeId node, OptionalLong version, Supplier<Result<BytesView>> data) {}

  /** One entry of a copy. */
  private record Copied(long bytes, boolean isLast) {}

  /**
   * Copies a range between two large files without a copy of the bytes. The entry relies on the
   * source's history and names, so that the bytes are not given up meanwhile.
   *
   * @return the number of bytes, or EOPNOTSUPP if the target is a small file, or if one of the
   *     files has no name
   */
  public Result<Long> copy(
      CopySource source,
      long sourceOffset,
      NodeId target,
      long targetOffset,
      long length,
      Caller caller) {
    Optional<Errno> problem =
        problemOfRange(sourceOffset, length).or(() -> problemOfRange(targetOffset, length));
    if (problem.isPresent()) {
      return Result.failed(problem.get());
    }
    Stamp stamp = NameOperations.stamp(caller);
    long done = 0;
    while (true) {
      Range rest = new Range(sourceOffset + done, targetOffset + done, length - done);
      switch (changes.make(view -> copy(view, source, target, rest, stamp))) {
        case Result.Failure<Copied>(Errno errno) -> {
          return done > 0 ? Result.of(done) : Result.failed(errno);
        }
        case Result.Success<Copied>(Copied copied) -> {
          done += copied.bytes();
          if (copied.isLast()) {
            return Result.of(done);
          }
        }
      }
    }
  }

  private record Range(long from, long to, long length) {}

  private Attempt<Copied> copy(
      View view, CopySource source, NodeId target, Range range, Stamp stamp) {
    view.lookAt(List.of(source.root(), source.node(), target));
    History.check(view, source.root(), source.version().orElse(Long.MAX_VALUE));
    if (!hasNameAndDataStream(view, target) || !isNamed(view, source)) {
      return Attempt.refused(Errno.EOPNOTSUPP);
    }
    return switch (source.data().get()) {
      case Result.Failure<BytesView>(Errno errno) -> Attempt.refused(errno);
      case Result.Success<BytesView>(BytesView bytes) -> copy(bytes, source, target, range, stamp);
    };
  }

  /** Files without names are not looked at when history is given up. */
  private static boolean hasNameAndDataStream(View view, NodeId node) {
    return view.get(node)
        .filter(inode -> inode.links() > 0 && inode.content() instanceof Content.Spilled)
        .isPresent();
  }

  private static boolean isNamed(View view, CopySource source) {
    return source.version().isPresent()
        || view.get(source.node()).filter(inode -> inode.links() > 0).isPresent();
  }

  private Attempt<Copied> copy(
      BytesView bytes, CopySource source, NodeId target, Range range, Stamp stamp) {
    long count = Math.min(range.length(), Math.max(0, bytes.size() - range.from()));
    if (count <= 0) {
      return new Attempt.Unchanged<>(new Copied(0, true));
    }
    VersionedBytes.CopyEntry entry =
        data.open(target).copyEntry(bytes, range.from(), count, range.to(), stamp.note());
    return Attempt.append(
        entry.payload(),
        List.of(StreamPart.whole(target.data())),
        new Parts()
            .with(source.root(), Keys.HISTORY)
            .with(source.node(), Keys.LINKS)
            .with(target, Keys.LINKS, Keys.PLACE)
            .list(),
        new Copied(entry.length(), entry.length() == count));
  }

  // -------------------------------------------------------------------------------------- reads

  /** Reads from a state of a file. */
  static ByteBuffer read(Inode inode, long offset, int length, Source large) {
    if (inode.content() instanceof Content.Inline(byte[] bytes)) {
      int from = (int) Math.min(offset, bytes.length);
      int to = (int) Math.min(bytes.length, offset + length);
      return ByteBuffer.wrap(Arrays.copyOfRange(bytes, from, Math.max(from, to)));
    }
    return large.view().read(offset, length);
  }

  /** Looks up the data of a large file. */
  @FunctionalInterface
  interface Source {
    BytesView view();
  }
}
