package corfu.bytes.internal.checkpoint;

import corfu.bytes.internal.extent.Extent;
import corfu.bytes.internal.extent.ExtentMap;
import corfu.bytes.internal.extent.StoredPage;
import corfu.bytes.internal.state.BytesState;
import corfu.protocol.StreamAddress;
import corfu.protocol.StreamId;
import corfu.runtime.stream.HeadRead;
import corfu.runtime.stream.HeadReader;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.StreamEnds;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.Streams;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/** One search for a checkpoint of an array, from the newest back. For one thread. */
final class CheckpointScan {

  /**
   * The checkpoint that is sought.
   *
   * @param before the log address of the version
   * @param place the least place of the next entry
   */
  record Wanted(long before, long place) {

    private boolean has(CheckpointPiece.Fields fields) {
      return fields.before() <= before && fields.place() >= place;
    }
  }

  /** The number of entries that a reader looks at, from the newest back. */
  private static final int MOST_LOOKED_AT = 4_096;

  /** The number of entries that are read together, 1 at first. */
  private static final int TOGETHER = 8;

  private final Streams streams;
  private final LogStream stream;
  private final LogPages pages;
  private final Wanted wanted;
  private final long lostBefore;
  private final Map<Long, Pieces> found = new HashMap<>();
  private OptionalLong trimmedBefore = OptionalLong.empty(); // once it was asked for
  private boolean isForgotten;

  /**
   * @param pages the array's pages
   * @param lostBefore the place before which the stream of checkpoints is known to be trimmed
   */
  CheckpointScan(Streams streams, LogPages pages, Wanted wanted, long lostBefore) {
    this.streams = streams;
    this.stream = streams.open(Checkpoints.streamOf(pages.array()));
    this.pages = pages;
    this.wanted = wanted;
    this.lostBefore = lostBefore;
  }

  /** Returns the place before which the stream of checkpoints is trimmed. */
  long trimmedBefore() {
    if (trimmedBefore.isEmpty()) {
      trimmedBefore = OptionalLong.of(stream.trimmedBefore().value());
    }
    return Math.max(lostBefore, trimmedBefore.getAsLong());
  }

  /** Looks for the checkpoint. */
  Checkpoints.Found newest() {
    long to = stream.tail().value();
    long lowest = Math.max(0, to - MOST_LOOKED_AT);
    int together = 1;
    while (to > lowest) {
      long from = Math.max(lowest, to - together);
      for (StreamRead read : read(from, to).reversed()) {
        if (read instanceof StreamRead.Entry entry) {
          Optional<Checkpoints.Found> result =
              RootPiece.isOfThisVersion(entry.payload()) ? root(entry) : piece(entry);
          if (result.isPresent()) {
            return result.get();
          }
        }
      }
      to = from;
      together = TOGETHER;
    }
    return new Checkpoints.Found(Optional.empty(), false, isForgotten);
  }

  /** Most often the newest entry is a root. Before that, entries of pages are not read whole. */
  private List<StreamRead> read(long from, long to) {
    if (to - from == 1) {
      return stream.read(new StreamAddress(from), new StreamAddress(to));
    }
    HeadReader heads = stream.heads(new StreamAddress(from), RootPiece.HEADER_BYTES);
    StreamEnds ends = streams.ends(List.of(stream.id()));
    heads.sync(ends);
    List<StreamRead> read = new ArrayList<>();
    while (true) {
      switch (heads.readNext()) {
        case HeadRead.Head head when head.streamAddress().value() < to -> {
          if (!RootPiece.isPages(head.bytes())) {
            read.add(stream.read(head.streamAddress()));
          }
        }
        case HeadRead.Trimmed trimmed -> {}
        case HeadRead.Head behind -> {
          return read;
        }
        case HeadRead.Absent end -> {
          return read;
        }
      }
    }
  }

  private Optional<Checkpoints.Found> root(StreamRead.Entry entry) {
    if (RootPiece.isPages(entry.payload())) {
      return Optional.empty();
    }
    RootPiece root = RootPiece.decode(entry.address(), entry.payload());
    boolean isWanted = wanted.has(root.fields());
    if (isWanted && isWhole(root)) {
      boolean isCertain = root.until().orElse(-1) >= wanted.before();
      return Optional.of(
          new Checkpoints.Found(Optional.of(checkpoint(root, entry)), isCertain, isForgotten));
    }
    // The entries before a floor may be gone, whether it is whole or not.
    isForgotten |=
        root.until().isPresent() && (isWanted || root.fields().before() > wanted.before());
    return Optional.empty();
  }

  private boolean isWhole(RootPiece root) {
    return root.oldestPlace().isEmpty() || root.oldestPlace().getAsLong() >= trimmedBefore();
  }

  private Checkpoints.Checkpoint checkpoint(RootPiece root, StreamRead.Entry entry) {
    long place = entry.streamAddress().value();
    long oldest = root.oldestPlace().orElse(place);
    ExtentMap map = ExtentMap.empty();
    if (!root.isEmpty()) {
      byte[] page = root.root();
      map =
          ExtentMap.stored(
              new StoredPage(
                  pages,
                  entry.address().value(),
                  place,
                  RootPiece.HEADER_BYTES + root.rootAt(),
                  page.length,
                  oldest,
                  root.oldestAt(),
                  root.treeBytes(),
                  null),
              page);
    }
    return new Checkpoints.Checkpoint(
        state(pages.array(), root.fields(), map),
        root.until(),
        new StreamAddress(oldest),
        root.written() + entry.payload().remaining());
  }

  private static BytesState state(
      StreamId array, CheckpointPiece.Fields fields, ExtentMap extents) {
    return new BytesState(
        array,
        fields.before(),
        fields.place(),
        extents,
        fields.size(),
        fields.depth(),
        fields.note(),
        fields.change(),
        fields.writer());
  }

  // ------------------------------------------------------------------------------ version 1

  private Optional<Checkpoints.Found> piece(StreamRead.Entry entry) {
    CheckpointPiece piece = CheckpointPiece.decode(entry.address(), entry.payload());
    Pieces all = found.computeIfAbsent(piece.checkpoint(), id -> new Pieces());
    if (!all.add(piece, entry.streamAddress())) {
      return Optional.empty();
    }
    if (wanted.has(piece.state())) {
      boolean isCertain = piece.until().orElse(-1) >= wanted.before();
      return Optional.of(
          new Checkpoints.Found(
              Optional.of(all.checkpoint(pages.array())), isCertain, isForgotten));
    }
    isForgotten |= piece.until().isPresent() && piece.state().before() > wanted.before();
    found.remove(piece.checkpoint());
    return Optional.empty();
  }

  /** The pieces of one checkpoint of version 1 that were found. */
  private static final class Pieces {

    private final TreeMap<Integer, CheckpointPiece> byNumber = new TreeMap<>();
    private long first = Long.MAX_VALUE;

    /** Adds a piece. Returns whether the checkpoint is complete. */
    boolean add(CheckpointPiece piece, StreamAddress place) {
      first = Math.min(first, place.value());
      byNumber.put(piece.number(), piece);
      return byNumber.size() == piece.count();
    }

    Checkpoints.Checkpoint checkpoint(StreamId array) {
      List<Extent> extents = new ArrayList<>();
      byNumber.values().forEach(piece -> extents.addAll(piece.extents()));
      CheckpointPiece any = byNumber.firstEntry().getValue();
      return new Checkpoints.Checkpoint(
          state(array, any.state(), ExtentMap.empty().with(extents)),
          any.until(),
          new StreamAddress(first),
          0);
    }
  }
}
