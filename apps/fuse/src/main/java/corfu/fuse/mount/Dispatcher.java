package corfu.fuse.mount;

import corfu.fuse.FileSystem;
import corfu.fuse.Result;
import corfu.fuse.linux.Errno;
import corfu.fuse.protocol.DirectoryEntries;
import corfu.fuse.protocol.Opcode;
import corfu.fuse.protocol.ReplyEncoder;
import corfu.fuse.protocol.Request;
import java.lang.foreign.MemorySegment;
import java.util.function.ToIntFunction;

/**
 * Calls the file system for a request, and writes the reply into the buffer of one worker. Not
 * thread-safe.
 */
final class Dispatcher {

  private static final int LONGEST_COPY = 0x7FFF_F000;

  private final FileSystem fileSystem;
  private final ReplyEncoder reply;

  Dispatcher(FileSystem fileSystem, MemorySegment buffer) {
    this.fileSystem = fileSystem;
    this.reply = new ReplyEncoder(buffer);
  }

  /** Writes a reply that fails the request. Returns its bytes. */
  int fail(Request request, Errno errno) {
    return reply.fail(request.header().unique(), errno);
  }

  /**
   * Serves a request that has a reply.
   *
   * @return the bytes of the reply in the buffer
   */
  int serve(Request request) {
    return switch (request) {
      case Request.Lookup lookup -> of(request, fileSystem.lookup(lookup), reply::entry);
      case Request.GetAttributes get ->
          of(request, fileSystem.getAttributes(get), reply::attributes);
      case Request.Read read -> read(read);
      case Request.Write write -> of(request, fileSystem.write(write), reply::size);
      case Request.Open open -> of(request, fileSystem.open(open), reply::open);
      case Request.Release release -> done(request, fileSystem.release(release));
      case Request.Flush flush -> done(request, fileSystem.flush(flush));
      case Request.Create create -> of(request, fileSystem.create(create), reply::created);
      case Request.Unlink unlink -> done(request, fileSystem.unlink(unlink));
      case Request.SetAttributes set ->
          of(request, fileSystem.setAttributes(set), reply::attributes);
      case Request.ReadDirectory read -> readDirectory(read);
      case Request.OpenDirectory open -> of(request, fileSystem.openDirectory(open), reply::open);
      case Request.ReleaseDirectory release -> done(request, fileSystem.releaseDirectory(release));
      case Request.GetExtendedAttribute get ->
          sized(request, fileSystem.getExtendedAttribute(get), get.size());
      default -> serveRare(request);
    };
  }

  private int serveRare(Request request) {
    return switch (request) {
      case Request.ReadLink read -> of(request, fileSystem.readLink(read), reply::bytes);
      case Request.MakeSymbolicLink make ->
          of(request, fileSystem.makeSymbolicLink(make), reply::entry);
      case Request.MakeNode make -> of(request, fileSystem.makeNode(make), reply::entry);
      case Request.MakeDirectory make -> of(request, fileSystem.makeDirectory(make), reply::entry);
      case Request.RemoveDirectory remove -> done(request, fileSystem.removeDirectory(remove));
      case Request.Rename rename -> done(request, fileSystem.rename(rename));
      case Request.Link link -> of(request, fileSystem.link(link), reply::entry);
      case Request.GetStatistics get ->
          of(request, fileSystem.getStatistics(get), reply::statistics);
      case Request.Sync sync -> done(request, fileSystem.sync(sync));
      case Request.SyncDirectory sync -> done(request, fileSystem.syncDirectory(sync));
      case Request.SyncFileSystem sync -> done(request, fileSystem.syncFileSystem(sync));
      case Request.SetExtendedAttribute set -> done(request, fileSystem.setExtendedAttribute(set));
      case Request.ListExtendedAttributes list ->
          sized(request, fileSystem.listExtendedAttributes(list), list.size());
      case Request.RemoveExtendedAttribute remove ->
          done(request, fileSystem.removeExtendedAttribute(remove));
      case Request.GetLock get -> of(request, fileSystem.getLock(get), reply::lock);
      case Request.CheckAccess check -> done(request, fileSystem.checkAccess(check));
      case Request.MakeTemporaryFile make ->
          of(request, fileSystem.makeTemporaryFile(make), reply::created);
      case Request.MapBlock map -> of(request, fileSystem.mapBlock(map), reply::offset);
      case Request.Ioctl ioctl -> ioctl(ioctl);
      case Request.Poll poll -> of(request, fileSystem.poll(poll), reply::size);
      case Request.Allocate allocate -> done(request, fileSystem.allocate(allocate));
      case Request.Seek seek -> of(request, fileSystem.seek(seek), reply::offset);
      case Request.CopyRange copy -> copyRange(copy);
      case Request.GetExtendedStatus get ->
          of(request, fileSystem.getExtendedStatus(get), reply::extendedStatus);
      case Request.Destroy destroy -> done(destroy, Result.done());
      case Request.Malformed malformed -> fail(malformed, Errno.EIO);
      default -> fail(request, Errno.ENOSYS);
    };
  }

