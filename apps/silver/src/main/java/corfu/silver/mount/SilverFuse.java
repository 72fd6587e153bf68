package corfu.silver.mount;

import corfu.fuse.Done;
import corfu.fuse.FileSystem;
import corfu.fuse.Kernel;
import corfu.fuse.Result;
import corfu.fuse.linux.Errno;
import corfu.fuse.linux.FileMode;
import corfu.fuse.protocol.Attributes;
import corfu.fuse.protocol.Created;
import corfu.fuse.protocol.DirectoryEntries;
import corfu.fuse.protocol.Entry;
import corfu.fuse.protocol.ExtendedStatus;
import corfu.fuse.protocol.FileLock;
import corfu.fuse.protocol.FileName;
import corfu.fuse.protocol.FileSystemStatistics;
import corfu.fuse.protocol.IoctlResult;
import corfu.fuse.protocol.Notification;
import corfu.fuse.protocol.OpenFile;
import corfu.fuse.protocol.Request;
import corfu.fuse.protocol.TimedAttributes;
import corfu.silver.Caller;
import corfu.silver.NewNode;
import corfu.silver.NodeId;
import corfu.silver.NodeStatus;
import corfu.silver.Silver;
import corfu.silver.SilverFileSystem;
import corfu.world.World;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;

/**
 * A file system of Silver as FUSE wants it. The kernel keeps names and attributes only while no
 * other client can change them, so no answer is older than its question. Thread-safe.
 */
final class SilverFuse implements FileSystem {

  private static final int ALL_FIELDS = 0xFFF;
  private static final long MAX_VALID_NANOS = 1_000_000_000L;
  private static final long VERSION_NANOS = 3_600L * 1_000_000_000L;

  private final Silver silver;
  private final NodeTable nodes;
  private final OpenFiles open = new OpenFiles();
  private final ControlFiles control;
  private final FileRequests files;
  private final DirectoryRequests directories;
  private final ExtendedAttributeRequests extended;
  private final LockRequests locks;
  private final SpaceReplies space;
  private final MountStatistics statistics;

  SilverFuse(World world, Silver silver, SilverFileSystem fileSystem, MountStatistics statistics) {
    this.silver = silver;
    this.statistics = statistics;
    this.space = new SpaceReplies(world, silver);
    this.nodes = new NodeTable(new MountedNode.Stored(fileSystem, fileSystem.root()));
    this.control = new ControlFiles(silver, fileSystem, statistics::text);
    this.files = new FileRequests(silver, nodes, open, control);
    this.directories = new DirectoryRequests(nodes);
    this.extended = new ExtendedAttributeRequests(silver, nodes);
    this.locks = new LockRequests(nodes, open, silver, fileSystem);
  }

  /** Lets the kernel drop all that it keeps. No thread that serves a request may call this. */
  void dropCaches(Kernel kernel) {
    for (long number : nodes.numbers()) {
      var unused = kernel.send(new Notification.InvalidateInode(number, 0, 0));
    }
  }

  @Override
  public void mounted(Kernel kernel) {
    locks.mounted(kernel);
  }

  @Override
  public void unmounted() {
    locks.close();
  }

  @Override
  public void forget(long node, long lookups) {
    nodes.forget(node, lookups);
  }

  // -------------------------------------------------------------------------------------- nodes

  /** Does something with a node of the file system, or fails with what says that it is none. */
  private <T> Result<T> stored(
      long number, BiFunction<SilverFileSystem, NodeId, Result<T>> operation) {
    return Failures.caught(
        () -> nodes.get(number).map(node -> stored(node, operation)).orElse(Failures.stale()));
  }

  private static <T> Result<T> stored(
      MountedNode node, BiFunction<SilverFileSystem, NodeId, Result<T>> operation) {
    return switch (node) {
      case MountedNode.Stored(SilverFileSystem files, NodeId id) -> operation.apply(files, id);
      case MountedNode.Control control -> Result.failed(Errno.EROFS);
    };
  }

