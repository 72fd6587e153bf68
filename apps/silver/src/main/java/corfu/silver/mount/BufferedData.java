package corfu.silver.mount;

import corfu.fuse.Done;
import corfu.fuse.Result;
import corfu.silver.Caller;
import corfu.silver.NodeId;
import corfu.silver.NodeStatus;
import corfu.silver.SilverFileSystem;
import corfu.silver.writeback.WriteBack;
import corfu.silver.writeback.WriteBackOptions;
import corfu.world.World;
import java.nio.ByteBuffer;
import java.util.function.Supplier;

/** Writes wait in a buffer. Versions of the past have none. Thread-safe. */
final class BufferedData implements MountedData {

  private final WriteBack buffer;

  /**
   * @param files the file system whose writes wait
   * @param deadlines bound the time of each entry's way to the log
   */
  BufferedData(
      World world, WriteBackOptions options, SilverFileSystem files, RequestDeadlines deadlines) {
    this.buffer = WriteBack.start(world, options, new ToLog(files, deadlines));
  }

  private record ToLog(SilverFileSystem files, RequestDeadlines deadlines)
      implements WriteBack.EntryWriter {

    @Override
    public Result<Done> write(NodeId node, long offset, ByteBuffer bytes, Caller author) {
      return within(node, () -> files.write(node, offset, bytes, author));
    }

    @Override
    public Result<Done> append(NodeId node, ByteBuffer bytes, Caller author) {
      return within(node, () -> files.append(node, bytes, author));
    }

    private Result<Done> within(NodeId node, Supplier<Result<Done>> entry) {
      return deadlines.within(() -> Failures.caught(() -> "stream " + node.stream(), entry));
    }
  }

  @Override
  public long open(long number, SilverFileSystem files, NodeId node, boolean forWriting) {
    return files.isReadOnly() ? 0 : buffer.open(node, forWriting);
  }

  @Override
  public void close(long number, SilverFileSystem files, NodeId node, long handle) {
    if (!files.isReadOnly()) {
      buffer.close(node, handle);
    }
  }

  @Override
  public Result<NodeStatus> status(SilverFileSystem files, NodeId node) {
    return files.isReadOnly() ? files.status(node) : buffer.status(node, () -> files.status(node));
  }

  /** Bytes may leave the buffer after the first look at the log, so this looks again. */
  @Override
  public Result<NodeStatus> seen(SilverFileSystem files, NodeStatus stored) {
    return !files.isReadOnly() && buffer.isOpen(stored.node())
        ? status(files, stored.node())
        : Result.of(stored);
  }

  @Override
  public Result<ByteBuffer> read(SilverFileSystem files, NodeId node, long offset, int length) {
    return files.isReadOnly()
        ? files.read(node, offset, length)
        : buffer.read(node, offset, length, () -> files.read(node, offset, length));
  }

  @Override
  public Result<Done> write(
      SilverFileSystem files, NodeId node, long offset, ByteBuffer bytes, Caller caller) {
    return files.isReadOnly()
        ? files.write(node, offset, bytes, caller)
        : buffer.write(node, offset, bytes, caller);
  }

  @Override
  public Result<Done> append(SilverFileSystem files, NodeId node, ByteBuffer bytes, Caller caller) {
    return files.isReadOnly()
        ? files.append(node, bytes, caller)
        : buffer.append(node, bytes, caller);
  }

  @Override
  public Result<Done> resize(SilverFileSystem files, NodeId node, long size, Caller caller) {
    if (!files.isReadOnly()) {
      buffer.truncate(node, size);
    }
    return files.resize(node, size, caller);
  }

  @Override
  public void settle(NodeId node) {
    buffer.settle(node);
  }

  @Override
  public Result<Done> sync(NodeId node, long handle) {
    return buffer.flush(node, handle);
  }

  @Override
  public Result<Done> flush(NodeId node, long handle) {
    return WriteBack.isForWriting(handle) ? buffer.flush(node, handle) : Result.done();
  }

  @Override
  public Result<Done> syncAll() {
    return buffer.flushAll();
  }

  @Override
  public long waitingBytes() {
    return buffer.waitingBytes();
  }

  @Override
  public void close() {
    buffer.close();
  }
}
