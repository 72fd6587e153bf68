package corfu.silver.mount;

import corfu.fuse.Done;
import corfu.fuse.Result;
import corfu.fuse.lock.LockTable;
import corfu.fuse.protocol.FileLock;
import corfu.fuse.protocol.Request;
import java.util.concurrent.CompletableFuture;

/** Requests on locks. Thread-safe. */
final class LockRequests {

  private static final int MAX_LOCKS = 65_536;

  private final LockTable ranges = new LockTable(MAX_LOCKS);
  private final LockTable wholeFiles = new LockTable(MAX_LOCKS);

  Result<FileLock> get(Request.GetLock request) {
    return Result.of(ranges.test(request.header().node(), request.owner(), request.lock()));
  }

  CompletableFuture<Result<Done>> set(Request.SetLock request) {
    LockTable table = request.wholeFile() ? wholeFiles : ranges;
    return table.set(request.header().node(), request.owner(), request.lock(), request.waits());
  }

  /** A descriptor is closed: the owner's locks of byte ranges end. */
  void closed(Request.Flush request) {
    ranges.release(request.header().node(), request.lockOwner());
  }

  /** The last descriptor is closed: the owner's lock of the whole file ends. */
  void released(Request.Release request) {
    if (request.unlocksFile()) {
      wholeFiles.release(request.header().node(), request.lockOwner());
    }
  }
}
