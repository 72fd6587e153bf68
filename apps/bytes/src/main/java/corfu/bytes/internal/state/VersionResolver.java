package corfu.bytes.internal.state;

import corfu.bytes.BytesOrigin;
import corfu.bytes.internal.record.EntryDecoder;
import corfu.protocol.StreamAddress;
import corfu.protocol.StreamId;
import corfu.runtime.stream.HeadReader;
import corfu.runtime.stream.StreamEnds;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Finds versions of arrays. A version may need versions of other arrays, and these others again, to
 * any depth: they wait on a stack of their own, not on that of the thread. Thread-safe.
 */
public final class VersionResolver {

  /** The memory and the streams of a client. Thread-safe. */
  public interface Arrays {

    /** Returns a version if memory has it. */
    Optional<BytesState> known(Version version);

    /** Returns the newest state of the array in memory that is not behind the version. */
    Optional<BytesState> before(Version version);

    /**
     * Finds the last checkpoint of the array that is not behind the version.
     *
     * @param place the least place of the next entry
     */
    CheckpointSearch checkpoint(Version version, long place);

    /** Returns the stream of an array's checkpoints. */
    StreamId checkpointsOf(StreamId array);

    /** Writes a checkpoint of a state, if that is possible: many clones of clones lead to it. */
    void isDeep(BytesState state);

    /** Keeps a version for a while. */
    void keep(Version version, BytesState state);

    /** Returns the state of an array without entries. */
    BytesState empty(StreamId stream);

    /** Makes sure that a version cannot change any more. */
    void decide(Version version);

    /** Asks for the ends of streams. */
    StreamEnds ends(Set<StreamId> streams);

    /** Returns a reader that begins behind a state of an array. */
    HeadReader reader(BytesState state);
  }

  /**
   * The number of clones of clones at each multiple of which a client writes a checkpoint, so that
   * others need not go as far.
   */
  private static final int DEEP = 16;

  private final Arrays arrays;
  private final EntryDecoder decoder;

  public VersionResolver(Arrays arrays, EntryDecoder decoder) {
    this.arrays = arrays;
    this.decoder = decoder;
  }

  /** Returns the first state of an array: empty, or the version of its origin. */
  public BytesState beginning(StreamId stream, Optional<BytesOrigin> origin) {
    return origin
        .map(of -> version(Version.of(of)).beginning(stream))
        .orElseGet(() -> arrays.empty(stream));
  }

  /** Returns a version. */
  public BytesState version(Version wanted) {
    Optional<BytesState> known = arrays.known(wanted);
    if (known.isPresent()) {
      return known.get();
    }
    ArrayDeque<Replay> stack = new ArrayDeque<>();
    stack.addLast(begin(wanted));
    while (true) {
      Replay top = stack.getLast();
      Optional<Version> needed = top.run();
      if (needed.isPresent()) {
        inMemory(needed.get(), stack)
            .ifPresentOrElse(top::supply, () -> stack.addLast(begin(needed.get())));
      } else {
        arrays.keep(top.wanted(), top.state());
        if (stack.size() > DEEP && stack.size() % DEEP == 1) {
          arrays.isDeep(top.state());
        }
        stack.removeLast();
        if (stack.isEmpty()) {
          return top.state();
        }
        stack.getLast().supply(top.state());
      }
    }
  }

  /** Looks also at the replays that wait: arrays may be clones of each other's versions. */
  private Optional<BytesState> inMemory(Version version, ArrayDeque<Replay> waiting) {
    Optional<BytesState> known = arrays.known(version);
    for (Replay replay : waiting) {
      if (known.isEmpty()) {
        known = replay.passed(version);
      }
    }
    return known;
  }

  /** Goes up the chain of origins to the first state that memory has. */
  private Replay begin(Version wanted) {
    List<Version> links = new ArrayList<>();
    Optional<Version> next = Optional.of(wanted);
    Optional<BytesState> found = Optional.empty();
    while (next.isPresent() && found.isEmpty()) {
      Version link = next.get();
      arrays.decide(link);
      Optional<BytesState> known = links.isEmpty() ? Optional.empty() : arrays.known(link);
      if (known.isPresent()) {
        found = Optional.of(known.get().beginning(links.getFirst().stream()));
      } else {
        links.addFirst(link);
        found = arrays.before(link);
        next = link.origin().map(Version::of);
      }
    }
    Set<StreamId> streams = new LinkedHashSet<>();
    links.forEach(
        link -> {
          streams.add(link.stream());
          streams.add(arrays.checkpointsOf(link.stream()));
        });
    StreamEnds ends = arrays.ends(streams);
    Optional<BytesState> nearer = Optional.empty();
    int furthest = found.isPresent() ? 1 : 0; // memory has an earlier state of the first link
    for (int i = links.size() - 1; i >= furthest && nearer.isEmpty(); i--) {
      nearer = checkpoint(links.get(i), ends);
      if (nearer.isPresent()) {
        links.subList(0, i).clear(); // what is further may be given up
        found = nearer;
      }
    }
    BytesState beginning = found.orElseGet(() -> arrays.empty(links.getFirst().stream()));
    return new Replay(decoder, beginning, links, ends, arrays::reader, arrays::checkpoint);
  }

  /** Most arrays have no checkpoints, and their ends tell that. */
  private Optional<BytesState> checkpoint(Version version, StreamEnds ends) {
    return ends.end(arrays.checkpointsOf(version.stream())).equals(StreamAddress.ZERO)
        ? Optional.empty()
        : arrays.checkpoint(version, 0).state();
  }
}
