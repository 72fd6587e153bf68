package corfu.silver.mount;

import corfu.fuse.Done;
import corfu.fuse.FileSystem;
import corfu.fuse.Kernel;
import corfu.fuse.Result;
import corfu.fuse.linux.Errno;
import corfu.fuse.linux.FileMode;
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
import corfu.silver.Silver;
import corfu.silver.SilverFileSystem;
import corfu.world.World;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.IntSupplier;

/**
 * A file system of Silver as FUSE wants it. The kernel keeps names and attributes only while no
 * other client can change them, so no answer is older than its question. Thread-safe.
 */
final class SilverFuse implements FileSystem {

  private static final int ALL_FIELDS = 0xFFF;

  private final Silver silver;
  private final NodeTable nodes;
  private final OpenFiles open = new OpenFiles();
  private final MountedData data;
  private final NodeReplies replies;
  private final FileRequests files;
  private final DirectoryRequests directories;
  private final ExtendedAttributeRequests extended;
  private final LockRequests locks;
  private final RequestDeadlines deadlines;
  private final SpaceReplies space;
  private final MountStatistics statistics;

  SilverFuse(
      World world,
      Silver silver,
      SilverFileSystem fileSystem,
      MountedData data,
      RequestDeadlines deadlines,
      MountStatistics statistics) {
    this.silver = silver;
    this.statistics = statistics;
    this.space = new SpaceReplies(world, silver);
    this.nodes = new NodeTable(new MountedNode.Stored(fileSystem, fileSystem.root()));
    var control = new ControlFiles(silver, fileSystem, statistics::text);
    this.data = data;
    this.replies = new NodeReplies(silver, nodes, control, data);
    this.deadlines = deadlines;
    this.files = new FileRequests(silver, nodes, open, control, data);
    this.directories = new DirectoryRequests(nodes);
    this.extended = new ExtendedAttributeRequests(silver, nodes);
    this.locks = new LockRequests(world, nodes, open, silver, fileSystem);
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
    try {
      data.close();
    } finally {
      locks.close();
    }
  }

  @Override
  public int serve(IntSupplier request) {
    return deadlines.within(request::getAsInt);
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
        nodes,
        number,
        () -> nodes.get(number).map(node -> stored(node, operation)).orElse(Failures.stale()));
  }

  private static <T> Result<T> stored(
      MountedNode node, BiFunction<SilverFileSystem, NodeId, Result<T>> operation) {
    return switch (node) {
      case MountedNode.Stored(SilverFileSystem files, NodeId id) -> operation.apply(files, id);
      case MountedNode.Control control -> Result.failed(Errno.EROFS);
    };
  }

  @Override
  public Result<Entry> lookup(Request.Lookup request) {
    return replies.lookUp(request.header().node(), request.name());
  }

  // --------------------------------------------------------------------------------- attributes

  @Override
  public Result<TimedAttributes> getAttributes(Request.GetAttributes request) {
    return replies.attributes(request.header().node());
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
                AttributeRequests.set(silver, in, node, request, data),
                done -> replies.attributes(in, node)));
  }

  @Override
  public Result<ExtendedStatus> getExtendedStatus(Request.GetExtendedStatus request) {
    return stored(
        request.header().node(),
        (in, node) ->
            Failures.then(
                data.status(in, node),
                status ->
                    Result.of(
                        new ExtendedStatus(
                            AttributeReplies.of(in, status),
                            status.birth(),
                            ALL_FIELDS,
                            NodeReplies.validNanos(in)))));
  }

  // -------------------------------------------------------------------------------------- names

  private Result<Entry> make(Request request, FileName name, NewNode state, int umask) {
    return stored(
        request.header().node(),
        (in, directory) -> {
          Caller caller = Callers.of(silver, request.header());
          return Failures.then(
              in.createInheriting(directory, name, state, umask, caller),
              made -> replies.entry(in, in.status(made)));
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
        entry ->
            stored(
                entry.node(), (in, node) -> Result.of(created(entry, in, node, request.flags()))));
  }

  private Created created(Entry entry, SilverFileSystem in, NodeId node, int flags) {
    return new Created(entry, files.opened(entry.node(), in, node, flags));
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
                                created(replies.entry(in, status), in, made, request.flags())))));
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
                        done -> replies.entry(in, data.status(in, node)))));
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
                (in, target) -> files.copy(from, source, in, target, request)));
  }

  @Override
  public Result<Done> sync(Request.Sync request) {
    return files.sync(request.header().node(), request.handle());
  }

  /** The kernel does not pass {@code sync} on. So a sync of any directory is one of all files. */
  @Override
  public Result<Done> syncDirectory(Request.SyncDirectory request) {
    return data.syncAll();
  }

  @Override
  public Result<Done> syncFileSystem(Request.SyncFileSystem request) {
    return data.syncAll();
  }

  /** The bytes are in the log before others can get a lock. */
  @Override
  public Result<Done> flush(Request.Flush request) {
    Result<Done> synced = files.flush(request);
    locks.closed(request);
    return synced;
  }

  @Override
  public Result<Done> release(Request.Release request) {
    files.close(request);
    locks.released(request);
    open.close(request.handle());
    return Result.done();
  }

  @Override
  public Result<FileSystemStatistics> getStatistics(Request.GetStatistics request) {
    return Failures.caught(
        nodes,
        request.header().node(),
        () -> Result.of(space.of(nodes.get(request.header().node()))));
  }

  @Override
  public Result<IoctlResult> ioctl(Request.Ioctl request) {
    return Result.failed(Errno.ENOTTY);
  }

  @Override
  public Result<FileLock> getLock(Request.GetLock request) {
    return Failures.caught(nodes, request.header().node(), () -> locks.get(request));
  }

  /** The next owner of a lock reads what this one has written. */
  @Override
  public CompletableFuture<Result<Done>> setLock(Request.SetLock request) {
    if (request.lock().type() == FileLock.Type.UNLOCKED) {
      files.settle(request.header().node());
    }
    return locks.set(request);
  }

  // -------------------------------------------------------------------------------- directories

  @Override
  public Result<OpenFile> openDirectory(Request.OpenDirectory request) {
    return directories.open();
  }

  @Override
  public Result<Done> readDirectory(Request.ReadDirectory request, DirectoryEntries entries) {
    return Failures.caught(
        nodes, request.header().node(), () -> directories.read(request, entries));
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
