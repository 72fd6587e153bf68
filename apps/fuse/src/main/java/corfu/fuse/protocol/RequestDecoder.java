package corfu.fuse.protocol;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;

/**
 * Reads requests from the bytes that the kernel sends. Bytes that contradict a layout become {@link
 * Request.Malformed}, so the sender gets an error, and the connection lives on. Thread-safe.
 */
public final class RequestDecoder {

  private static final int NODE_SIZE = 16;
  private static final int NANOS_OF_SECOND = 1_000_000_000;

  private final boolean extendedSetXattr;

  /**
   * Returns a decoder.
   *
   * @param extendedSetXattr whether SETXATTR has flags of its own, as INIT has negotiated
   */
  public RequestDecoder(boolean extendedSetXattr) {
    this.extendedSetXattr = extendedSetXattr;
  }

  /**
   * Returns the request in a buffer. Data of the request stays in the buffer.
   *
   * @param buffer a buffer that starts with the request
   * @param length the bytes that one read of the device returned, at most the buffer's size
   */
  public Request decode(MemorySegment buffer, long length) {
    if (length < RequestHeader.BYTES || length > buffer.byteSize()) {
      RequestHeader none = new RequestHeader((int) length, 0, 0, 0, 0, 0, 0);
      return new Request.Malformed(none, length + " bytes are no header");
    }
    RequestHeader header =
        new RequestHeader(
            buffer.get(JAVA_INT_UNALIGNED, 0),
            buffer.get(JAVA_INT_UNALIGNED, 4),
            buffer.get(JAVA_LONG_UNALIGNED, 8),
            buffer.get(JAVA_LONG_UNALIGNED, 16),
            buffer.get(JAVA_INT_UNALIGNED, 24),
            buffer.get(JAVA_INT_UNALIGNED, 28),
            buffer.get(JAVA_INT_UNALIGNED, 32));
    long extensions = 8L * Short.toUnsignedInt(buffer.get(JAVA_SHORT_UNALIGNED, 36));
    if (header.length() != length || extensions > length - RequestHeader.BYTES) {
      return new Request.Malformed(
          header,
          "its header names %d bytes and %d bytes of extensions; it has %d"
              .formatted(header.length(), extensions, length));
    }
    try {
      RequestBody body = new RequestBody(buffer, RequestHeader.BYTES, length - extensions);
      return decode(header, body);
    } catch (MalformedRequestException e) {
      return new Request.Malformed(header, String.valueOf(e.getMessage()));
    }
  }

  private Request decode(RequestHeader header, RequestBody body) throws MalformedRequestException {
    return switch (Opcode.of(header.opcode())) {
      case READ, WRITE, OPEN, RELEASE, FLUSH, FSYNC, FALLOCATE, LSEEK, CREATE, TMPFILE ->
          file(header, body);
      case COPY_FILE_RANGE, COPY_FILE_RANGE_64, IOCTL, POLL, BMAP, GETLK, SETLK, SETLKW ->
          file2(header, body);
      case OPENDIR, READDIR, READDIRPLUS, RELEASEDIR, FSYNCDIR -> directory(header, body);
      case SETXATTR, GETXATTR, LISTXATTR, REMOVEXATTR -> extendedAttribute(header, body);
      case LOOKUP, GETATTR, SETATTR, READLINK, ACCESS, STATX -> node(header, body);
      case SYMLINK, MKNOD, MKDIR, UNLINK, RMDIR, RENAME, RENAME2, LINK -> name(header, body);
      case INIT -> init(header, body);
      case FORGET -> new Request.Forget(header, body.int64());
      case BATCH_FORGET -> batchForget(header, body);
      case INTERRUPT -> new Request.Interrupt(header, body.int64());
      case STATFS -> new Request.GetStatistics(header);
      case SYNCFS -> new Request.SyncFileSystem(header);
      case DESTROY -> new Request.Destroy(header);
      case NOTIFY_REPLY -> new Request.Unsupported(header, header.opcode());
    };
  }

  private static Request file(RequestHeader header, RequestBody body)
      throws MalformedRequestException {
    return switch (Opcode.of(header.opcode())) {
      case READ -> read(header, body);
      case WRITE -> write(header, body);
      case OPEN -> {
        int flags = body.int32();
        body.skip(4);
        yield new Request.Open(header, flags);
      }
      case RELEASE ->
          new Request.Release(header, body.int64(), body.int32(), body.int32(), body.int64());
      case FLUSH -> {
        long handle = body.int64();
        body.skip(8);
        yield new Request.Flush(header, handle, body.int64());
      }
      case FSYNC -> new Request.Sync(header, body.int64(), (body.int32() & 1) != 0);
      case FALLOCATE ->
          new Request.Allocate(header, body.int64(), body.int64(), body.int64(), body.int32());
      case LSEEK -> new Request.Seek(header, body.int64(), body.int64(), body.int32());
      default -> create(header, body);
    };
  }

