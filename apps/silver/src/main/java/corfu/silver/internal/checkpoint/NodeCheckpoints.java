package corfu.silver.internal.checkpoint;

import corfu.protocol.Address;
import corfu.protocol.StreamAddress;
import corfu.protocol.StreamId;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.Streams;
import corfu.silver.DamagedEntryException;
import corfu.silver.NodeId;
import corfu.silver.internal.inode.NodeState;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * The checkpoints of nodes. Those of a node are in a stream of their own, in pieces of bounded
 * size. A checkpoint without all its pieces does not exist. It says nothing that the node's stream
 * does not say, so clients may write them at any time, in any order. Thread-safe.
 *
 * <p>A floor is a checkpoint that was written before older entries were trimmed.
 */
public final class NodeCheckpoints {

  /** The number of pieces that a reader looks at, from the newest back. */
  private static final int MOST_LOOKED_AT = 4_096;

  /** The number of pieces that are read together, 1 at first. */
  private static final int TOGETHER = 8;

  private final Streams streams;
  private final RandomGenerator random;
  private final int pieceBytes;

  /**
   * @param pieceBytes the most bytes of a piece, 4 KiB or more
   */
  public NodeCheckpoints(Streams streams, RandomGenerator random, int pieceBytes) {
    this.streams = streams;
    this.random = random;
    this.pieceBytes = pieceBytes;
  }

  /**
   * A checkpoint.
   *
   * @param isFloor whether entries before its state may be trimmed
   * @param first the place of its first piece in the stream of checkpoints
   */
  public record Checkpoint(NodeState state, boolean isFloor, StreamAddress first) {}

  /** Writes a checkpoint of a state. */
  public Checkpoint write(NodeId node, NodeState state, boolean isFloor) {
    ByteBuffer all = InodeCodec.encode(state.inode());
    long id = random.nextLong();
    int each = pieceBytes - StatePiece.HEADER_BYTES;
    int count = Math.max(1, Math.ceilDiv(all.remaining(), each));
    LogStream stream = streams.open(node.checkpoints());
    StreamAddress first = StreamAddress.ZERO;
    for (int i = 0; i < count; i++) {
      int from = i * each;
      ByteBuffer bytes = all.slice(from, Math.min(each, all.limit() - from));
      var piece = new StatePiece(isFloor, id, i, count, state.before(), state.place(), bytes);
      StreamAddress place = stream.append(piece.encoded()).in(stream.id());
      first = i == 0 ? place : first;
    }
    return new Checkpoint(state, isFloor, first);
  }

  /**
   * Makes sure that a state can be read without the entries before it.
   *
   * @return the checkpoint that has it, on which readers rely from now on
   */
  public Checkpoint keep(NodeId node, NodeState state) {
    return newest(node, state.before(), state.place())
        .filter(known -> known.isFloor() && known.state().place() == state.place())
        .orElseGet(() -> write(node, state, true));
  }

  /**
   * Finds the last written checkpoint of a version no newer than this one, among the newest pieces.
   * A slow client may have written an older version later than a newer one.
   *
   * @param before the log address of the version
   * @param place the least place of the next entry
   */
  public Optional<Checkpoint> newest(NodeId node, long before, long place) {
    LogStream stream = streams.open(node.checkpoints());
    Map<Long, Pieces> found = new HashMap<>();
    long to = stream.tail().value();
    long lowest = Math.max(0, to - MOST_LOOKED_AT);
    int together = 1;
    while (to > lowest) {
      long from = Math.max(lowest, to - together);
      for (StreamRead read :
          stream.read(new StreamAddress(from), new StreamAddress(to)).reversed()) {
        Optional<Checkpoint> complete = take(read, found, before, place);
        if (complete.isPresent()) {
          return complete;
        }
      }
      to = from;
      together = TOGETHER;
    }
    return Optional.empty();
  }

  private static Optional<Checkpoint> take(
      StreamRead read, Map<Long, Pieces> found, long before, long place) {
    if (!(read instanceof StreamRead.Entry entry)) {
      return Optional.empty();
    }
    StatePiece piece = StatePiece.decode(entry.address(), entry.payload());
    if (piece.before() > before || piece.place() < place) {
      return Optional.empty();
    }
    Pieces pieces = found.computeIfAbsent(piece.checkpoint(), id -> new Pieces());
    return pieces.add(piece, entry.streamAddress())
        ? Optional.of(pieces.checkpoint(entry.address()))
        : Optional.empty();
  }

  /** Passes on the states of all checkpoints that are left, the oldest one first. */
  public void forEach(NodeId node, Consumer<NodeState> receiver) {
    LogStream stream = streams.open(node.checkpoints());
    Map<Long, Pieces> found = new HashMap<>();
    Iterator<StreamRead> all = stream.scan(StreamAddress.ZERO, stream.tail());
    while (all.hasNext()) {
      take(all.next(), found, Long.MAX_VALUE, 0)
          .ifPresent(checkpoint -> receiver.accept(checkpoint.state()));
    }
  }

  /** Trims the checkpoints before a place in their stream. */
  public void trim(NodeId node, StreamAddress before) {
    if (!before.equals(StreamAddress.ZERO)) {
      streams.open(node.checkpoints()).trim(before);
    }
  }

  /** Trims all checkpoints of a node. */
  public void trim(NodeId node) {
    StreamId stream = node.checkpoints();
    trim(node, streams.open(stream).tail());
  }

  /** The pieces of one checkpoint that were found. */
  private static final class Pieces {

    private final TreeMap<Integer, StatePiece> byNumber = new TreeMap<>();
    private long first = Long.MAX_VALUE;

    /** Adds a piece. Returns whether the checkpoint is complete. */
    boolean add(StatePiece piece, StreamAddress place) {
      first = Math.min(first, place.value());
      byNumber.put(piece.number(), piece);
      return byNumber.size() == piece.count();
    }

    Checkpoint checkpoint(Address last) {
      int bytes = byNumber.values().stream().mapToInt(piece -> piece.bytes().remaining()).sum();
      ByteBuffer all = ByteBuffer.allocate(bytes);
      byNumber.values().forEach(piece -> all.put(piece.bytes().duplicate()));
      StatePiece any = byNumber.firstEntry().getValue();
      try {
        var state = new NodeState(InodeCodec.decode(all.flip()), any.before(), any.place());
        return new Checkpoint(state, any.isFloor(), new StreamAddress(first));
      } catch (BufferUnderflowException | IllegalArgumentException damage) {
        throw new DamagedEntryException(last, "the checkpoint's fields are damaged");
      }
    }
  }
}