  private Entry entry(SilverFileSystem in, NodeStatus status) {
    long number = nodes.lookUp(new MountedNode.Stored(in, status.node()));
    long valid = validNanos(in);
    return new Entry(number, 0, valid, valid, AttributeReplies.of(in, status));
  }

  /** A name that does not exist is remembered, too. */
  private Result<Entry> entry(SilverFileSystem in, Result<NodeStatus> found) {
    long valid = validNanos(in);
    return found.equals(Result.failed(Errno.ENOENT)) && valid > 0
        ? Result.of(Entry.missing(valid))
        : Failures.then(found, status -> Result.of(entry(in, status)));
  }

  /** The kernel may keep what nobody else can change in that time. A version never changes. */
  private static long validNanos(SilverFileSystem in) {
    return in.isReadOnly() ? VERSION_NANOS : Math.min(in.aloneNanos(), MAX_VALID_NANOS);
  }

  @Override
  public Result<Entry> lookup(Request.Lookup request) {
    return Failures.caught(
        () -> {
          Optional<MountedNode> directory = nodes.get(request.header().node());
          return directory.isEmpty()
              ? Failures.stale()
              : lookUp(directory.get(), request.header().node(), request.name());
        });
  }

  private Result<Entry> lookUp(MountedNode directory, long number, FileName name) {
    return switch (directory) {
      case MountedNode.Stored stored when number == ROOT && name.equals(ControlFiles.NAME) ->
          Result.of(entry(MountedNode.Control.DIRECTORY));
      case MountedNode.Stored(SilverFileSystem in, NodeId node) -> entry(in, in.lookUp(node, name));
      case MountedNode.Control ofControl ->
          Failures.then(control.lookUp(ofControl, name), this::controlEntry);
    };
  }

  private Result<Entry> controlEntry(MountedNode node) {
    return switch (node) {
      case MountedNode.Stored(SilverFileSystem in, NodeId id) ->
          in.status(id) instanceof Result.Success<NodeStatus>(NodeStatus status)
              ? Result.of(entry(in, status))
              : Result.failed(Errno.ENOENT);
      case MountedNode.Control found -> Result.of(entry(found));
    };
  }

  private Entry entry(MountedNode.Control node) {
    return new Entry(nodes.lookUp(node), 0, 0, 0, attributes(node));
  }

  private Attributes attributes(MountedNode.Control node) {
    return AttributeReplies.of(node, control.content(node).length, silver.caller(0, 0).time());
  }

  // --------------------------------------------------------------------------------- attributes

  @Override
  public Result<TimedAttributes> getAttributes(Request.GetAttributes request) {
    return Failures.caught(
        () ->
            nodes.get(request.header().node()).map(this::timedAttributes).orElse(Failures.stale()));
  }

  private Result<TimedAttributes> timedAttributes(MountedNode node) {
    return switch (node) {
      case MountedNode.Stored(SilverFileSystem in, NodeId id) -> timedAttributes(in, id);
      case MountedNode.Control file -> Result.of(new TimedAttributes(attributes(file), 0));
    };
  }

  private static Result<TimedAttributes> timedAttributes(SilverFileSystem in, NodeId node) {
    return Failures.then(
        in.status(node),
        status -> Result.of(new TimedAttributes(AttributeReplies.of(in, status), validNanos(in))));
  }

  @Override
  public Result<TimedAttributes> setAttributes(Request.SetAttributes request) {
    if (request.has(Request.SetAttributes.HANDLE) && open.hasFailed(request.handle())) {
      return Result.failed(Errno.EIO);
    }
    return stored(
        request.header().node(),
        (in, node) ->
            Failures.then(
                AttributeRequests.set(silver, in, node, request),
                done -> timedAttributes(in, node)));
  }

