package corfu.silver.mount;

import corfu.fuse.Done;
import corfu.fuse.Result;
import corfu.silver.Caller;
import corfu.silver.NodeId;
import corfu.silver.NodeStatus;
import corfu.silver.SilverFileSystem;
import java.nio.ByteBuffer;

/** The bytes of files as the requests of a mount see them. Thread-safe. */
interface MountedData extends AutoCloseable {

  /**
   * Opens a file.
   *
   * @param number the kernel's number of the file
   * @param forWriting whether the handle may write
   * @return its handle
   */
  long open(long number, SilverFileSystem files, NodeId node, boolean forWriting);

  /** Closes a handle. */
  void close(long number, SilverFileSystem files, NodeId node, long handle);

  /** Returns the attributes of a node. */
  Result<NodeStatus> status(SilverFileSystem files, NodeId node);

  /** Returns the attributes of a node whose stored ones have just been looked up. */
  Result<NodeStatus> seen(SilverFileSystem files, NodeStatus stored);

  /** Reads bytes of a file; fewer than wanted only at its end. */
  Result<ByteBuffer> read(SilverFileSystem files, NodeId node, long offset, int length);

  /** Writes bytes at an offset. */
  Result<Done> write(
      SilverFileSystem files, NodeId node, long offset, ByteBuffer bytes, Caller caller);

  /** Writes bytes behind the last one. */
  Result<Done> append(SilverFileSystem files, NodeId node, ByteBuffer bytes, Caller caller);

  /** Sets the size of a file. */
  Result<Done> resize(SilverFileSystem files, NodeId node, long size, Caller caller);

  /** Returns when the log has all bytes of a file that were written before, or has refused them. */
  void settle(NodeId node);

  /** Returns when the log has all bytes of a file, or reports the error of an earlier write. */
  Result<Done> sync(NodeId node, long handle);

  /** As {@link #sync}, for a handle that can have written. Others have nothing to report. */
  Result<Done> flush(NodeId node, long handle);

  /** Returns when the log has all bytes of all files, or reports the error of a write. */
  Result<Done> syncAll();

  /** Returns the bytes of memory that wait for the log. */
  long waitingBytes();

  /** Writes all that waits, and ends. */
  @Override
  void close();
}
