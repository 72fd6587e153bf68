package corfu.fuse.protocol;

import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * A request of the kernel. Each record carries the header; nodes and handles are the numbers that
 * the file system has given.
 */
public sealed interface Request {

  /** Returns the header. */
  RequestHeader header();

  /** LOOKUP: finds a name in the directory of the header. */
  record Lookup(RequestHeader header, FileName name) implements Request {}

  /**
   * FORGET: takes back lookups of the node. It has no reply.
   *
   * @param lookups the number of lookups
   */
  record Forget(RequestHeader header, long lookups) implements Request {}

  /**
   * BATCH_FORGET: takes back lookups of several nodes. It has no reply.
   *
   * @param forgotten the nodes
   */
  record BatchForget(RequestHeader header, List<BatchForget.Forgotten> forgotten)
      implements Request {
    /**
     * Lookups of one node.
     *
     * @param node the node
     * @param lookups the number of lookups
     */
    public record Forgotten(long node, long lookups) {}
  }

  /**
   * GETATTR: asks for the attributes of a node.
   *
   * @param flags 1 if {@code handle} is valid
   * @param handle a handle of the file
   */
  record GetAttributes(RequestHeader header, int flags, long handle) implements Request {
    /** Returns whether the handle is valid. */
    public boolean hasHandle() {
      return (flags & 1) != 0;
    }
  }

  /**
   * SETATTR: changes attributes of a node.
   *
   * @param valid the attributes to change, as a union of constants of this class
   * @param handle a handle of the file if {@link #HANDLE} is valid
   * @param size the new size in bytes
   * @param lockOwner the owner of locks if {@link #LOCK_OWNER} is valid
   * @param accessTime the new time of the last read
   * @param modificationTime the new time of the last change of the data
   * @param changeTime the new time of the last change of the attributes
   * @param mode the new permissions
   * @param uid the new owner
   * @param gid the new group
   */
  record SetAttributes(
      RequestHeader header,
      int valid,
      long handle,
      long size,
      long lockOwner,
      Timestamp accessTime,
      Timestamp modificationTime,
      Timestamp changeTime,
      int mode,
      int uid,
      int gid)
      implements Request {

    public static final int MODE = 1;
    public static final int UID = 2;
    public static final int GID = 4;
    public static final int SIZE = 8;
    public static final int ACCESS_TIME = 16;
    public static final int MODIFICATION_TIME = 32;
    public static final int HANDLE = 64;
    public static final int ACCESS_TIME_NOW = 128;
    public static final int MODIFICATION_TIME_NOW = 256;
    public static final int LOCK_OWNER = 512;
    public static final int CHANGE_TIME = 1024;
    public static final int KILL_PRIVILEGES = 2048;

    /** Returns whether the request changes this attribute, or one of several. */
    public boolean has(int attributes) {
      return (valid & attributes) != 0;
    }
  }

  /** READLINK: asks for the target of a symbolic link. */
  record ReadLink(RequestHeader header) implements Request {}

  /**
   * SYMLINK: creates a symbolic link.
   *
   * @param name its name
   * @param target the path that it points to
   */
  record MakeSymbolicLink(RequestHeader header, FileName name, FileName target)
      implements Request {}

  /**
   * MKNOD: creates a file that is no directory and no link.
   *
   * @param name its name
   * @param mode its type and permissions
   * @param device its number if it is a device
   * @param umask the bits to remove from {@code mode}; without {@link InitFlag#DONT_MASK}, the
   *     kernel has done it
   */
  record MakeNode(RequestHeader header, FileName name, int mode, int device, int umask)
      implements Request {}

  /**
   * MKDIR: creates a directory.
   *
   * @param name its name
   * @param mode its permissions
   * @param umask the bits to remove from {@code mode}; without {@link InitFlag#DONT_MASK}, the
   *     kernel has done it
   */
  record MakeDirectory(RequestHeader header, FileName name, int mode, int umask)
      implements Request {}

  /** UNLINK: removes a name that is no directory. */
  record Unlink(RequestHeader header, FileName name) implements Request {}

  /** RMDIR: removes an empty directory. */
  record RemoveDirectory(RequestHeader header, FileName name) implements Request {}

  /**
   * RENAME and RENAME2: renames a file, or exchanges two.
   *
   * @param name the old name, in the directory of the header
   * @param newParent the node of the new directory
   * @param newName the new name
   * @param flags the union of {@link #NO_REPLACE} and {@link #EXCHANGE}, or 0
   */
  record Rename(RequestHeader header, FileName name, long newParent, FileName newName, int flags)
      implements Request {
    /** Fails if the new name exists. */
    public static final int NO_REPLACE = 1;

    /** Exchanges the two names. */
    public static final int EXCHANGE = 2;
  }

  /**
   * LINK: creates a hard link in the directory of the header.
   *
   * @param target the node that gets another name
   * @param name the new name
   */
  record Link(RequestHeader header, long target, FileName name) implements Request {}

