package corfu.silver.ship;

import static java.nio.charset.StandardCharsets.UTF_8;

import corfu.fuse.Result;
import corfu.fuse.linux.Errno;
import corfu.fuse.linux.FileMode;
import corfu.fuse.protocol.FileName;
import corfu.fuse.protocol.Timestamp;
import corfu.silver.AttributeChange;
import corfu.silver.Caller;
import corfu.silver.NewNode;
import corfu.silver.NodeId;
import corfu.silver.NodeStatus;
import corfu.silver.SilverFileSystem;
import corfu.silver.ship.ArchiveFormat.Range;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;

/**
 * Fills an empty file system from an archive. Memory holds an id for each directory. Not
 * thread-safe.
 */
public final class TreeReader {

  private static final int PIECE_BYTES = 1 << 20;
  private static final int HOLE_BYTES = 4096; // shorter runs of zeros are written
  private static final FileName HERE = FileName.of(".");
  private static final FileName UPWARDS = FileName.of("..");

  /** The times of a directory, which are set when it has all its names. */
  private record Times(NodeId directory, AttributeChange change) {}

  private final SilverFileSystem files;
  private final Caller caller;
  private final TarArchiveInputStream in;
  private final LongConsumer progress;
  private final List<Times> directories = new ArrayList<>();
  private long names;
  private long bytes;

  private TreeReader(
      SilverFileSystem files, Caller caller, TarArchiveInputStream in, LongConsumer progress) {
    this.files = files;
    this.caller = caller;
    this.in = in;
    this.progress = progress;
  }

  /**
   * Reads an archive to its end. If it fails, the file system has a part of the content.
   *
   * @param files the newest version of an empty file system
   * @param caller the author of the changes; nodes get the owners that the archive says
   * @param progress receives the number of names that are made so far
   * @throws IOException if the archive is damaged, cut off or no archive
   */
  public static Shipped read(
      InputStream from, SilverFileSystem files, Caller caller, LongConsumer progress)
      throws IOException {
    var in = new TarArchiveInputStream(new GZIPInputStream(from, PIECE_BYTES), "UTF-8");
    var reader = new TreeReader(files, caller, in, progress);
    try {
      reader.read();
    } catch (IllegalArgumentException malformed) {
      throw new IOException("the archive is damaged: " + malformed.getMessage(), malformed);
    }
    return new Shipped(reader.names, reader.bytes);
  }

  private void read() throws IOException {
    TarArchiveEntry entry = in.getNextEntry();
    while (entry != null) {
      make(entry);
      entry = in.getNextEntry();
    }
    for (Times times : directories.reversed()) {
      done(files.setAttributes(times.directory(), times.change(), caller), "a directory");
    }
    int behind = in.read(new byte[1]); // the checksum is at the end of the stream
    if (behind >= 0) {
      throw new IOException("the archive is damaged: something follows its end");
    }
  }

  private static byte[] path(TarArchiveEntry entry) {
    String own = entry.getExtraPaxHeader(ArchiveFormat.PATH);
    return own == null ? entry.getName().getBytes(UTF_8) : ArchiveFormat.bytes(own);
  }

  private void make(TarArchiveEntry entry) throws IOException {
    byte[] path = path(entry);
    String text = ArchiveFormat.text(path);
    List<FileName> steps = steps(path);
    if (steps.isEmpty()) {
      makeRoot(entry, text);
      return;
    }
    NodeId directory = find(steps.subList(0, steps.size() - 1), text);
    FileName name = steps.getLast();
    if (entry.isLink()) {
      byte[] target = target(entry);
      NodeId linked = find(steps(target), ArchiveFormat.text(target));
      done(files.link(linked, directory, name, caller), text);
    } else {
      make(entry, directory, name, text);
    }
    names++;
    progress.accept(names);
  }

  private void makeRoot(TarArchiveEntry entry, String path) throws IOException {
    attributes(files.root(), entry, path);
    for (Map.Entry<FileName, byte[]> each : ArchiveFormat.attributes(entry).entrySet()) {
      done(
          files.setExtendedAttribute(
              files.root(), each.getKey(), each.getValue(), false, false, caller),
          path);
    }
  }

  private void make(TarArchiveEntry entry, NodeId directory, FileName name, String path)
      throws IOException {
    NewNode state = state(entry);
    NodeId node = done(files.create(directory, name, state, caller), path);
    if (FileMode.isRegular(state.mode())) {
      data(entry, node, path);
    }
    attributes(node, entry, path);
  }

  private static NewNode state(TarArchiveEntry entry) throws IOException {
    if (entry.isDirectory()) {
      return state(entry, FileMode.DIRECTORY, 0, new byte[0]);
    }
    if (entry.isSymbolicLink()) {
      return state(entry, FileMode.SYMBOLIC_LINK, 0, target(entry));
    }
    int device = DeviceNumber.of(entry.getDevMajor(), entry.getDevMinor());
    if (entry.isCharacterDevice()) {
      return state(entry, FileMode.CHARACTER_DEVICE, device, new byte[0]);
    }
    if (entry.isBlockDevice()) {
      return state(entry, FileMode.BLOCK_DEVICE, device, new byte[0]);
    }
    if (entry.isFIFO()) {
      return state(entry, FileMode.FIFO, 0, new byte[0]);
    }
    if (entry.isFile()) {
      return state(entry, FileMode.REGULAR, 0, new byte[0]);
    }
    throw new IOException("the archive has an entry of an unknown kind: " + entry.getName());
  }

