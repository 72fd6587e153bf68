package corfu.fuse.passthrough;

import corfu.fuse.linux.FileStatus;
import corfu.fuse.linux.FileStatus.Time;
import corfu.fuse.protocol.Attributes;
import corfu.fuse.protocol.Timestamp;
import java.lang.foreign.Arena;

/** Turns the status of local files into the attributes of the protocol. Thread-safe. */
final class StatusReader {

  private static final ThreadLocal<FileStatus> OF_THREAD =
      ThreadLocal.withInitial(() -> new FileStatus(Arena.ofAuto().allocate(FileStatus.BYTES, 8)));

  private StatusReader() {}

  /** Returns a structure that the calling thread fills and reads again and again. */
  static FileStatus ofThread() {
    return OF_THREAD.get();
  }

  static Attributes attributes(FileStatus status) {
    return new Attributes(
        status.inode(),
        status.size(),
        status.blocks(),
        timestamp(status, Time.ACCESS),
        timestamp(status, Time.MODIFICATION),
        timestamp(status, Time.CHANGE),
        status.mode(),
        status.links(),
        status.uid(),
        status.gid(),
        status.device(),
        status.blockSize());
  }

  static Timestamp timestamp(FileStatus status, Time time) {
    return new Timestamp(status.seconds(time), status.nanos(time));
  }
}