  /**
   * OPEN: opens a file.
   *
   * @param flags the flags of {@code open}
   */
  record Open(RequestHeader header, int flags) implements Request {}

  /**
   * READ: reads from an open file.
   *
   * @param handle the open file
   * @param offset the first byte
   * @param size the number of bytes, at most the negotiated size
   * @param flags the flags of {@code open}
   */
  record Read(RequestHeader header, long handle, long offset, int size, int flags)
      implements Request {}

  /**
   * WRITE: writes to an open file.
   *
   * @param handle the open file
   * @param offset the first byte
   * @param writeFlags the union of flags of this class
   * @param lockOwner the owner of locks
   * @param flags the flags of {@code open}
   * @param data the bytes, valid until the file system returns
   */
  record Write(
      RequestHeader header,
      long handle,
      long offset,
      int writeFlags,
      long lockOwner,
      int flags,
      MemorySegment data)
      implements Request {
    /** The kernel's cache writes; the handle is any handle of the file. */
    public static final int FROM_CACHE = 1;

    /** The file system clears set-user-id bits. */
    public static final int KILL_PRIVILEGES = 4;
  }

  /** STATFS: asks for the free space. */
  record GetStatistics(RequestHeader header) implements Request {}

  /**
   * RELEASE: the last descriptor of an open file is closed.
   *
   * @param handle the open file
   * @param flags the flags of {@code open}
   * @param releaseFlags 2 if the owner unlocks its lock of the whole file
   * @param lockOwner the owner of locks
   */
  record Release(RequestHeader header, long handle, int flags, int releaseFlags, long lockOwner)
      implements Request {
    /** Returns whether the owner gives back its lock of the whole file. */
    public boolean unlocksFile() {
      return (releaseFlags & 2) != 0;
    }
  }

  /**
   * FSYNC: makes a file durable.
   *
   * @param handle the open file
   * @param dataOnly whether attributes may stay behind
   */
  record Sync(RequestHeader header, long handle, boolean dataOnly) implements Request {}

  /**
   * SETXATTR: sets an extended attribute.
   *
   * @param name its name
   * @param flags 1 to create it only, 2 to replace it only, otherwise 0
   * @param extendedFlags 1 if the file loses its set-group-id bit with an access control list
   * @param value the bytes, valid until the file system returns
   */
  record SetExtendedAttribute(
      RequestHeader header, FileName name, int flags, int extendedFlags, MemorySegment value)
      implements Request {
    /** Returns whether the file loses its set-group-id bit with an access control list. */
    public boolean clearsSetGroupId() {
      return (extendedFlags & 1) != 0;
    }
  }

  /**
   * GETXATTR: asks for an extended attribute.
   *
   * @param name its name
   * @param size the bytes that the caller has room for; 0 asks for the size
   */
  record GetExtendedAttribute(RequestHeader header, FileName name, int size) implements Request {}

  /**
   * LISTXATTR: asks for the names of the extended attributes.
   *
   * @param size the bytes that the caller has room for; 0 asks for the size
   */
  record ListExtendedAttributes(RequestHeader header, int size) implements Request {}

  /** REMOVEXATTR: removes an extended attribute. */
  record RemoveExtendedAttribute(RequestHeader header, FileName name) implements Request {}

  /**
   * FLUSH: one descriptor of an open file is closed.
   *
   * @param handle the open file
   * @param lockOwner the owner whose locks of byte ranges end
   */
  record Flush(RequestHeader header, long handle, long lockOwner) implements Request {}

  /**
   * INIT: the first request.
   *
   * @param major the major version
   * @param minor the minor version
   * @param maxReadAhead the bytes that the kernel reads ahead at most
   * @param flags the features on offer, see {@link InitFlag}
   */
  record Init(RequestHeader header, int major, int minor, int maxReadAhead, long flags)
      implements Request {}

  /**
   * OPENDIR: opens a directory.
   *
   * @param flags the flags of {@code open}
   */
  record OpenDirectory(RequestHeader header, int flags) implements Request {}

  /**
   * READDIR and READDIRPLUS: reads entries of an open directory.
   *
   * @param handle the open directory
   * @param offset the offset of the entry before, 0 at the start
   * @param size the bytes of entries at most
   */
  record ReadDirectory(RequestHeader header, long handle, long offset, int size)
      implements Request {}

  /**
   * RELEASEDIR: the last descriptor of a directory is closed.
   *
   * @param handle the open directory
   */
  record ReleaseDirectory(RequestHeader header, long handle) implements Request {}

  /**
   * FSYNCDIR: makes the entries of a directory durable.
   *
   * @param handle the open directory
   * @param dataOnly whether attributes may stay behind
   */
  record SyncDirectory(RequestHeader header, long handle, boolean dataOnly) implements Request {}

