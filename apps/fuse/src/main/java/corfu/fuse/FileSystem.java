package corfu.fuse;

import corfu.fuse.linux.Errno;
import corfu.fuse.protocol.Created;
import corfu.fuse.protocol.DirectoryEntries;
import corfu.fuse.protocol.Entry;
import corfu.fuse.protocol.ExtendedStatus;
import corfu.fuse.protocol.FileLock;
import corfu.fuse.protocol.FileSystemStatistics;
import corfu.fuse.protocol.IoctlResult;
import corfu.fuse.protocol.OpenFile;
import corfu.fuse.protocol.Request;
import corfu.fuse.protocol.TimedAttributes;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntSupplier;

/**
 * A file system behind FUSE. It gives numbers to nodes and handles; the root is the node {@link
 * #ROOT}. Several threads call it at the same time.
 *
 * <p>An expected failure is a {@link Result.Failure}. An exception fails the request with EIO. A
 * method that a file system lacks replies with ENOSYS, and the kernel then does without it: it
 * remembers that, and does not ask again.
 */
public interface FileSystem {

  /** The node of the root directory. */
  long ROOT = 1;

  /** The file system is mounted. Requests follow. */
  default void mounted(Kernel kernel) {}

  /** The file system is not mounted any more. No request follows. */
  default void unmounted() {}

  /**
   * The kernel takes back lookups of a node. The node ends when none remain.
   *
   * @param node the node
   * @param lookups the number of lookups
   */
  default void forget(long node, long lookups) {}

  /**
   * Serves a request on the calling thread. A file system that bounds the time of requests binds a
   * deadline to the thread here.
   *
   * @param request calls the method for the request
   * @return the value of {@code request}
   */
  default int serve(IntSupplier request) {
    return request.getAsInt();
  }

  /**
   * The caller of a request got a signal. The file system may reply to that request with EINTR, or
   * end it as usual.
   *
   * @param unique the id in the header of that request
   */
  default void interrupt(long unique) {}

  /**
   * Reads from an open file.
   *
   * @param request the request
   * @param target the place for the bytes, as many as the caller wants
   * @return the number of bytes; fewer than wanted only at the end of the file
   */
  default Result<Integer> read(Request.Read request, MemorySegment target) {
    return Result.failed(Errno.ENOSYS);
  }

  /**
   * Adds the entries behind an offset, {@code .} and {@code ..} included, until one fails to fit.
   */
  default Result<Done> readDirectory(Request.ReadDirectory request, DirectoryEntries entries) {
    return Result.failed(Errno.ENOSYS);
  }

  /**
   * Takes or gives back a lock. A lock that has to wait completes later. A signal to the caller
   * completes the future with EINTR; then the owner must not get the lock any more.
   */
  default CompletableFuture<Result<Done>> setLock(Request.SetLock request) {
    return CompletableFuture.completedFuture(Result.failed(Errno.ENOSYS));
  }

  /** Finds a name. The node of the reply lives until {@link #forget} has taken back all lookups. */
  default Result<Entry> lookup(Request.Lookup request) {
    return Result.failed(Errno.ENOSYS);
  }

  /** Returns the attributes of a node. */
  default Result<TimedAttributes> getAttributes(Request.GetAttributes request) {
    return Result.failed(Errno.ENOSYS);
  }

  /** Changes attributes, and returns all of them. */
  default Result<TimedAttributes> setAttributes(Request.SetAttributes request) {
    return Result.failed(Errno.ENOSYS);
  }

  /** Returns the attributes with the time of creation. */
  default Result<ExtendedStatus> getExtendedStatus(Request.GetExtendedStatus request) {
    return Result.failed(Errno.ENOSYS);
  }

  /** Returns the target of a symbolic link. */
  default Result<byte[]> readLink(Request.ReadLink request) {
    return Result.failed(Errno.ENOSYS);
  }

  /** Creates a symbolic link. */
  default Result<Entry> makeSymbolicLink(Request.MakeSymbolicLink request) {
    return Result.failed(Errno.ENOSYS);
  }

  /** Creates a file that is no directory and no link. */
  default Result<Entry> makeNode(Request.MakeNode request) {
    return Result.failed(Errno.ENOSYS);
  }

  /** Creates a directory. */
  default Result<Entry> makeDirectory(Request.MakeDirectory request) {
    return Result.failed(Errno.ENOSYS);
  }

  /** Removes a name. Its file stays usable where it is open. */
  default Result<Done> unlink(Request.Unlink request) {
    return Result.failed(Errno.ENOSYS);
  }

  /** Removes an empty directory. */
  default Result<Done> removeDirectory(Request.RemoveDirectory request) {
    return Result.failed(Errno.ENOSYS);
  }

