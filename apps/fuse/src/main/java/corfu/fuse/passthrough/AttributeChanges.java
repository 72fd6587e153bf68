package corfu.fuse.passthrough;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import corfu.fuse.linux.FileCalls;
import corfu.fuse.linux.FileMode;
import corfu.fuse.protocol.Request.SetAttributes;
import corfu.fuse.protocol.Timestamp;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Changes attributes of local files. Thread-safe. */
final class AttributeChanges {

  private static final byte[] EMPTY = {};
  private static final long NOW = 0x3FFFFFFF;
  private static final long OMIT = 0x3FFFFFFE;

  private AttributeChanges() {}

  /** Applies a request. Returns 0 or a negative error number. */
  static int apply(Node node, SetAttributes request) {
    int result = 0;
    if (request.has(SetAttributes.MODE)) {
      result =
          FileCalls.changeMode(
              FileCalls.CURRENT_DIRECTORY, node.path(), request.mode() & FileMode.PERMISSIONS, 0);
    }
    if (result >= 0 && request.has(SetAttributes.UID | SetAttributes.GID)) {
      int uid = request.has(SetAttributes.UID) ? request.uid() : -1;
      int gid = request.has(SetAttributes.GID) ? request.gid() : -1;
      result =
          FileCalls.changeOwner(
              node.fd(), EMPTY, uid, gid, FileCalls.EMPTY_PATH | FileCalls.NO_FOLLOW);
    }
    if (result >= 0 && request.has(SetAttributes.SIZE)) {
      result =
          request.has(SetAttributes.HANDLE)
              ? FileCalls.truncateOpen((int) request.handle(), request.size())
              : FileCalls.truncate(node.path(), request.size());
    }
    if (result >= 0 && request.has(SetAttributes.KILL_PRIVILEGES)) {
      FileOperations.killPrivileges(node);
    }
    if (result >= 0 && request.has(SetAttributes.ACCESS_TIME | SetAttributes.MODIFICATION_TIME)) {
      result = changeTimes(node, request);
    }
    return result;
  }

  private static int changeTimes(Node node, SetAttributes request) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment times = arena.allocate(JAVA_LONG, 4);
      time(
          times,
          0,
          request.has(SetAttributes.ACCESS_TIME),
          request.has(SetAttributes.ACCESS_TIME_NOW),
          request.accessTime());
      time(
          times,
          2,
          request.has(SetAttributes.MODIFICATION_TIME),
          request.has(SetAttributes.MODIFICATION_TIME_NOW),
          request.modificationTime());
      return FileCalls.changeTimes(FileCalls.CURRENT_DIRECTORY, node.path(), times, 0);
    }
  }

  private static void time(
      MemorySegment times, int index, boolean changes, boolean now, Timestamp time) {
    times.setAtIndex(JAVA_LONG, index, time.seconds());
    times.setAtIndex(JAVA_LONG, index + 1L, !changes ? OMIT : now ? NOW : time.nanos());
  }
}
