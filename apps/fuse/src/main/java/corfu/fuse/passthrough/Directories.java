package corfu.fuse.passthrough;

import corfu.fuse.Done;
import corfu.fuse.Result;
import corfu.fuse.linux.Errno;
import corfu.fuse.linux.FileCalls;
import corfu.fuse.linux.OpenFlags;
import corfu.fuse.linux.SystemCalls;
import corfu.fuse.protocol.DirectoryEntries;
import corfu.fuse.protocol.Entry;
import corfu.fuse.protocol.FileName;
import corfu.fuse.protocol.OpenFile;
import corfu.fuse.protocol.Request;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/** Open directories by their handles. Thread-safe. */
final class Directories {

  private final Map<Long, DirectoryHandle> open = new ConcurrentHashMap<>();
  private final AtomicLong lastHandle = new AtomicLong();

  Result<OpenFile> open(Node node) {
    int fd =
        SystemCalls.open(
            node.path(), OpenFlags.READ_ONLY | OpenFlags.DIRECTORY | OpenFlags.CLOSE_ON_EXEC, 0);
    if (fd < 0) {
      return Result.failed(Errno.of(fd));
    }
    long handle = lastHandle.incrementAndGet();
    open.put(handle, new DirectoryHandle(fd));
    return Result.of(new OpenFile(handle, 0));
  }

  /**
   * Adds the next entries to a reply.
   *
   * @param lookUp counts a lookup of a name in the directory
   */
  Result<Done> read(
      Request.ReadDirectory request,
      DirectoryEntries entries,
      Function<byte[], Result<Entry>> lookUp) {
    DirectoryHandle directory = open.get(request.handle());
    if (directory == null) {
      return Result.failed(Errno.EBADF);
    }
    synchronized (directory) {
      return Result.done(
          directory.read(
              request.offset(),
              (name, inode, type, next) -> add(lookUp, entries, name, inode, type, next)));
    }
  }

  private static boolean add(
      Function<byte[], Result<Entry>> lookUp,
      DirectoryEntries entries,
      FileName name,
      long inode,
      int type,
      long next) {
    if (!entries.isPlus() || isSelfOrParent(name)) {
      return entries.add(name, inode, type, next);
    }
    if (!entries.hasRoomFor(name)) {
      return false; // before the lookup, which the kernel would not know of
    }
    return switch (lookUp.apply(name.bytes())) {
      case Result.Success<Entry>(Entry entry) -> entries.add(name, entry, next);
      case Result.Failure<Entry> _ -> entries.add(name, inode, type, next); // deleted meanwhile
    };
  }

  private static boolean isSelfOrParent(FileName name) {
    return switch (name.length()) {
      case 1 -> name.toString().equals(".");
      case 2 -> name.toString().equals("..");
      default -> false;
    };
  }

  Result<Done> sync(long handle, boolean dataOnly) {
    DirectoryHandle directory = open.get(handle);
    if (directory == null) {
      return Result.failed(Errno.EBADF);
    }
    int fd = directory.fd();
    return Result.done(dataOnly ? FileCalls.syncData(fd) : FileCalls.sync(fd));
  }

  Result<Done> close(long handle) {
    DirectoryHandle directory = open.remove(handle);
    if (directory != null) {
      synchronized (directory) {
        directory.close();
      }
    }
    return Result.done();
  }

  void closeAll() {
    open.keySet().forEach(this::close);
  }
}