  private static Request create(RequestHeader header, RequestBody body)
      throws MalformedRequestException {
    int flags = body.int32();
    int mode = body.int32();
    int umask = body.int32();
    body.skip(4);
    return header.opcode() == Opcode.CREATE.code()
        ? new Request.Create(header, body.name(), flags, mode, umask)
        : new Request.MakeTemporaryFile(header, flags, mode, umask);
  }

  private static Request file2(RequestHeader header, RequestBody body)
      throws MalformedRequestException {
    return switch (Opcode.of(header.opcode())) {
      case IOCTL -> {
        long handle = body.int64();
        int flags = body.int32();
        int command = body.int32();
        long argument = body.int64();
        int inputSize = body.int32();
        int outputSize = body.int32();
        yield new Request.Ioctl(
            header, handle, flags, command, argument, outputSize, body.bytes(inputSize));
      }
      case POLL -> new Request.Poll(header, body.int64(), body.int64(), body.int32(), body.int32());
      case BMAP -> new Request.MapBlock(header, body.int64(), body.int32());
      case GETLK, SETLK, SETLKW -> lock(header, body);
      default ->
          new Request.CopyRange(
              header,
              body.int64(),
              body.int64(),
              body.int64(),
              body.int64(),
              body.int64(),
              body.int64(),
              body.int64());
    };
  }

  private static Request lock(RequestHeader header, RequestBody body)
      throws MalformedRequestException {
    long handle = body.int64();
    long owner = body.int64();
    long start = body.int64();
    long end = body.int64();
    int type = body.int32();
    int pid = body.int32();
    boolean wholeFile = (body.int32() & 1) != 0;
    Optional<FileLock.Type> known = FileLock.Type.of(type);
    if (known.isEmpty()) {
      throw new MalformedRequestException("there is no type of locks " + type);
    }
    FileLock lock = new FileLock(known.get(), start, end, pid);
    return header.opcode() == Opcode.GETLK.code()
        ? new Request.GetLock(header, handle, owner, lock)
        : new Request.SetLock(
            header, handle, owner, lock, wholeFile, header.opcode() == Opcode.SETLKW.code());
  }

  private static Request read(RequestHeader header, RequestBody body)
      throws MalformedRequestException {
    long handle = body.int64();
    long offset = body.int64();
    int size = body.int32();
    body.skip(12); // flags of the read, and the owner of locks
    int flags = body.int32();
    if (size < 0) {
      throw new MalformedRequestException("a read of " + size + " bytes");
    }
    return new Request.Read(header, handle, offset, size, flags);
  }

  private static Request write(RequestHeader header, RequestBody body)
      throws MalformedRequestException {
    long handle = body.int64();
    long offset = body.int64();
    int size = body.int32();
    int writeFlags = body.int32();
    long lockOwner = body.int64();
    int flags = body.int32();
    body.skip(4);
    return new Request.Write(
        header, handle, offset, writeFlags, lockOwner, flags, body.bytes(size));
  }

  private static Request directory(RequestHeader header, RequestBody body)
      throws MalformedRequestException {
    return switch (Opcode.of(header.opcode())) {
      case OPENDIR -> new Request.OpenDirectory(header, body.int32());
      case RELEASEDIR -> new Request.ReleaseDirectory(header, body.int64());
      case FSYNCDIR -> new Request.SyncDirectory(header, body.int64(), (body.int32() & 1) != 0);
      default -> {
        long handle = body.int64();
        long offset = body.int64();
        int size = body.int32();
        if (size < 0) {
          throw new MalformedRequestException("a read of " + size + " bytes of entries");
        }
        yield new Request.ReadDirectory(header, handle, offset, size);
      }
    };
  }

  private Request extendedAttribute(RequestHeader header, RequestBody body)
      throws MalformedRequestException {
    return switch (Opcode.of(header.opcode())) {
      case SETXATTR -> {
        int size = body.int32();
        int flags = body.int32();
        int extendedFlags = 0;
        if (extendedSetXattr) {
          extendedFlags = body.int32();
          body.skip(4);
        }
        FileName name = body.name();
        yield new Request.SetExtendedAttribute(
            header, name, flags, extendedFlags, body.bytes(size));
      }
      case REMOVEXATTR -> new Request.RemoveExtendedAttribute(header, body.name());
      default -> {
        int size = body.int32();
        body.skip(4);
        if (size < 0) {
          throw new MalformedRequestException("room for " + size + " bytes of attributes");
        }
        yield header.opcode() == Opcode.GETXATTR.code()
            ? new Request.GetExtendedAttribute(header, body.name(), size)
            : new Request.ListExtendedAttributes(header, size);
      }
    };
  }

