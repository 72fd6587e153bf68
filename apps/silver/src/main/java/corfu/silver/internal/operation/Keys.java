package corfu.silver.internal.operation;

import corfu.fuse.protocol.FileName;
import corfu.protocol.StreamId;
import corfu.protocol.stream.StreamPart;
import corfu.silver.NodeId;
import java.util.Arrays;
import java.util.List;

/**
 * The parts of a node that changes rely on. Each has a key in the node's stream; the sequencer
 * compares keys, and knows nothing of their meaning.
 */
final class Keys {

  /** Whether the node exists: a removed directory takes no names. */
  static final long EXISTENCE = 1;

  /** The number of its names. */
  static final long LINKS = 2;

  /** Its attributes. */
  static final long ATTRIBUTES = 3;

  /** The bytes of a small file. */
  static final long BYTES = 4;

  /** Where the bytes are. */
  static final long PLACE = 5;

  /** In the root: the moves of directories to other directories. */
  static final long MOVES = 6;

  /** In the root: the oldest version of the file system. */
  static final long HISTORY = 7;

  private static final long NAMES = 1L << 32;

  private Keys() {}

  /** Returns the key of a name in a directory. */
  static long name(FileName name) {
    return NAMES + Integer.toUnsignedLong(name.hashCode());
  }

  static StreamPart of(NodeId node, Long... keys) {
    return new StreamPart(node.stream(), Arrays.asList(keys));
  }

  static StreamPart of(StreamId stream, Long... keys) {
    return new StreamPart(stream, Arrays.asList(keys));
  }

  static StreamPart whole(NodeId node) {
    return new StreamPart(node.stream(), List.of());
  }
}
