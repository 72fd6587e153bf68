package corfu.fuse.passthrough;

import static java.nio.charset.StandardCharsets.UTF_8;

import corfu.fuse.Done;
import corfu.fuse.FileSystem;
import corfu.fuse.Result;
import corfu.fuse.linux.Errno;
import corfu.fuse.linux.FileCalls;
import corfu.fuse.linux.FileMode;
import corfu.fuse.linux.FileStatus;
import corfu.fuse.linux.OpenFlags;
import corfu.fuse.linux.SystemCalls;
import corfu.fuse.lock.LockTable;
import corfu.fuse.protocol.Created;
import corfu.fuse.protocol.DirectoryEntries;
import corfu.fuse.protocol.Entry;
import corfu.fuse.protocol.ExtendedStatus;
import corfu.fuse.protocol.FileLock;
import corfu.fuse.protocol.FileSystemStatistics;
import corfu.fuse.protocol.IoctlResult;
import corfu.fuse.protocol.OpenFile;
import corfu.fuse.protocol.Request;
import corfu.fuse.protocol.RequestHeader;
import corfu.fuse.protocol.TimedAttributes;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A file system that shows a local directory. It trusts the kernel's permission checks (mount it
 * with {@code default_permissions}), and gives new files to the callers that create them, which
 * only root can do. Locks live in the mount, not in the local files. Thread-safe.
 */
public final class PassThrough implements FileSystem {

  private static final byte[] EMPTY = {};
  private static final int MOST_LOCKS = 65_536;
  private static final int MOST_TARGET_BYTES = 4_096;
  private static final int STATFS_BYTES = 120;

  private final NodeTable nodes;
  private final long validNanos;
  private final FileOperations files;
  private final LockTable rangeLocks = new LockTable(MOST_LOCKS);
  private final LockTable fileLocks = new LockTable(MOST_LOCKS);
  private final Directories directories = new Directories();

  private PassThrough(NodeTable nodes, long validNanos, boolean writeBack) {
    this.nodes = nodes;
    this.validNanos = validNanos;
    this.files = new FileOperations(writeBack);
  }

  /**
   * Opens a local directory.
   *
   * @param directory the directory
   * @param valid how long the kernel may use names and attributes without asking, at least 0
   * @param writeBack whether the mount has the write-back cache
   * @throws IOException if the directory cannot be opened
   */
  public static PassThrough of(Path directory, Duration valid, boolean writeBack)
      throws IOException {
    int fd =
        SystemCalls.open(
            directory.toAbsolutePath().toString().getBytes(UTF_8),
            OpenFlags.PATH | OpenFlags.DIRECTORY | OpenFlags.CLOSE_ON_EXEC,
            0);
    FileStatus status = StatusReader.ofThread();
    if (fd < 0 || stat(fd, status) < 0) {
      throw new IOException(
          "The directory %s cannot be opened (%s); name one that exists"
              .formatted(directory, Errno.of(fd)));
    }
    return new PassThrough(new NodeTable(fd, status), valid.toNanos(), writeBack);
  }

  private static int stat(int fd, FileStatus status) {
    return FileCalls.stat(fd, EMPTY, FileCalls.EMPTY_PATH, FileStatus.ALL, status.statx());
  }

  /** Returns the number of files that the kernel knows. */
  public int knownFiles() {
    return nodes.size();
  }

  @Override
  public void unmounted() {
    directories.closeAll();
    nodes.close();
  }

  @Override
  public void forget(long node, long lookups) {
    nodes.forget(node, lookups);
  }

  private @Nullable Node nodeOf(Request request) {
    return nodes.get(request.header().node());
  }

  @Override
  public Result<Entry> lookup(Request.Lookup request) {
    Node directory = nodeOf(request);
    return directory == null
        ? Result.failed(Errno.ESTALE)
        : entry(directory, request.name().bytes());
  }

  private Result<Entry> entry(Node directory, byte[] name) {
    FileStatus status = StatusReader.ofThread();
    int found =
        FileCalls.stat(directory.fd(), name, FileCalls.NO_FOLLOW, FileStatus.ALL, status.statx());
    if (found < 0) {
      return Result.failed(Errno.of(found));
    }
    return entry(nodes.lookUp(directory, name, status), status);
  }