  private <T> int of(Request request, Result<T> result, ToIntFunction<T> body) {
    return switch (result) {
      case Result.Success<T>(T value) ->
          reply.finish(request.header().unique(), body.applyAsInt(value));
      case Result.Failure<T>(Errno errno) -> fail(request, errno);
    };
  }

  private <T> int done(Request request, Result<T> result) {
    return of(request, result, _ -> 0);
  }

  private int read(Request.Read read) {
    if (read.size() > reply.body().byteSize()) {
      return fail(read, Errno.EIO);
    }
    MemorySegment target = reply.body().asSlice(0, read.size());
    return of(read, fileSystem.read(read, target), Integer::intValue);
  }

  private int readDirectory(Request.ReadDirectory read) {
    if (read.size() > reply.body().byteSize()) {
      return fail(read, Errno.EIO);
    }
    boolean plus = read.header().opcode() == Opcode.READDIRPLUS.code();
    DirectoryEntries entries = new DirectoryEntries(reply.body().asSlice(0, read.size()), plus);
    return of(read, fileSystem.readDirectory(read, entries), _ -> entries.length());
  }

  /** Replies with bytes, or with their number if the caller asks for it. */
  private int sized(Request request, Result<byte[]> result, int room) {
    if (result instanceof Result.Success<byte[]>(byte[] value) && room > 0) {
      if (value.length > room || value.length > reply.body().byteSize()) {
        return fail(request, Errno.ERANGE);
      }
      return of(request, result, reply::bytes);
    }
    return of(request, result, value -> reply.size(value.length));
  }

  private int ioctl(Request.Ioctl ioctl) {
    return of(
        ioctl,
        fileSystem.ioctl(ioctl),
        result -> {
          if (result.output().length > ioctl.outputSize()) {
            throw new IllegalStateException(
                "an ioctl has %d bytes; its caller has room for %d"
                    .formatted(result.output().length, ioctl.outputSize()));
          }
          return reply.ioctl(result);
        });
  }

  private int copyRange(Request.CopyRange copy) {
    if (copy.header().opcode() == Opcode.COPY_FILE_RANGE_64.code()) {
      return of(copy, fileSystem.copyRange(copy), reply::offset);
    }
    // This reply has 32 bits for the number of bytes.
    Request.CopyRange shorter =
        new Request.CopyRange(
            copy.header(),
            copy.handle(),
            copy.offset(),
            copy.targetNode(),
            copy.targetHandle(),
            copy.targetOffset(),
            Math.min(copy.length(), LONGEST_COPY),
            copy.flags());
    return of(copy, fileSystem.copyRange(shorter), copied -> reply.size((int) copied.longValue()));
  }
}
