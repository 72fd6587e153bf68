package corfu.silver.internal.record;

import corfu.fuse.protocol.FileName;
import corfu.fuse.protocol.Timestamp;
import corfu.protocol.StreamId;
import corfu.silver.NewNode;
import corfu.silver.NodeId;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A change of a file system. It is one entry of the log, in the streams of all nodes that it
 * changes; each of them takes its part out of it.
 */
public sealed interface SilverRecord {

  /** A node without a name appears: a root directory, or a temporary file. */
  record Make(StreamId node, NewNode state) implements SilverRecord {}

  /** A new node appears in a directory. */
  record Create(NodeId directory, FileName name, StreamId node, NewNode state)
      implements SilverRecord {}

  /** A node that exists gets another name. */
  record Link(NodeId directory, FileName name, Child child) implements SilverRecord {}

  /** A directory gets the clone of a node, whose hops say what it is a clone of. */
  record Clone(NodeId directory, FileName name, Child child) implements SilverRecord {}

  /** A name goes. A directory must be empty. */
  record Unlink(NodeId directory, FileName name, NodeId node, int type) implements SilverRecord {}

  /**
   * A node gets another name in the same or another directory.
   *
   * @param replaced the node that had the new name before
   */
  record Rename(
      NodeId from,
      FileName fromName,
      NodeId to,
      FileName toName,
      Child child,
      Optional<Child> replaced)
      implements SilverRecord {}

  /**
   * Two nodes change places.
   *
   * @param fromChild the node that had the name {@code fromName} before
   * @param toChild the node that had the name {@code toName} before
   */
  record Exchange(
      NodeId from, FileName fromName, NodeId to, FileName toName, Child fromChild, Child toChild)
      implements SilverRecord {}

  /** Attributes of a node change; those that are empty stay. */
  record SetAttributes(
      OptionalInt permissions,
      OptionalInt uid,
      OptionalInt gid,
      Optional<Timestamp> accessTime,
      Optional<Timestamp> modificationTime)
      implements SilverRecord {}

  /**
   * A node gets an extended attribute, or loses it if the value is empty.
   *
   * @param permissions the permissions that the node gets with it, or empty if they stay
   */
  record SetExtendedAttribute(FileName name, Optional<byte[]> value, OptionalInt permissions)
      implements SilverRecord {}

  /** Bytes of a small file change. */
  @SuppressWarnings("ArrayRecordComponent") // compared by nobody
  record WriteInline(long offset, byte[] data) implements SilverRecord {}

  /** The size of a small file changes. */
  record ResizeInline(long size) implements SilverRecord {}

  /**
   * The data of a file is in its data stream from now on. The entry is the first write there, too.
   */
  record Spill() implements SilverRecord {}

  /**
   * The history of the file system with this root is given up.
   *
   * @param before the oldest version that stays
   */
  record Forget(long before) implements SilverRecord {}
}