  private Result<Entry> entry(Result<Node> found, FileStatus status) {
    return switch (found) {
      case Result.Success<Node>(Node node) ->
          Result.of(
              new Entry(node.id(), 0, validNanos, validNanos, StatusReader.attributes(status)));
      case Result.Failure<Node>(Errno errno) -> Result.failed(errno);
    };
  }

  @Override
  public Result<TimedAttributes> getAttributes(Request.GetAttributes request) {
    Node node = nodeOf(request);
    return node == null ? Result.failed(Errno.ESTALE) : attributes(node);
  }

  private Result<TimedAttributes> attributes(Node node) {
    FileStatus status = StatusReader.ofThread();
    int found = stat(node.fd(), status);
    return found < 0
        ? Result.failed(Errno.of(found))
        : Result.of(new TimedAttributes(StatusReader.attributes(status), validNanos));
  }

  @Override
  public Result<TimedAttributes> setAttributes(Request.SetAttributes request) {
    Node node = nodeOf(request);
    if (node == null) {
      return Result.failed(Errno.ESTALE);
    }
    int changed = AttributeChanges.apply(node, request);
    return changed < 0 ? Result.failed(Errno.of(changed)) : attributes(node);
  }

  @Override
  public Result<ExtendedStatus> getExtendedStatus(Request.GetExtendedStatus request) {
    Node node = nodeOf(request);
    if (node == null) {
      return Result.failed(Errno.ESTALE);
    }
    FileStatus status = StatusReader.ofThread();
    int found = stat(node.fd(), status);
    return found < 0
        ? Result.failed(Errno.of(found))
        : Result.of(
            new ExtendedStatus(
                StatusReader.attributes(status),
                StatusReader.timestamp(status, FileStatus.Time.BIRTH),
                status.mask(),
                validNanos));
  }

  @Override
  public Result<byte[]> readLink(Request.ReadLink request) {
    Node node = nodeOf(request);
    if (node == null) {
      return Result.failed(Errno.ESTALE);
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment target = arena.allocate(MOST_TARGET_BYTES);
      long read = FileCalls.readLink(node.fd(), EMPTY, target, MOST_TARGET_BYTES);
      return read < 0
          ? Result.failed(Errno.of(read))
          : Result.of(target.asSlice(0, read).toArray(ValueLayout.JAVA_BYTE));
    }
  }

  @Override
  public Result<Entry> makeSymbolicLink(Request.MakeSymbolicLink request) {
    byte[] name = request.name().bytes();
    return make(
        request,
        name,
        0,
        directory -> FileCalls.makeSymbolicLink(request.target().bytes(), directory.fd(), name));
  }

  @Override
  public Result<Entry> makeNode(Request.MakeNode request) {
    byte[] name = request.name().bytes();
    long device = Integer.toUnsignedLong(request.device());
    return make(
        request,
        name,
        request.mode(),
        directory -> FileCalls.makeNode(directory.fd(), name, request.mode(), device));
  }

  @Override
  public Result<Entry> makeDirectory(Request.MakeDirectory request) {
    byte[] name = request.name().bytes();
    return make(
        request,
        name,
        FileMode.DIRECTORY | request.mode(),
        directory -> FileCalls.makeDirectory(directory.fd(), name, request.mode()));
  }

  private Result<Entry> make(Request request, byte[] name, int mode, ToIntFunction<Node> call) {
    Node directory = nodeOf(request);
    if (directory == null) {
      return Result.failed(Errno.ESTALE);
    }
    int made = call.applyAsInt(directory);
    if (made < 0) {
      return Result.failed(Errno.of(made));
    }
    NewFiles.giveTo(request.header(), directory, name, mode);
    return entry(directory, name);
  }

  @Override
  public Result<Done> unlink(Request.Unlink request) {
    Node directory = nodeOf(request);
    return directory == null
        ? Result.failed(Errno.ESTALE)
        : Result.done(FileCalls.unlink(directory.fd(), request.name().bytes(), 0));
  }

  @Override
  public Result<Done> removeDirectory(Request.RemoveDirectory request) {
    Node directory = nodeOf(request);
    return directory == null
        ? Result.failed(Errno.ESTALE)
        : Result.done(
            FileCalls.unlink(directory.fd(), request.name().bytes(), FileCalls.REMOVE_DIRECTORY));
  }

