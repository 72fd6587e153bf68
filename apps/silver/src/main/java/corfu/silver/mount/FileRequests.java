package corfu.silver.mount;

import corfu.bytes.VersionedBytes;
import corfu.fuse.Done;
import corfu.fuse.Result;
import corfu.fuse.linux.Errno;
import corfu.fuse.linux.OpenFlags;
import corfu.fuse.protocol.OpenFile;
import corfu.fuse.protocol.Request;
import corfu.silver.Caller;
import corfu.silver.NodeId;
import corfu.silver.Silver;
import corfu.silver.SilverFileSystem;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.function.Supplier;

/** Requests on open files. Thread-safe. */
final class FileRequests {

  private static final int KEEP_SIZE = 1;
  private static final int PUNCH = 2;
  private static final int ZERO = 16;
  private static final int SEEK_DATA = 3;

  private final Silver silver;
  private final NodeTable nodes;
  private final OpenFiles open;
  private final ControlFiles control;

  FileRequests(Silver silver, NodeTable nodes, OpenFiles open, ControlFiles control) {
    this.silver = silver;
    this.nodes = nodes;
    this.open = open;
    this.control = control;
  }

  Result<OpenFile> open(Request.Open request) {
    return Failures.caught(
        () ->
            Result.of(
                nodes.get(request.header().node()).orElse(MountedNode.Control.AT)
                        instanceof MountedNode.Control file
                    ? open.open(control.content(file))
                    : open.open(request.flags())));
  }

  /** Does something through a handle, or fails with EIO if its owner's locks are lost. */
  private <T> Result<T> through(long handle, Supplier<Result<T>> operation) {
    return open.hasFailed(handle) ? Result.failed(Errno.EIO) : Failures.caught(operation);
  }

  Result<Integer> read(Request.Read request, MemorySegment target) {
    return through(
        request.handle(),
        () ->
            switch (nodes.get(request.header().node()).orElse(MountedNode.Control.AT)) {
              case MountedNode.Stored(SilverFileSystem files, NodeId node) ->
                  Failures.then(
                      files.read(node, request.offset(), (int) target.byteSize()),
                      bytes -> Result.of(copy(bytes, target)));
              case MountedNode.Control file -> {
                byte[] content = open.content(request.handle());
                int from = (int) Math.min(request.offset(), content.length);
                int count = (int) Math.min(target.byteSize(), content.length - from);
                yield Result.of(copy(ByteBuffer.wrap(content, from, count).slice(), target));
              }
            });
  }

  private static int copy(ByteBuffer bytes, MemorySegment target) {
    MemorySegment.copy(MemorySegment.ofBuffer(bytes), 0, target, 0, bytes.remaining());
    return bytes.remaining();
  }

  Result<Integer> write(Request.Write request) {
    return through(
        request.handle(),
        () ->
            nodes.get(request.header().node()).orElse(MountedNode.Control.AT)
                    instanceof MountedNode.Stored(SilverFileSystem files, NodeId node)
                ? write(files, node, request)
                : Result.failed(Errno.EROFS));
  }

  private Result<Integer> write(SilverFileSystem files, NodeId node, Request.Write request) {
    Caller caller = Callers.of(silver, request.header());
    ByteBuffer data = request.data().asByteBuffer();
    boolean appends = (request.flags() & OpenFlags.APPEND) != 0;
    boolean isFromCache = (request.writeFlags() & Request.Write.FROM_CACHE) != 0;
    Result<Done> written =
        appends && !isFromCache
            ? files.append(node, data, caller)
            : files.write(node, request.offset(), data, caller);
    if ((request.writeFlags() & Request.Write.KILL_PRIVILEGES) != 0) {
      written =
          Failures.then(written, done -> AttributeRequests.withoutPrivileges(files, node, caller));
    }
    return Failures.then(written, done -> Result.of((int) request.data().byteSize()));
  }

  Result<Done> allocate(Request.Allocate request) {
    return through(
        request.handle(),
        () ->
            nodes.get(request.header().node()).orElse(MountedNode.Control.AT)
                    instanceof MountedNode.Stored(SilverFileSystem files, NodeId node)
                ? allocate(files, node, request)
                : Result.failed(Errno.EROFS));
  }

  private Result<Done> allocate(SilverFileSystem files, NodeId node, Request.Allocate request) {
    Caller caller = Callers.of(silver, request.header());
    boolean keepsSize = (request.mode() & KEEP_SIZE) != 0;
    return switch (request.mode() & ~KEEP_SIZE) {
      case 0 -> keepsSize ? Result.done() : extend(files, node, request, caller);
      case PUNCH -> files.punch(node, request.offset(), request.length(), caller);
      case ZERO ->
          Failures.then(
              keepsSize ? Result.done() : extend(files, node, request, caller),
              extended -> files.punch(node, request.offset(), request.length(), caller));
      default -> Result.failed(Errno.EOPNOTSUPP);
    };
  }

  private static Result<Done> extend(
      SilverFileSystem files, NodeId node, Request.Allocate request, Caller caller) {
    if (request.offset() > VersionedBytes.MAX_SIZE - request.length()) {
      return Result.failed(Errno.EFBIG);
    }
    long end = request.offset() + request.length();
    return Failures.then(
        files.status(node),
        status -> status.size() >= end ? Result.done() : files.resize(node, end, caller));
  }

  Result<Long> seek(Request.Seek request) {
    return Failures.caught(
        () -> {
          if (!(nodes.get(request.header().node()).orElse(MountedNode.Control.AT)
              instanceof MountedNode.Stored(SilverFileSystem files, NodeId node))) {
            return Result.failed(Errno.EINVAL);
          }
          return request.whence() == SEEK_DATA
              ? files.nextData(node, request.offset())
              : files.nextHole(node, request.offset());
        });
  }
}