  @Override
  public Result<ExtendedStatus> getExtendedStatus(Request.GetExtendedStatus request) {
    return stored(
        request.header().node(),
        (in, node) ->
            Failures.then(
                in.status(node),
                status ->
                    Result.of(
                        new ExtendedStatus(
                            AttributeReplies.of(in, status),
                            status.birth(),
                            ALL_FIELDS,
                            validNanos(in)))));
  }

  // -------------------------------------------------------------------------------------- names

  private Result<Entry> make(Request request, FileName name, NewNode state, int umask) {
    return stored(
        request.header().node(),
        (in, directory) -> {
          Caller caller = Callers.of(silver, request.header());
          return Failures.then(
              in.createInheriting(directory, name, state, umask, caller),
              made -> entry(in, in.status(made)));
        });
  }

  @Override
  public Result<Entry> makeSymbolicLink(Request.MakeSymbolicLink request) {
    int mode = FileMode.SYMBOLIC_LINK | 0777;
    byte[] target = request.target().bytes();
    return make(request, request.name(), Callers.newNode(request.header(), mode, 0, target), 0);
  }

  @Override
  public Result<Entry> makeNode(Request.MakeNode request) {
    NewNode state =
        Callers.newNode(request.header(), request.mode(), request.device(), new byte[0]);
    return make(request, request.name(), state, request.umask());
  }

  @Override
  public Result<Entry> makeDirectory(Request.MakeDirectory request) {
    int mode = FileMode.DIRECTORY | (request.mode() & FileMode.PERMISSIONS);
    NewNode state = Callers.newNode(request.header(), mode);
    return make(request, request.name(), state, request.umask());
  }

  @Override
  public Result<Created> create(Request.Create request) {
    int mode = FileMode.REGULAR | (request.mode() & FileMode.PERMISSIONS);
    NewNode state = Callers.newNode(request.header(), mode);
    return Failures.then(
        make(request, request.name(), state, request.umask()),
        entry -> Result.of(new Created(entry, open.open(request.flags()))));
  }

  @Override
  public Result<Created> makeTemporaryFile(Request.MakeTemporaryFile request) {
    int mode = FileMode.REGULAR | (request.mode() & FileMode.PERMISSIONS);
    NewNode state = Callers.newNode(request.header(), mode);
    Caller caller = Callers.of(silver, request.header());
    return stored(
        request.header().node(),
        (in, directory) ->
            Failures.then(
                in.makeTemporaryInheriting(directory, state, request.umask(), caller),
                made ->
                    Failures.then(
                        in.status(made),
                        status ->
                            Result.of(
                                new Created(entry(in, status), open.open(request.flags()))))));
  }

  @Override
  public Result<Entry> link(Request.Link request) {
    return stored(
        request.header().node(),
        (in, directory) ->
            stored(
                request.target(),
                (same, node) ->
                    Failures.then(
                        in.link(
                            node, directory, request.name(), Callers.of(silver, request.header())),
                        done -> entry(in, in.status(node)))));
  }

  @Override
  public Result<Done> unlink(Request.Unlink request) {
    return stored(
        request.header().node(),
        (in, directory) ->
            in.unlink(directory, request.name(), Callers.of(silver, request.header())));
  }

  @Override
  public Result<Done> removeDirectory(Request.RemoveDirectory request) {
    return stored(
        request.header().node(),
        (in, directory) ->
            in.removeDirectory(directory, request.name(), Callers.of(silver, request.header())));
  }

  @Override
  public Result<Done> rename(Request.Rename request) {
    Caller caller = Callers.of(silver, request.header());
    int known = Request.Rename.NO_REPLACE | Request.Rename.EXCHANGE;
    if ((request.flags() & ~known) != 0 || request.flags() == known) {
      return Result.failed(Errno.EINVAL);
    }
    return stored(
        request.header().node(),
        (in, from) ->
            stored(
                request.newParent(),
                (same, to) ->
                    request.flags() == Request.Rename.EXCHANGE
                        ? in.exchange(from, request.name(), to, request.newName(), caller)
                        : in.rename(
                            from,
                            request.name(),
                            to,
                            request.newName(),
                            request.flags() == Request.Rename.NO_REPLACE,
                            caller)));
  }