  @Override
  public Result<Done> rename(Request.Rename request) {
    Node from = nodeOf(request);
    Node to = nodes.get(request.newParent());
    return from == null || to == null
        ? Result.failed(Errno.ESTALE)
        : Result.done(
            FileCalls.rename(
                from.fd(),
                request.name().bytes(),
                to.fd(),
                request.newName().bytes(),
                request.flags()));
  }

  @Override
  public Result<Entry> link(Request.Link request) {
    Node directory = nodeOf(request);
    Node target = nodes.get(request.target());
    if (directory == null || target == null) {
      return Result.failed(Errno.ESTALE);
    }
    byte[] name = request.name().bytes();
    int made =
        FileCalls.makeLink(
            FileCalls.CURRENT_DIRECTORY, target.path(), directory.fd(), name, FileCalls.FOLLOW);
    return made < 0 ? Result.failed(Errno.of(made)) : entry(directory, name);
  }

  @Override
  public Result<OpenFile> open(Request.Open request) {
    Node node = nodeOf(request);
    return node == null ? Result.failed(Errno.ESTALE) : files.open(node, request);
  }

  @Override
  public Result<Created> create(Request.Create request) {
    Node directory = nodeOf(request);
    if (directory == null) {
      return Result.failed(Errno.ESTALE);
    }
    byte[] name = request.name().bytes();
    int flags = files.localFlags(request.flags()) | OpenFlags.CREATE | OpenFlags.NO_FOLLOW;
    int fd = FileCalls.openAt(directory.fd(), name, flags, request.mode());
    if (fd < 0) {
      return Result.failed(Errno.of(fd));
    }
    NewFiles.giveTo(request.header(), directory, name, request.mode());
    return created(entry(directory, name), fd, request.flags());
  }

  @Override
  public Result<Created> makeTemporaryFile(Request.MakeTemporaryFile request) {
    Node directory = nodeOf(request);
    if (directory == null) {
      return Result.failed(Errno.ESTALE);
    }
    int flags = files.localFlags(request.flags());
    int fd = FileCalls.openAt(directory.fd(), new byte[] {'.'}, flags, request.mode());
    if (fd < 0) {
      return Result.failed(Errno.of(fd));
    }
    RequestHeader header = request.header();
    int given = FileCalls.changeOwner(fd, EMPTY, header.uid(), header.gid(), FileCalls.EMPTY_PATH);
    FileStatus status = StatusReader.ofThread();
    byte[] path = new Node(0, fd, 0, 0).path();
    int own = SystemCalls.open(path, OpenFlags.PATH | OpenFlags.CLOSE_ON_EXEC, 0);
    Result<Entry> entry =
        own < 0 || given < 0
            ? Result.failed(Errno.of(Math.min(own, given)))
            : entry(nodes.adopt(own, status), status);
    return created(entry, fd, request.flags());
  }

  private Result<Created> created(Result<Entry> found, int fd, int flags) {
    return switch (found) {
      case Result.Success<Entry>(Entry entry) ->
          Result.of(new Created(entry, files.opened(fd, flags)));
      case Result.Failure<Entry>(Errno errno) -> {
        int unused = SystemCalls.close(fd);
        yield Result.failed(errno);
      }
    };
  }

  @Override
  public Result<Integer> read(Request.Read request, MemorySegment target) {
    return files.read(request, target);
  }

  @Override
  public Result<Integer> write(Request.Write request) {
    Node node = nodeOf(request);
    return node == null ? Result.failed(Errno.ESTALE) : files.write(node, request);
  }

  @Override
  public Result<FileSystemStatistics> getStatistics(Request.GetStatistics request) {
    Node node = nodeOf(request);
    if (node == null) {
      return Result.failed(Errno.ESTALE);
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment statfs = arena.allocate(STATFS_BYTES, 8);
      int found = FileCalls.statFileSystem(node.fd(), statfs);
      return found < 0
          ? Result.failed(Errno.of(found))
          : Result.of(
              new FileSystemStatistics(
                  statfs.get(ValueLayout.JAVA_LONG, 16),
                  statfs.get(ValueLayout.JAVA_LONG, 24),
                  statfs.get(ValueLayout.JAVA_LONG, 32),
                  statfs.get(ValueLayout.JAVA_LONG, 40),
                  statfs.get(ValueLayout.JAVA_LONG, 48),
                  (int) statfs.get(ValueLayout.JAVA_LONG, 8),
                  (int) statfs.get(ValueLayout.JAVA_LONG, 64),
                  (int) statfs.get(ValueLayout.JAVA_LONG, 72)));
    }
  }

