package corfu.silver.internal.node;

import corfu.fuse.linux.Errno;
import corfu.protocol.stream.StreamPart;
import corfu.silver.NodeId;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * The wish of an operation, judged by a view.
 *
 * @param <T> the type of the operation's value
 */
public sealed interface Attempt<T> {

  /** The operation fails. If the view was old, it is tried again with a new one. */
  record Refused<T>(Errno errno) implements Attempt<T> {}

  /** The operation needs no change. If the view was old, it is tried again with a new one. */
  record Unchanged<T>(T value) implements Attempt<T> {}

  /**
   * One entry is the whole operation.
   *
   * @param payload the entry
   * @param writes its streams, each with the keys that it changes there
   * @param reads what must still be as the view has seen it
   * @param made the node that it creates, if any
   * @param value the operation's value
   */
  record Append<T>(
      ByteBuffer payload,
      List<StreamPart> writes,
      List<StreamPart> reads,
      Optional<NodeId> made,
      T value)
      implements Attempt<T> {
    public Append {
      writes = List.copyOf(writes);
      reads = List.copyOf(reads);
    }
  }

  /** Returns a change that creates no node. */
  static <T> Attempt<T> append(
      ByteBuffer payload, List<StreamPart> writes, List<StreamPart> reads, T value) {
    return new Append<>(payload, writes, reads, Optional.empty(), value);
  }

  /** Returns a change that creates a node. */
  static Attempt<NodeId> creation(
      ByteBuffer payload, List<StreamPart> writes, List<StreamPart> reads, NodeId made) {
    return new Append<>(payload, writes, reads, Optional.of(made), made);
  }

  /** Returns a refusal. */
  static <T> Attempt<T> refused(Errno errno) {
    return new Refused<>(errno);
  }
}
