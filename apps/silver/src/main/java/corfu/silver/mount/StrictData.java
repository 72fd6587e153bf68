package corfu.silver.mount;

import corfu.fuse.Done;
import corfu.fuse.Result;
import corfu.silver.Caller;
import corfu.silver.NodeId;
import corfu.silver.NodeStatus;
import corfu.silver.SilverFileSystem;
import java.nio.ByteBuffer;

/** Every write is in the log when it returns. Thread-safe. */
final class StrictData implements MountedData {

  private final ChangedPages pages;

  StrictData(ChangedPages pages) {
    this.pages = pages;
  }

  @Override
  public long open(long number, SilverFileSystem files, NodeId node, boolean forWriting) {
    pages.opened(number, files, node);
    return 0;
  }

  @Override
  public void close(long number, SilverFileSystem files, NodeId node, long handle) {
    pages.closed(number);
  }

  @Override
  public Result<NodeStatus> status(SilverFileSystem files, NodeId node) {
    return files.status(node);
  }

  @Override
  public Result<NodeStatus> seen(SilverFileSystem files, NodeStatus stored) {
    return Result.of(stored);
  }

  @Override
  public Result<ByteBuffer> read(SilverFileSystem files, NodeId node, long offset, int length) {
    return files.read(node, offset, length);
  }

  @Override
  public Result<Done> write(
      SilverFileSystem files, NodeId node, long offset, ByteBuffer bytes, Caller caller) {
    return files.write(node, offset, bytes, caller);
  }

  @Override
  public Result<Done> append(SilverFileSystem files, NodeId node, ByteBuffer bytes, Caller caller) {
    return files.append(node, bytes, caller);
  }

  @Override
  public Result<Done> resize(SilverFileSystem files, NodeId node, long size, Caller caller) {
    return files.resize(node, size, caller);
  }

  @Override
  public void settle(NodeId node) {}

  @Override
  public Result<Done> sync(NodeId node, long handle) {
    return Result.done();
  }

  @Override
  public Result<Done> flush(NodeId node, long handle) {
    return Result.done();
  }

  @Override
  public Result<Done> syncAll() {
    return Result.done();
  }

  @Override
  public long waitingBytes() {
    return 0;
  }

  @Override
  public void close() {}
}
