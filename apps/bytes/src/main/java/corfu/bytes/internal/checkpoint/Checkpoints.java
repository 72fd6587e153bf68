package corfu.bytes.internal.checkpoint;

import corfu.bytes.internal.extent.Extent;
import corfu.bytes.internal.extent.ExtentMap;
import corfu.bytes.internal.state.BytesState;
import corfu.bytes.internal.state.CheckpointSearch;
import corfu.protocol.StreamAddress;
import corfu.protocol.StreamId;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.Streams;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The checkpoints of arrays. Those of an array are in a stream of their own, in pieces of bounded
 * size. A checkpoint without all its pieces does not exist. It says nothing that the array's stream
 * does not say, so clients may write them at any time, in any order. Thread-safe.
 *
 * <p>A floor is a checkpoint that was written before entries of older versions were trimmed.
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

  /**
   * The result of a search.
   *
   * @param checkpoint the checkpoint, if one was found
   * @param isExact whether it is the version's state for certain, whatever entries follow
   * @param isForgotten whether a newer floor exists, so that entries of the wanted version may be
   *     gone
   */
  public record Found(Optional<Checkpoint> checkpoint, boolean isExact, boolean isForgotten) {

    /** Returns the checkpoint's state. */
    public Optional<BytesState> state() {
      return checkpoint.map(Checkpoint::state);
    }

    /** Returns the result for a player of the array. */
    public CheckpointSearch search() {
      return new CheckpointSearch(state(), isExact, isForgotten);
    }
  }

  /**
   * A checkpoint.
   *
   * @param until the last version of which this is the state for certain, if entries of other
   *     versions may be trimmed
   * @param first the place of its first piece in the stream of checkpoints
   */
  public record Checkpoint(BytesState state, OptionalLong until, StreamAddress first) {}

  /** Returns the stream of an array's checkpoints. */
  public static StreamId streamOf(StreamId array) {
    return StreamId.named("corfu.bytes: checkpoints of " + array);
  }

  /**
   * Writes a checkpoint.
   *
   * @param id a number that no other checkpoint of the array has
   * @param until a version with this state, if entries of other versions will be trimmed
   * @param mostBytes the most bytes of an entry, 4 KiB or more
   */
  public Checkpoint write(BytesState state, long id, OptionalLong until, int mostBytes) {
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
            state.note(),
            state.writer());
    LogStream stream = streams.open(streamOf(state.stream()));
    StreamAddress first = StreamAddress.ZERO;
    for (int i = 0; i < count; i++) {
      int to = Math.min(extents.size(), (i + 1) * each);
      var piece = new CheckpointPiece(until, id, i, count, fields, extents.subList(i * each, to));
      StreamAddress place = stream.append(piece.encoded()).in(stream.id());
      first = i == 0 ? place : first;
    }
    return new Checkpoint(state, until, first);
  }

  /**
   * Finds the last written checkpoint of a version no newer than this one, among the newest pieces.
   * A slow client may have written an older version later than a newer one.
   *
   * @param before the log address of the version
   * @param place the least place of the next entry
   */
  public Found newest(StreamId array, long before, long place) {
    LogStream stream = streams.open(streamOf(array));
    Map<Long, Pieces> found = new HashMap<>();
    boolean isForgotten = false;
    long to = stream.tail().value();
    long lowest = Math.max(0, to - MOST_LOOKED_AT);
    int together = 1;
    while (to > lowest) {
      long from = Math.max(lowest, to - together);
      for (StreamRead read :
          stream.read(new StreamAddress(from), new StreamAddress(to)).reversed()) {
        if (read instanceof StreamRead.Entry entry) {
          CheckpointPiece piece = CheckpointPiece.decode(entry.address(), entry.payload());
          Pieces pieces = found.computeIfAbsent(piece.checkpoint(), id -> new Pieces());
          if (!pieces.add(piece, entry.streamAddress())) {
            continue;
          }
          if (piece.state().before() <= before && piece.state().place() >= place) {
            boolean isCertain = piece.until().orElse(-1) >= before;
            return new Found(Optional.of(pieces.checkpoint(array, seed)), isCertain, isForgotten);
          }
          isForgotten |= piece.until().isPresent() && piece.state().before() > before;
          found.remove(piece.checkpoint());
        }
      }
      to = from;
      together = TOGETHER;
    }
    return new Found(Optional.empty(), false, isForgotten);
  }

  /** Passes on each extent of all checkpoints that are left, complete or not. */
  public void forEachExtent(StreamId array, Consumer<Extent> receiver) {
    LogStream stream = streams.open(streamOf(array));
    Iterator<StreamRead> all = stream.scan(StreamAddress.ZERO, stream.tail());
    while (all.hasNext()) {
      if (all.next() instanceof StreamRead.Entry entry) {
        CheckpointPiece.decode(entry.address(), entry.payload()).extents().forEach(receiver);
      }
    }
  }

  /** Trims the pieces of checkpoints before a place. */
  public void trim(StreamId array, StreamAddress before) {
    if (!before.equals(StreamAddress.ZERO)) {
      streams.open(streamOf(array)).trim(before);
    }
  }

  /** The pieces of one checkpoint that were found. */
  private static final class Pieces {

    private final TreeMap<Integer, CheckpointPiece> byNumber = new TreeMap<>();
    private long first = Long.MAX_VALUE;

    /** Adds a piece. Returns whether the checkpoint is complete. */
    boolean add(CheckpointPiece piece, StreamAddress place) {
      first = Math.min(first, place.value());
      byNumber.put(piece.number(), piece);
      return byNumber.size() == piece.count();
    }

    Checkpoint checkpoint(StreamId array, long seed) {
      ExtentMap extents = ExtentMap.empty(seed);
      for (CheckpointPiece piece : byNumber.values()) {
        for (Extent extent : piece.extents()) {
          extents = extents.with(extent);
        }
      }
      CheckpointPiece any = byNumber.firstEntry().getValue();
      CheckpointPiece.Fields fields = any.state();
      return new Checkpoint(
          new BytesState(
              array,
              fields.before(),
              fields.place(),
              extents,
              fields.size(),
              fields.depth(),
              fields.note(),
              fields.change(),
              fields.writer()),
          any.until(),
          new StreamAddress(first));
    }
  }
}