  @Override
  public Result<Done> release(Request.Release request) {
    if (request.unlocksFile()) {
      fileLocks.release(request.header().node(), request.lockOwner());
    }
    return Result.done(SystemCalls.close((int) request.handle()));
  }

  @Override
  public Result<Done> sync(Request.Sync request) {
    return files.sync(request.handle(), request.dataOnly());
  }

  /** Ends the locks of byte ranges of the owner, as {@code close} does on local files. */
  @Override
  public Result<Done> flush(Request.Flush request) {
    rangeLocks.release(request.header().node(), request.lockOwner());
    return Result.done();
  }

  @Override
  public Result<Done> setExtendedAttribute(Request.SetExtendedAttribute request) {
    Node node = nodeOf(request);
    return node == null ? Result.failed(Errno.ESTALE) : ExtendedAttributes.set(node, request);
  }

  @Override
  public Result<byte[]> getExtendedAttribute(Request.GetExtendedAttribute request) {
    Node node = nodeOf(request);
    return node == null ? Result.failed(Errno.ESTALE) : ExtendedAttributes.get(node, request);
  }

  @Override
  public Result<byte[]> listExtendedAttributes(Request.ListExtendedAttributes request) {
    Node node = nodeOf(request);
    return node == null ? Result.failed(Errno.ESTALE) : ExtendedAttributes.list(node);
  }

  @Override
  public Result<Done> removeExtendedAttribute(Request.RemoveExtendedAttribute request) {
    Node node = nodeOf(request);
    return node == null ? Result.failed(Errno.ESTALE) : ExtendedAttributes.remove(node, request);
  }

  @Override
  public Result<OpenFile> openDirectory(Request.OpenDirectory request) {
    Node node = nodeOf(request);
    return node == null ? Result.failed(Errno.ESTALE) : directories.open(node);
  }

  @Override
  public Result<Done> readDirectory(Request.ReadDirectory request, DirectoryEntries entries) {
    Node node = nodeOf(request);
    return node == null
        ? Result.failed(Errno.ESTALE)
        : directories.read(request, entries, name -> entry(node, name));
  }

  @Override
  public Result<Done> releaseDirectory(Request.ReleaseDirectory request) {
    return directories.close(request.handle());
  }

  @Override
  public Result<Done> syncDirectory(Request.SyncDirectory request) {
    return directories.sync(request.handle(), request.dataOnly());
  }

  @Override
  public Result<Done> syncFileSystem(Request.SyncFileSystem request) {
    Node node = nodes.get(ROOT);
    if (node == null) {
      return Result.failed(Errno.ESTALE);
    }
    int fd = SystemCalls.open(node.path(), OpenFlags.READ_ONLY | OpenFlags.CLOSE_ON_EXEC, 0);
    if (fd < 0) {
      return Result.failed(Errno.of(fd));
    }
    int synced = FileCalls.syncFileSystem(fd);
    int unused = SystemCalls.close(fd);
    return Result.done(synced);
  }

  @Override
  public Result<FileLock> getLock(Request.GetLock request) {
    return Result.of(rangeLocks.test(request.header().node(), request.owner(), request.lock()));
  }

  @Override
  public CompletableFuture<Result<Done>> setLock(Request.SetLock request) {
    LockTable table = request.wholeFile() ? fileLocks : rangeLocks;
    return table.set(request.header().node(), request.owner(), request.lock(), request.waits());
  }

  @Override
  public Result<IoctlResult> ioctl(Request.Ioctl request) {
    return Result.failed(Errno.ENOTTY);
  }

  @Override
  public Result<Done> allocate(Request.Allocate request) {
    return files.allocate(request);
  }

  @Override
  public Result<Long> seek(Request.Seek request) {
    return files.seek(request);
  }

  @Override
  public Result<Long> copyRange(Request.CopyRange request) {
    return files.copyRange(request);
  }
}