  private static NewNode state(TarArchiveEntry entry, int type, int device, byte[] target) {
    return new NewNode(
        type | (entry.getMode() & FileMode.PERMISSIONS),
        (int) entry.getLongUserId(),
        (int) entry.getLongGroupId(),
        device,
        target,
        ArchiveFormat.attributes(entry));
  }

  private static byte[] target(TarArchiveEntry entry) {
    String own = entry.getExtraPaxHeader(ArchiveFormat.TARGET);
    return own == null ? entry.getLinkName().getBytes(UTF_8) : ArchiveFormat.bytes(own);
  }

  private void attributes(NodeId node, TarArchiveEntry entry, String path) throws IOException {
    Timestamp modified = ArchiveFormat.time(entry, ArchiveFormat.MODIFIED);
    Timestamp read = ArchiveFormat.time(entry, ArchiveFormat.READ);
    AttributeChange times =
        AttributeChange.NONE.withModificationTime(modified).withAccessTime(read);
    if (entry.isDirectory()) {
      directories.add(new Times(node, times));
    }
    AttributeChange all =
        times
            .withPermissions(entry.getMode() & FileMode.PERMISSIONS)
            .withUid((int) entry.getLongUserId())
            .withGid((int) entry.getLongGroupId());
    done(files.setAttributes(node, all, caller), path);
  }

  // -------------------------------------------------------------------------------------- paths

  /**
   * Returns the names of a path. Archives of other programs have paths that begin with a dot or a
   * slash, which mean the root here.
   *
   * @throws IOException if a name leads upwards, or is none
   */
  private static List<FileName> steps(byte[] path) throws IOException {
    List<FileName> steps = new ArrayList<>();
    int from = 0;
    for (int to = 0; to <= path.length; to++) {
      if (to < path.length && path[to] == 0) {
        throw new IOException("the archive is damaged: a path has a zero byte");
      }
      if (to == path.length || path[to] == '/') {
        FileName name = FileName.of(Arrays.copyOfRange(path, from, to));
        if (name.equals(UPWARDS)) {
          throw new IOException(
              "the archive has the path %s, which leads upwards"
                  .formatted(ArchiveFormat.text(path)));
        }
        if (to > from && !name.equals(HERE)) {
          steps.add(name);
        }
        from = to + 1;
      }
    }
    return steps;
  }

  private NodeId find(List<FileName> steps, String path) throws IOException {
    NodeId node = files.root();
    for (FileName name : steps) {
      NodeStatus found = done(files.lookUp(node, name), path);
      node = found.node();
    }
    return node;
  }

  private static <T> T done(Result<T> result, String path) throws IOException {
    return switch (result) {
      case Result.Success<T>(T value) -> value;
      case Result.Failure<T>(Errno errno) ->
          throw new IOException(
              "%s cannot be made: %s. The archive needs an empty file system"
                  .formatted(path, errno));
    };
  }

  // --------------------------------------------------------------------------------------- data

  private void data(TarArchiveEntry entry, NodeId node, String path) throws IOException {
    String large = entry.getExtraPaxHeader(ArchiveFormat.LARGE_SIZE);
    long size = large == null ? entry.getRealSize() : Long.parseLong(large);
    if (large == null) {
      long at = 0;
      for (Range range : ranges(entry)) {
        in.skipNBytes(range.offset() - at); // the library makes zeros of holes
        at = data(node, range, path);
      }
    } else {
      for (Range range : ArchiveFormat.readSparseMap(in, size)) {
        long unused = data(node, range, path);
      }
    }
    done(files.resize(node, size, caller), path);
  }

  private static List<Range> ranges(TarArchiveEntry entry) throws IOException {
    if (!entry.isSparse()) {
      return List.of(new Range(0, entry.getSize()));
    }
    return entry.getOrderedSparseHeaders().stream()
        .map(each -> new Range(each.getOffset(), each.getNumbytes()))
        .toList();
  }

  private long data(NodeId node, Range range, String path) throws IOException {
    byte[] piece = new byte[PIECE_BYTES];
    long at = range.offset();
    long end = at + range.length();
    while (at < end) {
      int wanted = (int) Math.min(PIECE_BYTES, end - at);
      int many = in.readNBytes(piece, 0, wanted);
      if (many < wanted) {
        throw new IOException("%s ends at %d instead of %d".formatted(path, at + many, end));
      }
      at = write(node, at, ByteBuffer.wrap(piece, 0, many), path);
    }
    return at;
  }

  /** Writes what is not a hole. Returns the offset behind the piece. */
  private long write(NodeId node, long offset, ByteBuffer piece, String path) throws IOException {
    int from = 0;
    int end = piece.remaining();
    while (from < end) {
      int to = from;
      while (to < end && !isHole(piece, to, end)) {
        to = Math.min(end, to + HOLE_BYTES);
      }
      if (to > from) {
        done(files.write(node, offset + from, piece.slice(from, to - from), caller), path);
        bytes += to - from;
      }
      from = to;
      while (from < end && isHole(piece, from, end)) {
        from = Math.min(end, from + HOLE_BYTES);
      }
    }
    return offset + end;
  }

  private static boolean isHole(ByteBuffer piece, int from, int end) {
    int to = Math.min(end, from + HOLE_BYTES);
    for (int i = from; i < to; i++) {
      if (piece.get(i) != 0) {
        return false;
      }
    }
    return true;
  }
}
