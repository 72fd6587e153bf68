package corfu.bytes.internal.checkpoint;

import corfu.bytes.internal.extent.Extent;
import corfu.bytes.internal.extent.ExtentMap;
import corfu.bytes.internal.extent.PageCache;
import corfu.bytes.internal.extent.StoredPage;
import corfu.bytes.internal.extent.TreeWriter;
import corfu.bytes.internal.state.BytesState;
import corfu.bytes.internal.state.CheckpointSearch;
import corfu.protocol.Address;
import corfu.protocol.StreamAddress;
import corfu.protocol.StreamId;
import corfu.runtime.Log;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.Streams;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * The checkpoints of arrays. Those of an array are in a stream of their own. Each is a root and the
 * pages of a map, in entries of bounded size; the root comes last. A checkpoint writes the pages
 * that the log lacks, and refers to others in earlier entries. It says nothing that the array's
 * stream does not say, so clients may write them at any time, in any order, without agreement.
 * Thread-safe.
 *
 * <p>A page never changes, and a root refers only to pages that were in the log before. So clients
 * that write at the same time do not disturb each other. They only write some pages twice, since
 * each client knows its own pages and those of the checkpoint from which it began. Only a trim can
 * take a page from a root. Trims are of prefixes: the root for which a prefix was trimmed needs
 * nothing in it. A root that needs a trimmed entry is passed over, as if it had never been written.
 *
 * <p>Pages of old entries are written anew, so that the entries from the oldest needed one to the
 * end are at most about {@link #MOST_OF_LIVE} times the live pages. A map of few extents is always
 * written as a whole, in one entry.
 *
 * <p>A floor is a checkpoint that was written before entries of older versions were trimmed.
 */
public final class Checkpoints {

  /**
   * The bytes of entries from the oldest needed one to the end, in relation to the bytes of the
   * live pages: 2 before the newest checkpoint, which adds at most 1.
   */
  public static final int MOST_OF_LIVE = 3;

  /** The bytes of a map that is written as a whole. */
  private static final long WHOLE_BYTES = 8 << 10;

  /** The space between two pages that are too old and too new does not matter below this. */
  private static final long LEAST_SPAN = 1 << 20;

  private final Streams streams;
  private final Log log;
  private final PageCache cache;
  private final LostPages lost;

  /**
   * @param cache counts the pages of all maps that are read from checkpoints
   * @param giveUp gives up all maps in memory, because pages of some were trimmed
   */
  public Checkpoints(Streams streams, Log log, PageCache cache, Runnable giveUp) {
    this.streams = streams;
    this.log = log;
    this.cache = cache;
    this.lost = new LostPages(giveUp);
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
   * @param first the place of the oldest entry that it needs in the stream of checkpoints
   * @param written the number of bytes of checkpoints in the stream up to its end, as known
   */
  public record Checkpoint(
      BytesState state, OptionalLong until, StreamAddress first, long written) {}

  /** Returns the stream of an array's checkpoints. */
  public static StreamId streamOf(StreamId array) {
    return StreamId.named(nameOf(array));
  }

  /** Returns the name of the stream of an array's checkpoints. */
  public static String nameOf(StreamId array) {
    return "corfu.bytes: checkpoints of " + array;
  }

  /** Returns the array's pages in the log. */
  LogPages pagesOf(StreamId array) {
    return new LogPages(array, log, cache, lost);
  }

  /** Returns the size of a state's map in its array's checkpoints. */
  public ExtentMap.StoredSize size(BytesState state) {
    return state.extents().sizeIn(pagesOf(state.stream()));
  }

  /**
   * Writes a checkpoint. Reads those pages of the state's map that are written, but not in memory.
   *
   * @param until a version with this state, if entries of other versions will be trimmed
   * @param mostBytes the most bytes of an entry, 4 KiB or more
   * @throws corfu.bytes.internal.extent.PageLostException if such a page is trimmed
   */
  public Checkpoint write(BytesState state, OptionalLong until, int mostBytes) {
    LogStream stream = streams.open(streamOf(state.stream()));
    long live = size(state).all();
    if (live <= Math.min(WHOLE_BYTES, mostBytes / 2)) {
      return write(state, until, mostBytes, new TreeWriter.Fresh(Long.MAX_VALUE, 0, 0));
    }
    CheckpointScan scan = scan(state.stream(), Long.MAX_VALUE, 0);
    long written = scan.newest().checkpoint().map(Checkpoint::written).orElse(0L);
    long span = Math.max(LEAST_SPAN, (MOST_OF_LIVE - 1) * live);
    var fresh = new TreeWriter.Fresh(scan.trimmedBefore(), Math.max(0, written - span), written);
    Checkpoint done = write(state, until, mostBytes, fresh);
    boolean isKept = until.isEmpty() || done.first().compareTo(stream.trimmedBefore()) >= 0;
    return isKept
        ? done
        : write(state, until, mostBytes, new TreeWriter.Fresh(Long.MAX_VALUE, 0, done.written()));
  }

  private Checkpoint write(
      BytesState state, OptionalLong until, int mostBytes, TreeWriter.Fresh fresh) {
    LogStream stream = streams.open(streamOf(state.stream()));
    TreeWriter writer =
        new TreeWriter(
            pagesOf(state.stream()),
            fresh,
            RootPiece.HEADER_BYTES,
            mostBytes - RootPiece.MOST_BYTES_BESIDE_PAGES,
            pages -> append(stream, RootPiece.encodePages(pages)));
    TreeWriter.Tail tail = writer.write(state.extents());
    var fields =
        new CheckpointPiece.Fields(
            state.before(),
            state.place(),
            state.size(),
            state.change(),
            state.depth(),
            state.note(),
            state.writer());
    var root =
        new RootPiece(
            fields,
            until,
            tail.oldestPlace(),
            tail.oldestAt(),
            tail.writtenBefore(),
            tail.treeBytes(),
            tail.pages().length == 0 ? -1 : tail.rootAt(),
            tail.pages());
    ByteBuffer entry = root.encoded();
    int bytes = entry.remaining();
    TreeWriter.Appended appended = append(stream, entry);
    writer.isAppended(appended);
    long first = tail.oldestPlace().orElse(appended.place());
    return new Checkpoint(state, until, new StreamAddress(first), tail.writtenBefore() + bytes);
  }

  private static TreeWriter.Appended append(LogStream stream, ByteBuffer entry) {
    var appended = stream.append(entry);
    return new TreeWriter.Appended(appended.address().value(), appended.in(stream.id()).value());
  }

  /**
   * Finds the last written checkpoint of a version no newer than this one, among the newest
   * entries. A slow client may have written an older version later than a newer one.
   *
   * @param before the log address of the version
   * @param place the least place of the next entry
   */
  public Found newest(StreamId array, long before, long place) {
    return scan(array, before, place).newest();
  }

  private CheckpointScan scan(StreamId array, long before, long place) {
    return new CheckpointScan(
        streams, pagesOf(array), new CheckpointScan.Wanted(before, place), lost.before(array));
  }

  /** Passes on each extent of all checkpoints that are left, complete or not. */
  public void forEachExtent(StreamId array, Consumer<Extent> receiver) {
    LogStream stream = streams.open(streamOf(array));
    Iterator<StreamRead> all = stream.scan(StreamAddress.ZERO, stream.tail());
    while (all.hasNext()) {
      if (all.next() instanceof StreamRead.Entry entry) {
        Address address = entry.address();
        if (RootPiece.isOfThisVersion(entry.payload())) {
          var at =
              new StoredPage(
                  pagesOf(array),
                  address.value(),
                  entry.streamAddress().value(),
                  RootPiece.HEADER_BYTES,
                  0,
                  0,
                  0,
                  0,
                  null);
          ExtentMap.forEachStored(at, RootPiece.pages(address, entry.payload()), receiver);
        } else {
          CheckpointPiece.decode(address, entry.payload()).extents().forEach(receiver);
        }
      }
    }
  }

  /** Trims the entries of checkpoints before a place. */
  public void trim(StreamId array, StreamAddress before) {
    if (!before.equals(StreamAddress.ZERO)) {
      streams.open(streamOf(array)).trim(before);
    }
  }
}