  /**
   * GETLK: asks for a lock that conflicts.
   *
   * @param handle the open file
   * @param owner the owner
   * @param lock the lock that the owner would take
   */
  record GetLock(RequestHeader header, long handle, long owner, FileLock lock) implements Request {}

  /**
   * SETLK and SETLKW: takes or gives back a lock.
   *
   * @param handle the open file
   * @param owner the owner
   * @param lock the lock
   * @param wholeFile whether it is a lock as {@code flock(2)} takes it
   * @param waits whether the caller waits until the lock is free
   */
  record SetLock(
      RequestHeader header,
      long handle,
      long owner,
      FileLock lock,
      boolean wholeFile,
      boolean waits)
      implements Request {}

  /**
   * ACCESS: checks the permissions of the caller.
   *
   * @param mask 4 to read, 2 to write, 1 to execute, added up
   */
  record CheckAccess(RequestHeader header, int mask) implements Request {}

  /**
   * CREATE: creates and opens a regular file.
   *
   * @param name its name
   * @param flags the flags of {@code open}
   * @param mode its type and permissions
   * @param umask the bits to remove from {@code mode}; without {@link InitFlag#DONT_MASK}, the
   *     kernel has done it
   */
  record Create(RequestHeader header, FileName name, int flags, int mode, int umask)
      implements Request {}

  /**
   * TMPFILE: creates and opens a file without a name.
   *
   * @param flags the flags of {@code open}
   * @param mode its type and permissions
   * @param umask the bits to remove from {@code mode}; without {@link InitFlag#DONT_MASK}, the
   *     kernel has done it
   */
  record MakeTemporaryFile(RequestHeader header, int flags, int mode, int umask)
      implements Request {}

  /**
   * INTERRUPT: the caller of another request got a signal.
   *
   * @param interrupted the id of the other request
   */
  record Interrupt(RequestHeader header, long interrupted) implements Request {}

  /**
   * BMAP: asks for the place of a block on a device.
   *
   * @param block the block in the file
   * @param blockSize its size in bytes
   */
  record MapBlock(RequestHeader header, long block, int blockSize) implements Request {}

  /** DESTROY: the last request before the connection ends. */
  record Destroy(RequestHeader header) implements Request {}

  /**
   * IOCTL: controls an open file.
   *
   * @param handle the open file
   * @param flags the union of flags of the protocol
   * @param command the number of the command
   * @param argument the argument
   * @param outputSize the bytes that the caller has room for
   * @param input the bytes of the caller, valid until the file system returns
   */
  record Ioctl(
      RequestHeader header,
      long handle,
      int flags,
      int command,
      long argument,
      int outputSize,
      MemorySegment input)
      implements Request {}

  /**
   * POLL: asks whether an open file is ready.
   *
   * @param handle the open file
   * @param kernelHandle the number that a poll notification carries
   * @param flags 1 if the kernel wants a notification
   * @param events the events of {@code poll}
   */
  record Poll(RequestHeader header, long handle, long kernelHandle, int flags, int events)
      implements Request {}

  /**
   * FALLOCATE: allocates, punches or zeroes a range.
   *
   * @param handle the open file
   * @param offset the first byte
   * @param length the number of bytes
   * @param mode the mode of {@code fallocate}
   */
  record Allocate(RequestHeader header, long handle, long offset, long length, int mode)
      implements Request {}

  /**
   * LSEEK: finds data or a hole.
   *
   * @param handle the open file
   * @param offset the first byte
   * @param whence 3 for data, 4 for a hole
   */
  record Seek(RequestHeader header, long handle, long offset, int whence) implements Request {}

  /**
   * COPY_FILE_RANGE: copies within the file system.
   *
   * @param handle the source
   * @param offset the first byte to copy
   * @param targetNode the node of the target
   * @param targetHandle the target
   * @param targetOffset the place of the first byte
   * @param length the number of bytes
   * @param flags reserved
   */
  record CopyRange(
      RequestHeader header,
      long handle,
      long offset,
      long targetNode,
      long targetHandle,
      long targetOffset,
      long length,
      long flags)
      implements Request {}

  /** SYNCFS: makes the file system durable. */
  record SyncFileSystem(RequestHeader header) implements Request {}

  /**
   * STATX: asks for attributes with the time of creation.
   *
   * @param flags 1 if {@code handle} is valid
   * @param handle a handle of the file
   * @param mask the fields that the caller wants
   */
  record GetExtendedStatus(RequestHeader header, int flags, long handle, int mask)
      implements Request {}

  /**
   * A request that this version does not know.
   *
   * @param opcode its number
   */
  record Unsupported(RequestHeader header, int opcode) implements Request {}

  /**
   * A request whose bytes contradict its layout.
   *
   * @param problem the contradiction
   */
  record Malformed(RequestHeader header, String problem) implements Request {}
}
