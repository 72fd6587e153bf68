package corfu.silver.ship;

import corfu.fuse.Result;
import corfu.fuse.linux.Errno;
import corfu.fuse.linux.FileMode;
import corfu.silver.DirectoryListing;
import corfu.silver.NodeId;
import corfu.silver.NodeStatus;
import corfu.silver.SilverFileSystem;
import corfu.silver.ship.ArchiveFormat.Range;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;

/**
 * Writes a version of a file system to an archive. Memory holds the paths of files with several
 * names, and the ranges of one file. Not thread-safe.
 */
public final class TreeWriter {

  private static final int PIECE_BYTES = 1 << 20;

  @SuppressWarnings("ArrayRecordComponent") // compared by nobody
  private record Visit(byte[] path, NodeId node) {}

  private final SilverFileSystem files;
  private final TarArchiveOutputStream out;
  private final LongConsumer progress;
  private final Deque<Visit> directories = new ArrayDeque<>();
  private final Map<NodeId, byte[]> linked = new HashMap<>();
  private long names;
  private long bytes;

  private TreeWriter(SilverFileSystem files, TarArchiveOutputStream out, LongConsumer progress) {
    this.files = files;
    this.out = out;
    this.progress = progress;
  }

  /**
   * Writes an archive, and does not close the stream.
   *
   * @param files a version of the past
   * @param progress receives the number of names that are written so far
   * @throws IllegalArgumentException if it is the newest version, which may change meanwhile
   * @throws IOException if the stream fails
   */
  public static Shipped write(SilverFileSystem files, OutputStream to, LongConsumer progress)
      throws IOException {
    if (!files.isReadOnly()) {
      throw new IllegalArgumentException("an archive needs a version; take the current one");
    }
    var zipped = new GZIPOutputStream(to, PIECE_BYTES);
    var out = new TarArchiveOutputStream(zipped, "UTF-8");
    out.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
    out.setBigNumberMode(TarArchiveOutputStream.BIGNUMBER_POSIX);
    out.setAddPaxHeadersForNonAsciiNames(true);
    var writer = new TreeWriter(files, out, progress);
    writer.write();
    out.finish();
    out.flush();
    zipped.finish();
    return new Shipped(writer.names, writer.bytes);
  }

  private void write() throws IOException {
    directory(new byte[] {'.'}, valueOf(files.status(files.root()), "/"));
    directories.add(new Visit(new byte[0], files.root()));
    while (!directories.isEmpty()) {
      Visit visit = directories.removeLast();
      String path = "/" + ArchiveFormat.text(visit.path());
      for (DirectoryListing.Name name : valueOf(files.list(visit.node()), path).all()) {
        child(visit, name);
      }
    }
  }

  private void child(Visit visit, DirectoryListing.Name name) throws IOException {
    byte[] path = path(visit.path(), name.name().bytes());
    NodeStatus status = valueOf(files.status(name.node()), ArchiveFormat.text(path));
    if (status.isDirectory()) {
      directory(path, status);
      directories.add(new Visit(path, name.node()));
    } else if (linked.containsKey(name.node())) {
      link(path, linked.getOrDefault(name.node(), path), status);
    } else {
      if (status.links() > 1) {
        linked.put(name.node(), path);
      }
      switch (status.mode() & FileMode.TYPE) {
        case FileMode.REGULAR -> file(path, status);
        case FileMode.SYMBOLIC_LINK -> symbolicLink(path, status);
        default -> special(path, status);
      }
    }
    names++;
    progress.accept(names);
  }

  private static byte[] path(byte[] directory, byte[] name) {
    var path = new ByteArrayOutputStream();
    path.writeBytes(directory);
    if (directory.length > 0) {
      path.write('/');
    }
    path.writeBytes(name);
    return path.toByteArray();
  }

  private <T> T valueOf(Result<T> result, String path) throws IOException {
    return switch (result) {
      case Result.Success<T>(T value) -> value;
      case Result.Failure<T>(Errno errno) ->
          throw new IOException(
              "version %d of %s cannot be read (%s); check it with fsck"
                  .formatted(files.version().orElse(0), path, errno));
    };
  }

  // ----------------------------------------------------------------------------------- entries

  /** Returns what the extended headers of a node say. */
  private Map<String, String> headers(byte[] path, NodeStatus status) throws IOException {
    Map<String, String> headers = new TreeMap<>();
    headers.put(ArchiveFormat.MODIFIED, ArchiveFormat.exact(status.modification()));
    headers.put(ArchiveFormat.READ, ArchiveFormat.exact(status.access()));
    if (!ArchiveFormat.isText(path)) {
      headers.put(ArchiveFormat.PATH, ArchiveFormat.base64(path));
    }
    valueOf(files.extendedAttributes(status.node()), ArchiveFormat.text(path))
        .forEach(
            (name, value) ->
                headers.put(ArchiveFormat.attribute(name), ArchiveFormat.base64(value)));
    return headers;
  }

  private static TarArchiveEntry entry(String name, byte type, NodeStatus status) {
    var entry = new TarArchiveEntry(name, type, true);
    entry.setMode(status.mode() & FileMode.PERMISSIONS);
    entry.setUserId(status.uid() & 0xffff_ffffL);
    entry.setGroupId(status.gid() & 0xffff_ffffL);
    entry.setLastModifiedTime(ArchiveFormat.time(status.modification()));
    return entry;
  }

