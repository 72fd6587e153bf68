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

  /** With these flags of a file, a write returns when it is durable. */
  private static final int WRITES_THROUGH = OpenFlags.DATA_SYNC | OpenFlags.DIRECT;

  private final Silver silver;
  private final NodeTable nodes;
  private final OpenFiles open;
  private final ControlFiles control;
  private final MountedData data;

  FileRequests(
      Silver silver, NodeTable nodes, OpenFiles open, ControlFiles control, MountedData data) {
    this.silver = silver;
    this.nodes = nodes;
    this.open = open;
    this.control = control;
    this.data = data;
  }

  /** Opens a file, and returns the reply. */
  OpenFile opened(long number, SilverFileSystem files, NodeId node, int flags) {
    boolean forWriting = (flags & OpenFlags.ACCESS_MODE) != OpenFlags.READ_ONLY;
    return open.open(flags, data.open(number, files, node, forWriting));
  }

  Result<OpenFile> open(Request.Open request) {
    long number = request.header().node();
    return Failures.caught(
        nodes,
        number,
        () ->
            Result.of(
                switch (nodes.get(number).orElse(MountedNode.Control.AT)) {
                  case MountedNode.Stored(SilverFileSystem files, NodeId node) ->
                      opened(number, files, node, request.flags());
                  case MountedNode.Control file -> open.open(control.content(file));
                }));
  }

  void close(Request.Release request) {
    nodes
        .get(request.header().node())
        .ifPresent(
            found -> {
              if (found instanceof MountedNode.Stored(SilverFileSystem files, NodeId node)) {
                long its = open.data(request.handle());
                data.close(request.header().node(), files, node, its);
              }
            });
  }

  /** Returns when the log has the bytes of a file that were written before. */
  void settle(long number) {
    nodes
        .get(number)
        .ifPresent(
            found -> {
              if (found instanceof MountedNode.Stored(SilverFileSystem files, NodeId node)) {
                data.settle(node);
              }
            });
  }

  /** Prepares for the close of a descriptor. */
  Result<Done> flush(Request.Flush request) {
    return nodes.get(request.header().node()).orElse(MountedNode.Control.AT)
            instanceof MountedNode.Stored(SilverFileSystem files, NodeId node)
        ? data.flush(node, open.data(request.handle()))
        : Result.done();
  }

  /** Returns when the log has the bytes of an open file. */
  Result<Done> sync(long number, long handle) {
    return nodes.get(number).orElse(MountedNode.Control.AT)
            instanceof MountedNode.Stored(SilverFileSystem files, NodeId node)
        ? data.sync(node, open.data(handle))
        : Result.done();
  }

  /** Does something through a handle, or fails with EIO if its owner's locks are lost. */
  private <T> Result<T> through(long handle, long number, Supplier<Result<T>> operation) {
    return open.hasFailed(handle)
        ? Result.failed(Errno.EIO)
        : Failures.caught(nodes, number, operation);
  }

  Result<Integer> read(Request.Read request, MemorySegment target) {
    return through(
        request.handle(),
        request.header().node(),
        () ->
            switch (nodes.get(request.header().node()).orElse(MountedNode.Control.AT)) {
              case MountedNode.Stored(SilverFileSystem files, NodeId node) ->
                  Failures.then(
                      data.read(files, node, request.offset(), (int) target.byteSize()),
                      bytes -> Result.of(copy(bytes, target)));
              case MountedNode.Control file -> {
                byte[] content =
                    request.offset() == 0
                        ? open.renew(request.handle(), control.content(file))
                        : open.content(request.handle());
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
        request.header().node(),
        () ->
            nodes.get(request.header().node()).orElse(MountedNode.Control.AT)
                    instanceof MountedNode.Stored(SilverFileSystem files, NodeId node)
                ? write(files, node, request)
                : Result.failed(Errno.EROFS));
  }

  private Result<Integer> write(SilverFileSystem files, NodeId node, Request.Write request) {
    Caller caller = Callers.of(silver, request.header());
    ByteBuffer bytes = request.data().asByteBuffer();
    boolean appends = (request.flags() & OpenFlags.APPEND) != 0;
    boolean isFromCache = (request.writeFlags() & Request.Write.FROM_CACHE) != 0;
    Result<Done> written =
        appends && !isFromCache
            ? data.append(files, node, bytes, caller)
            : data.write(files, node, request.offset(), bytes, caller);
    if ((request.flags() & WRITES_THROUGH) != 0) {
      written = Failures.then(written, done -> data.sync(node, request.handle()));
    }
    if ((request.writeFlags() & Request.Write.KILL_PRIVILEGES) != 0) {
      written =
          Failures.then(written, done -> AttributeRequests.withoutPrivileges(files, node, caller));
    }
    return Failures.then(written, done -> Result.of((int) request.data().byteSize()));
  }

  Result<Done> allocate(Request.Allocate request) {
    return through(
        request.handle(),
        request.header().node(),
        () ->
            nodes.get(request.header().node()).orElse(MountedNode.Control.AT)
                    instanceof MountedNode.Stored(SilverFileSystem files, NodeId node)
                ? allocate(files, node, request)
                : Result.failed(Errno.EROFS));
  }

  private Result<Done> allocate(SilverFileSystem files, NodeId node, Request.Allocate request) {
    Caller caller = Callers.of(silver, request.header());
    data.settle(node);
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

  /** Copies a range without a copy of the bytes. Those that wait are written first. */
  Result<Long> copy(
      SilverFileSystem from,
      NodeId source,
      SilverFileSystem in,
      NodeId target,
      Request.CopyRange request) {
    data.settle(source);
    data.settle(target);
    return in.copyRange(
        from,
        source,
        request.offset(),
        target,
        request.targetOffset(),
        request.length(),
        Callers.of(silver, request.header()));
  }

  Result<Long> seek(Request.Seek request) {
    return Failures.caught(
        nodes,
        request.header().node(),
        () -> {
          if (!(nodes.get(request.header().node()).orElse(MountedNode.Control.AT)
              instanceof MountedNode.Stored(SilverFileSystem files, NodeId node))) {
            return Result.failed(Errno.EINVAL);
          }
          data.settle(node);
          return request.whence() == SEEK_DATA
              ? files.nextData(node, request.offset())
              : files.nextHole(node, request.offset());
        });
  }
}
