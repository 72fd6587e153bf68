package corfu.fuse.passthrough;

import corfu.fuse.linux.FileCalls;
import corfu.fuse.linux.FileMode;
import corfu.fuse.linux.FileStatus;
import corfu.fuse.linux.SystemCalls;
import corfu.fuse.protocol.RequestHeader;

/** Owner and mode of new local files. Thread-safe. */
final class NewFiles {

  private NewFiles() {}

  /** Gives a new file to its creator, with the mode that the kernel has computed. */
  static void giveTo(RequestHeader header, Node directory, byte[] name, int mode) {
    FileStatus status = StatusReader.ofThread();
    int found =
        FileCalls.stat(directory.fd(), name, FileCalls.NO_FOLLOW, FileStatus.ALL, status.statx());
    if (found < 0) {
      return;
    }
    boolean inheritsGroup = status.gid() != SystemCalls.effectiveGroupId();
    int gid = inheritsGroup ? status.gid() : header.gid();
    if (status.uid() != header.uid() || status.gid() != gid) {
      int unused =
          FileCalls.changeOwner(directory.fd(), name, header.uid(), gid, FileCalls.NO_FOLLOW);
    }
    // The umask of this process may have removed bits.
    int missing = mode & FileMode.PERMISSIONS & ~status.mode();
    if (missing != 0) {
      int full = (status.mode() | missing) & FileMode.PERMISSIONS;
      int unused = FileCalls.changeMode(directory.fd(), name, full, 0);
    }
  }
}