  @Override
  public Result<byte[]> readLink(Request.ReadLink request) {
    return stored(request.header().node(), (in, node) -> in.readLink(node));
  }

  // -------------------------------------------------------------------------------------- files

  @Override
  public Result<OpenFile> open(Request.Open request) {
    return files.open(request);
  }

  @Override
  public Result<Integer> read(Request.Read request, MemorySegment target) {
    Result<Integer> result = files.read(request, target);
    if (result instanceof Result.Success<Integer>(Integer bytes)) {
      statistics.read(bytes);
    }
    return result;
  }

  @Override
  public Result<Integer> write(Request.Write request) {
    Result<Integer> result = files.write(request);
    if (result instanceof Result.Success<Integer>(Integer bytes)) {
      statistics.written(bytes);
    }
    return result;
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
    if (open.hasFailed(request.handle()) || open.hasFailed(request.targetHandle())) {
      return Result.failed(Errno.EIO);
    }
    return stored(
        request.header().node(),
        (from, source) ->
            stored(
                request.targetNode(),
                (in, target) ->
                    in.copyRange(
                        from,
                        source,
                        request.offset(),
                        target,
                        request.targetOffset(),
                        request.length(),
                        Callers.of(silver, request.header()))));
  }

  /** Every write is in the log when it returns. */
  @Override
  public Result<Done> sync(Request.Sync request) {
    return Result.done();
  }

  @Override
  public Result<Done> syncDirectory(Request.SyncDirectory request) {
    return Result.done();
  }

  @Override
  public Result<Done> syncFileSystem(Request.SyncFileSystem request) {
    return Result.done();
  }

  @Override
  public Result<Done> flush(Request.Flush request) {
    locks.closed(request);
    return Result.done();
  }

  @Override
  public Result<Done> release(Request.Release request) {
    locks.released(request);
    open.close(request.handle());
    return Result.done();
  }

  @Override
  public Result<FileSystemStatistics> getStatistics(Request.GetStatistics request) {
    return Failures.caught(
        () ->
            Result.of(
                space.of(
                    nodes
                        .get(request.header().node())
                        .flatMap(
                            node ->
                                node instanceof MountedNode.Stored(SilverFileSystem in, NodeId id)
                                    ? in.quotas().of(id)
                                    : Optional.empty()))));
  }

  @Override
  public Result<IoctlResult> ioctl(Request.Ioctl request) {
    return Result.failed(Errno.ENOTTY);
  }

  @Override
  public Result<FileLock> getLock(Request.GetLock request) {
    return Failures.caught(() -> locks.get(request));
  }

  @Override
  public CompletableFuture<Result<Done>> setLock(Request.SetLock request) {
    return locks.set(request);
  }

  // -------------------------------------------------------------------------------- directories

  @Override
  public Result<OpenFile> openDirectory(Request.OpenDirectory request) {
    return directories.open();
  }

  @Override
  public Result<Done> readDirectory(Request.ReadDirectory request, DirectoryEntries entries) {
    return Failures.caught(() -> directories.read(request, entries));
  }

  @Override
  public Result<Done> releaseDirectory(Request.ReleaseDirectory request) {
    return directories.close(request);
  }

  // ------------------------------------------------------------------------ extended attributes

  @Override
  public Result<Done> setExtendedAttribute(Request.SetExtendedAttribute request) {
    return stored(request.header().node(), (in, node) -> extended.set(in, node, request));
  }

  @Override
  public Result<byte[]> getExtendedAttribute(Request.GetExtendedAttribute request) {
    return extended.get(request);
  }

  @Override
  public Result<byte[]> listExtendedAttributes(Request.ListExtendedAttributes request) {
    return extended.list(request);
  }

  @Override
  public Result<Done> removeExtendedAttribute(Request.RemoveExtendedAttribute request) {
    return stored(request.header().node(), (in, node) -> extended.remove(in, node, request));
  }
}