  private static Request node(RequestHeader header, RequestBody body)
      throws MalformedRequestException {
    return switch (Opcode.of(header.opcode())) {
      case LOOKUP -> new Request.Lookup(header, body.name());
      case GETATTR -> {
        int flags = body.int32();
        body.skip(4);
        yield new Request.GetAttributes(header, flags, body.int64());
      }
      case SETATTR -> setAttributes(header, body);
      case READLINK -> new Request.ReadLink(header);
      case ACCESS -> new Request.CheckAccess(header, body.int32());
      default -> {
        int flags = body.int32();
        body.skip(4);
        long handle = body.int64();
        body.skip(4); // flags of synchronization
        yield new Request.GetExtendedStatus(header, flags, handle, body.int32());
      }
    };
  }

  private static Request setAttributes(RequestHeader header, RequestBody body)
      throws MalformedRequestException {
    int valid = body.int32();
    body.skip(4);
    long handle = body.int64();
    long size = body.int64();
    long lockOwner = body.int64();
    long access = body.int64();
    long modification = body.int64();
    long change = body.int64();
    Timestamp accessTime = timestamp(access, body.int32());
    Timestamp modificationTime = timestamp(modification, body.int32());
    Timestamp changeTime = timestamp(change, body.int32());
    int mode = body.int32();
    body.skip(4);
    int uid = body.int32();
    int gid = body.int32();
    body.skip(4);
    return new Request.SetAttributes(
        header,
        valid,
        handle,
        size,
        lockOwner,
        accessTime,
        modificationTime,
        changeTime,
        mode,
        uid,
        gid);
  }

  private static Timestamp timestamp(long seconds, int nanos) throws MalformedRequestException {
    if (nanos < 0 || nanos >= NANOS_OF_SECOND) {
      throw new MalformedRequestException("a time with " + nanos + " nanoseconds");
    }
    return new Timestamp(seconds, nanos);
  }

  private static Request name(RequestHeader header, RequestBody body)
      throws MalformedRequestException {
    return switch (Opcode.of(header.opcode())) {
      case SYMLINK -> new Request.MakeSymbolicLink(header, body.name(), body.name());
      case MKNOD -> {
        int mode = body.int32();
        int device = body.int32();
        int umask = body.int32();
        body.skip(4);
        yield new Request.MakeNode(header, body.name(), mode, device, umask);
      }
      case MKDIR -> {
        int mode = body.int32();
        int umask = body.int32();
        yield new Request.MakeDirectory(header, body.name(), mode, umask);
      }
      case UNLINK -> new Request.Unlink(header, body.name());
      case RMDIR -> new Request.RemoveDirectory(header, body.name());
      case LINK -> new Request.Link(header, body.int64(), body.name());
      case RENAME -> {
        long newParent = body.int64();
        yield new Request.Rename(header, body.name(), newParent, body.name(), 0);
      }
      default -> {
        long newParent = body.int64();
        int flags = body.int32();
        body.skip(4);
        yield new Request.Rename(header, body.name(), newParent, body.name(), flags);
      }
    };
  }

  private static Request init(RequestHeader header, RequestBody body)
      throws MalformedRequestException {
    int major = body.int32();
    int minor = body.int32();
    int maxReadAhead = body.int32();
    long flags = Integer.toUnsignedLong(body.int32());
    if ((flags & InitFlag.bitsOf(EnumSet.of(InitFlag.INIT_EXTENDED))) != 0) {
      flags |= (long) body.int32() << Integer.SIZE;
    }
    return new Request.Init(header, major, minor, maxReadAhead, flags);
  }

  private static Request batchForget(RequestHeader header, RequestBody body)
      throws MalformedRequestException {
    int count = body.int32();
    body.skip(4);
    if (count < 0 || count > body.remaining() / NODE_SIZE) {
      throw new MalformedRequestException(
          "%d nodes in %d bytes".formatted(count, body.remaining()));
    }
    List<Request.BatchForget.Forgotten> forgotten = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      forgotten.add(new Request.BatchForget.Forgotten(body.int64(), body.int64()));
    }
    return new Request.BatchForget(header, forgotten);
  }
}