  /** Renames a file over a possible other one, or exchanges two. */
  default Result<Done> rename(Request.Rename request) {
    return Result.failed(Errno.ENOSYS);
  }

  /** Creates a hard link. */
  default Result<Entry> link(Request.Link request) {
    return Result.failed(Errno.ENOSYS);
  }

  /** Opens a file. ENOSYS means: no file needs it. */
  default Result<OpenFile> open(Request.Open request) {
    return Result.failed(Errno.ENOSYS);
  }

  /** Writes, and returns the number of bytes. */
  default Result<Integer> write(Request.Write request) {
    return Result.failed(Errno.ENOSYS);
  }

  /** Returns the free space. */
  default Result<FileSystemStatistics> getStatistics(Request.GetStatistics request) {
    return Result.failed(Errno.ENOSYS);
  }

  /** Closes an open file. Nobody sees an error. */
  default Result<Done> release(Request.Release request) {
    return Result.failed(Errno.ENOSYS);
  }

  /** Makes a file durable. */
  default Result<Done> sync(Request.Sync request) {
    return Result.failed(Errno.ENOSYS);
  }

  /** Sets an extended attribute. */
  default Result<Done> setExtendedAttribute(Request.SetExtendedAttribute request) {
    return Result.failed(Errno.ENOSYS);
  }

  /** Returns an extended attribute, whatever room the caller has. ENODATA: it does not exist. */
  default Result<byte[]> getExtendedAttribute(Request.GetExtendedAttribute request) {
    return Result.failed(Errno.ENOSYS);
  }

  /** Returns the names of all extended attributes, each with a zero byte behind it. */
  default Result<byte[]> listExtendedAttributes(Request.ListExtendedAttributes request) {
    return Result.failed(Errno.ENOSYS);
  }

  /** Removes an extended attribute. */
  default Result<Done> removeExtendedAttribute(Request.RemoveExtendedAttribute request) {
    return Result.failed(Errno.ENOSYS);
  }

  /** Prepares for the close of one descriptor. The caller of {@code close} sees an error. */
  default Result<Done> flush(Request.Flush request) {
    return Result.failed(Errno.ENOSYS);
  }

  /** Opens a directory. */
  default Result<OpenFile> openDirectory(Request.OpenDirectory request) {
    return Result.failed(Errno.ENOSYS);
  }

  /** Closes a directory. Nobody sees an error. */
  default Result<Done> releaseDirectory(Request.ReleaseDirectory request) {
    return Result.failed(Errno.ENOSYS);
  }

  /** Makes the entries of a directory durable. */
  default Result<Done> syncDirectory(Request.SyncDirectory request) {
    return Result.failed(Errno.ENOSYS);
  }

  /** Returns a lock that conflicts, or one of the type {@code UNLOCKED}. */
  default Result<FileLock> getLock(Request.GetLock request) {
    return Result.failed(Errno.ENOSYS);
  }

  /** Checks permissions, if the mount leaves that to the file system. */
  default Result<Done> checkAccess(Request.CheckAccess request) {
    return Result.failed(Errno.ENOSYS);
  }

  /** Creates and opens a regular file. */
  default Result<Created> create(Request.Create request) {
    return Result.failed(Errno.ENOSYS);
  }

  /** Creates and opens a file without a name. */
  default Result<Created> makeTemporaryFile(Request.MakeTemporaryFile request) {
    return Result.failed(Errno.ENOSYS);
  }

  /** Returns the place of a block on the device below. */
  default Result<Long> mapBlock(Request.MapBlock request) {
    return Result.failed(Errno.ENOSYS);
  }

  /** Controls an open file. ENOTTY means: the command does not exist. */
  default Result<IoctlResult> ioctl(Request.Ioctl request) {
    return Result.failed(Errno.ENOSYS);
  }

  /** Returns the events that are ready. */
  default Result<Integer> poll(Request.Poll request) {
    return Result.failed(Errno.ENOSYS);
  }

  /** Allocates, punches or zeroes a range. */
  default Result<Done> allocate(Request.Allocate request) {
    return Result.failed(Errno.ENOSYS);
  }

  /** Returns the offset of the next data or hole. ENXIO: there is none. */
  default Result<Long> seek(Request.Seek request) {
    return Result.failed(Errno.ENOSYS);
  }

  /**
   * Copies within the file system, and returns the number of bytes. EXDEV or EOPNOTSUPP: the kernel
   * copies by itself.
   */
  default Result<Long> copyRange(Request.CopyRange request) {
    return Result.failed(Errno.ENOSYS);
  }

  /** Makes everything durable. */
  default Result<Done> syncFileSystem(Request.SyncFileSystem request) {
    return Result.failed(Errno.ENOSYS);
  }
}
