package corfu.silver.mount;

import corfu.fuse.Done;
import corfu.fuse.Result;
import corfu.fuse.lock.LockTable;
import corfu.fuse.protocol.FileLock;
import corfu.fuse.protocol.Request;
import corfu.protocol.StreamId;
import corfu.silver.SilverFileSystem;
import corfu.silver.lock.LockKind;
import corfu.silver.lock.LostLock;
import corfu.silver.lock.MountLocks;
import java.util.List;
import java.util.Optional;
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

  private final NodeTable nodes;
  private final MountLocks shared;
  private final LockTable ranges = new LockTable(MAX_LOCKS);
  private final LockTable wholeFiles = new LockTable(MAX_LOCKS);

  LockRequests(NodeTable nodes, MountLocks shared) {
    this.nodes = nodes;
    this.shared = shared;
  }

  /** Tells that the log could not be reached for too long, so that others may have the locks. */
  static void lost(List<LostLock> locks) {
    locks.forEach(lock -> LOG.warn("The mount was out of touch for too long and lost {}", lock));
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
      LockKind kind = kind(request.wholeFile());
      return shared.set(file.get(), kind, request.owner(), request.lock(), request.waits());
    }
    LockTable table = request.wholeFile() ? wholeFiles : ranges;
    return table.set(number, request.owner(), request.lock(), request.waits());
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
