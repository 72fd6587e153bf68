package corfu.silver.mount;

import corfu.fuse.Done;
import corfu.fuse.Kernel;
import corfu.fuse.Result;
import corfu.fuse.lock.LockTable;
import corfu.fuse.protocol.FileLock;
import corfu.fuse.protocol.Notification;
import corfu.fuse.protocol.Request;
import corfu.protocol.StreamId;
import corfu.silver.Silver;
import corfu.silver.SilverFileSystem;
import corfu.silver.lock.LockKind;
import corfu.silver.lock.LostLock;
import corfu.silver.lock.MountLocks;
import corfu.world.World;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests on locks. All mounts share the locks of files. Versions of the past have locks of this
 * mount alone, because nobody changes them. Thread-safe.
 */
final class LockRequests implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(LockRequests.class);
  private static final int MAX_LOCKS = 65_536;

  private final World world;
  private final NodeTable nodes;
  private final OpenFiles open;
  private final MountLocks shared;
  private final LockTable ranges = new LockTable(MAX_LOCKS);
  private final LockTable wholeFiles = new LockTable(MAX_LOCKS);
  private volatile Optional<Kernel> kernel = Optional.empty();

  LockRequests(
      World world, NodeTable nodes, OpenFiles open, Silver silver, SilverFileSystem files) {
    this.world = world;
    this.nodes = nodes;
    this.open = open;
    this.shared = silver.openLocks(files, this::lost);
  }

  void mounted(Kernel by) {
    kernel = Optional.of(by);
  }

  /**
   * Lets files fail whose locks are lost, because others may have the locks. The kernel must drop
   * the files' pages: it asks for no page that it has. The kernel may wait for requests meanwhile,
   * so a thread of its own tells it.
   */
  private void lost(List<LostLock> owners) {
    owners.forEach(lock -> LOG.warn("The mount was out of touch for too long and lost {}", lock));
    Set<Long> files = open.lost(owners);
    if (!files.isEmpty()) {
      world.work("silver lost locks", () -> files.forEach(this::dropPages));
    }
  }

  private void dropPages(long node) {
    kernel.ifPresent(by -> by.send(new Notification.InvalidateInode(node, 0, 0)));
  }

  /** Returns the file whose locks all mounts share. */
  private Optional<StreamId> sharedFile(long number) {
    return nodes
        .get(number)
        .flatMap(
            node ->
                node instanceof MountedNode.Stored(SilverFileSystem files, var id)
                        && !files.isReadOnly()
                    ? Optional.of(id.stream())
                    : Optional.empty());
  }

  private static LockKind kind(boolean wholeFile) {
    return wholeFile ? LockKind.WHOLE_FILE : LockKind.BYTE_RANGE;
  }

  Result<FileLock> get(Request.GetLock request) {
    long number = request.header().node();
    Optional<StreamId> file = sharedFile(number);
    return file.isPresent()
        ? shared.get(file.get(), LockKind.BYTE_RANGE, request.owner(), request.lock())
        : Result.of(ranges.test(number, request.owner(), request.lock()));
  }

  CompletableFuture<Result<Done>> set(Request.SetLock request) {
    long number = request.header().node();
    Optional<StreamId> file = sharedFile(number);
    if (file.isPresent()) {
      LostLock owner = new LostLock(file.get(), kind(request.wholeFile()), request.owner());
      CompletableFuture<Result<Done>> outcome =
          shared.set(file.get(), owner.kind(), owner.owner(), request.lock(), request.waits());
      if (request.lock().type() != FileLock.Type.UNLOCKED) {
        var unused = outcome.thenAccept(result -> note(request, owner, result));
      }
      return outcome; // no other future, because a signal completes it
    }
    LockTable table = request.wholeFile() ? wholeFiles : ranges;
    return table.set(number, request.owner(), request.lock(), request.waits());
  }

  /** The locks may be lost before this. */
  private void note(Request.SetLock request, LostLock owner, Result<Done> result) {
    if (result instanceof Result.Success<Done>) {
      open.locked(request.handle(), request.header().node(), owner);
      if (!shared.holds(owner.file(), owner.kind(), owner.owner())) {
        var unused = open.lost(List.of(owner));
      }
    }
  }

  /** A descriptor is closed: the owner's locks of byte ranges end. */
  void closed(Request.Flush request) {
    release(request.header().node(), request.lockOwner(), false);
  }

  /** The last descriptor is closed: the owner's lock of the whole file ends. */
  void released(Request.Release request) {
    if (request.unlocksFile()) {
      release(request.header().node(), request.lockOwner(), true);
    }
  }

  private void release(long number, long owner, boolean wholeFile) {
    Optional<StreamId> file = sharedFile(number);
    if (file.isEmpty()) {
      (wholeFile ? wholeFiles : ranges).release(number, owner);
    } else if (shared.holds(file.get(), kind(wholeFile), owner)) {
      var unused = shared.release(file.get(), kind(wholeFile), owner);
    }
  }

  @Override
  public void close() {
    shared.close();
  }
}