  private TarArchiveEntry entry(byte[] path, byte type, NodeStatus status) throws IOException {
    String text = ArchiveFormat.text(path);
    TarArchiveEntry entry = entry(type == TarConstants.LF_DIR ? text + "/" : text, type, status);
    headers(path, status).forEach(entry::addPaxHeader);
    return entry;
  }

  private void put(TarArchiveEntry entry) throws IOException {
    out.putArchiveEntry(entry);
    out.closeArchiveEntry();
  }

  private void directory(byte[] path, NodeStatus status) throws IOException {
    put(entry(path, TarConstants.LF_DIR, status));
  }

  private void link(byte[] path, byte[] first, NodeStatus status) throws IOException {
    put(withTarget(entry(path, TarConstants.LF_LINK, status), first));
  }

  private void symbolicLink(byte[] path, NodeStatus status) throws IOException {
    byte[] target = valueOf(files.readLink(status.node()), ArchiveFormat.text(path));
    put(withTarget(entry(path, TarConstants.LF_SYMLINK, status), target));
  }

  private static TarArchiveEntry withTarget(TarArchiveEntry entry, byte[] target) {
    entry.setLinkName(ArchiveFormat.text(target));
    if (!ArchiveFormat.isText(target)) {
      entry.addPaxHeader(ArchiveFormat.TARGET, ArchiveFormat.base64(target));
    }
    return entry;
  }

  private void special(byte[] path, NodeStatus status) throws IOException {
    byte type =
        switch (status.mode() & FileMode.TYPE) {
          case FileMode.FIFO -> TarConstants.LF_FIFO;
          case FileMode.CHARACTER_DEVICE -> TarConstants.LF_CHR;
          case FileMode.BLOCK_DEVICE -> TarConstants.LF_BLK;
          default -> (byte) 0;
        };
    if (type == 0) {
      return; // as tar, an archive has no sockets
    }
    TarArchiveEntry entry = entry(path, type, status);
    entry.setDevMajor(DeviceNumber.major(status.device()));
    entry.setDevMinor(DeviceNumber.minor(status.device()));
    put(entry);
  }

  // -------------------------------------------------------------------------------------- data

  private void file(byte[] path, NodeStatus status) throws IOException {
    List<Range> ranges = ranges(path, status);
    long data = ranges.stream().mapToLong(Range::length).sum();
    if (data < status.size()) {
      beginSparse(path, status, ranges, data);
    } else {
      TarArchiveEntry entry = entry(path, TarConstants.LF_NORMAL, status);
      entry.setSize(data);
      out.putArchiveEntry(entry);
    }
    for (Range range : ranges) {
      data(path, status, range);
    }
    out.closeArchiveEntry();
    bytes += data;
  }

  /** The library reads entries with holes, but does not write their extended headers. */
  private void beginSparse(byte[] path, NodeStatus status, List<Range> ranges, long data)
      throws IOException {
    Map<String, String> headers = headers(path, status);
    if (status.size() <= Integer.MAX_VALUE) {
      headers.put(ArchiveFormat.SPARSE_MAJOR, "1");
      headers.put(ArchiveFormat.SPARSE_MINOR, "0");
      headers.put(ArchiveFormat.SPARSE_NAME, ArchiveFormat.text(path));
      headers.put(ArchiveFormat.SPARSE_SIZE, Long.toString(status.size()));
    } else {
      headers.put(ArchiveFormat.LARGE_SIZE, Long.toString(status.size()));
      headers.put(ArchiveFormat.PATH, ArchiveFormat.base64(path));
    }
    byte[] encoded = ArchiveFormat.encoded(headers);
    var extended =
        new TarArchiveEntry("PaxHeaders.0/sparse", TarConstants.LF_PAX_EXTENDED_HEADER_LC);
    extended.setSize(encoded.length);
    out.setBigNumberMode(TarArchiveOutputStream.BIGNUMBER_STAR); // no further extended headers
    out.putArchiveEntry(extended);
    out.write(encoded);
    out.closeArchiveEntry();
    byte[] map = ArchiveFormat.sparseMap(ranges, status.size());
    TarArchiveEntry entry = entry("GNUSparseFile.0/" + names, TarConstants.LF_NORMAL, status);
    entry.setSize(map.length + data);
    out.putArchiveEntry(entry);
    out.setBigNumberMode(TarArchiveOutputStream.BIGNUMBER_POSIX);
    out.write(map);
  }

  private List<Range> ranges(byte[] path, NodeStatus status) throws IOException {
    List<Range> ranges = new ArrayList<>();
    long at = 0;
    while (at < status.size()) {
      Result<Long> next = files.nextData(status.node(), at);
      if (next instanceof Result.Failure<Long>(Errno errno) && errno == Errno.ENXIO) {
        return ranges;
      }
      long from = valueOf(next, ArchiveFormat.text(path));
      at = valueOf(files.nextHole(status.node(), from), ArchiveFormat.text(path));
      ranges.add(new Range(from, at - from));
    }
    return ranges;
  }

  private void data(byte[] path, NodeStatus status, Range range) throws IOException {
    long at = range.offset();
    long end = at + range.length();
    byte[] piece = new byte[PIECE_BYTES];
    while (at < end) {
      int wanted = (int) Math.min(PIECE_BYTES, end - at);
      ByteBuffer read = valueOf(files.read(status.node(), at, wanted), ArchiveFormat.text(path));
      if (read.remaining() != wanted) {
        throw new IOException(
            "%s has %d bytes at offset %d instead of %d"
                .formatted(ArchiveFormat.text(path), read.remaining(), at, wanted));
      }
      read.get(piece, 0, wanted);
      out.write(piece, 0, wanted);
      at += wanted;
    }
  }
}
