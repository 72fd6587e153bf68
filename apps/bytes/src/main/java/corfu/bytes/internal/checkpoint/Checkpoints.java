package corfu.bytes.internal.checkpoint;

import corfu.bytes.internal.extent.Extent;
import corfu.bytes.internal.extent.ExtentMap;
import corfu.bytes.internal.state.BytesState;
import corfu.protocol.StreamAddress;
import corfu.protocol.StreamId;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.Streams;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The checkpoints of arrays. Those of an array are in a stream of their own, in pieces of bounded
 * size. A checkpoint without all its pieces does not exist. It says nothing that the array's stream
 * does not say, so clients may write them at any time, in any order. Thread-safe.
 */
public final class Checkpoints {

  /** The number of pieces that a reader looks at, from the newest back. */
  private static final int MOST_LOOKED_AT = 4_096;

  /** The number of pieces that are read together, 1 at first. */
  private static final int TOGETHER = 8;

  private final Streams streams;
  private final long seed;

  /**
   * @param seed the seed of maps of extents
   */
  public Checkpoints(Streams streams, long seed) {
    this.streams = streams;
    this.seed = seed;
  }

  /** Returns the stream of an array's checkpoints. */
  public static StreamId streamOf(StreamId array) {
    return StreamId.named("corfu.bytes: checkpoints of " + array);
  }

  /**
   * Writes a checkpoint.
   *
   * @param id a number that no other checkpoint of the array has
   * @param mostBytes the most bytes of an entry, 4 KiB or more
   */
  public void write(BytesState state, long id, int mostBytes) {
    List<Extent> extents = new ArrayList<>();
    state.extents().forEach(extents::add);
    int each = mostBytes / CheckpointPiece.EXTENT_BYTES;
    int count = Math.max(1, Math.ceilDiv(extents.size(), each));
    var fields =
        new CheckpointPiece.Fields(
            state.before(),
            state.place(),
            state.size(),
            state.change(),
            state.depth(),
            state.note());
    LogStream stream = streams.open(streamOf(state.stream()));
    for (int i = 0; i < count; i++) {
      int to = Math.min(extents.size(), (i + 1) * each);
      var piece = new CheckpointPiece(id, i, count, fields, extents.subList(i * each, to));
      var unused = stream.append(piece.encoded());
    }
  }

  /**
   * Returns the last written checkpoint of a version no newer than this one; empty if none is found
   * among the newest.
   *
   * @param before the log address of the version
   */
  public Optional<BytesState> newest(StreamId array, long before) {
    LogStream stream = streams.open(streamOf(array));
    Map<Long, TreeMap<Integer, CheckpointPiece>> found = new HashMap<>();
    long to = stream.tail().value();
    long lowest = Math.max(0, to - MOST_LOOKED_AT);
    int together = 1;
    while (to > lowest) {
      long from = Math.max(lowest, to - together);
      for (StreamRead read :
          stream.read(new StreamAddress(from), new StreamAddress(to)).reversed()) {
        if (read instanceof StreamRead.Entry entry) {
          CheckpointPiece piece = CheckpointPiece.decode(entry.address(), entry.payload());
          TreeMap<Integer, CheckpointPiece> pieces =
              found.computeIfAbsent(piece.checkpoint(), id -> new TreeMap<>());
          pieces.put(piece.number(), piece);
          if (piece.state().before() > before) {
            found.remove(piece.checkpoint());
          } else if (pieces.size() == piece.count()) {
            return Optional.of(state(array, pieces));
          }
        }
      }
      to = from;
      together = TOGETHER;
    }
    return Optional.empty();
  }

  private BytesState state(StreamId array, SortedMap<Integer, CheckpointPiece> pieces) {
    ExtentMap extents = ExtentMap.empty(seed);
    for (CheckpointPiece piece : pieces.values()) {
      for (Extent extent : piece.extents()) {
        extents = extents.with(extent);
      }
    }
    CheckpointPiece.Fields fields = pieces.values().iterator().next().state();
    return new BytesState(
        array,
        fields.before(),
        fields.place(),
        extents,
        fields.size(),
        fields.depth(),
        fields.note(),
        fields.change());
  }
}
