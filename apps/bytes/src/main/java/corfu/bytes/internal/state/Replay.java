package corfu.bytes.internal.state;

import corfu.bytes.VersionForgottenException;
import corfu.bytes.internal.record.EntryDecoder;
import corfu.bytes.internal.record.RecordCodec;
import corfu.protocol.Address;
import corfu.protocol.StreamAddress;
import corfu.runtime.stream.HeadRead;
import corfu.runtime.stream.HeadReader;
import corfu.runtime.stream.StreamEnds;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Plays an array up to a version: first the origins on the way, the furthest first, and then the
 * array itself. Stops where it needs a version of another array. For one thread.
 */
final class Replay {

  /** The number of states on the way that are kept for clones of an array's own past. */
  private static final int MOST_PASSED = 4096;

  private final EntryDecoder decoder;
  private final Function<BytesState, HeadReader> readers;
  private final BiFunction<Version, Long, CheckpointSearch> checkpoints;
  private final StreamEnds ends;
  private final List<Version> links; // the furthest origin first
  private final TreeMap<Long, BytesState> passed = new TreeMap<>(); // by their versions
  private int link;
  private BytesState state;
  private Optional<HeadReader> reader = Optional.empty();
  private PagesAhead ahead = new PagesAhead(); // for the reader
  private Optional<BytesState.Entry> waiting = Optional.empty(); // for a version

  /**
   * @param beginning a state of the first link, from which to go on
   * @param links the versions to pass, each the origin of the next one
   * @param ends the ends of the links' streams
   * @param readers returns a reader that begins behind a state
   * @param checkpoints finds the last checkpoint that is not behind a version, from a place on
   */
  Replay(
      EntryDecoder decoder,
      BytesState beginning,
      List<Version> links,
      StreamEnds ends,
      Function<BytesState, HeadReader> readers,
      BiFunction<Version, Long, CheckpointSearch> checkpoints) {
    this.checkpoints = checkpoints;
    this.decoder = decoder;
    this.state = beginning;
    this.links = links;
    this.ends = ends;
    this.readers = readers;
    pass(beginning);
  }

  /** Returns the version that is played. */
  Version wanted() {
    return links.getLast();
  }

  /** Returns the state, once it has been played. */
  BytesState state() {
    return state;
  }

  /**
   * Plays on.
   *
   * @return a version that is needed to go on, to be {@linkplain #supply supplied}; empty at the
   *     wanted version
   */
  Optional<Version> run() {
    while (true) {
      Optional<Version> needed = isUntouched() ? Optional.empty() : runLink();
      if (needed.isPresent() || link == links.size() - 1) {
        return needed;
      }
      link++;
      reader = Optional.empty();
      passed.clear();
      state = state.beginning(links.get(link).stream());
      pass(state);
    }
  }

  private boolean isUntouched() {
    Version version = links.get(link);
    return reader.isEmpty()
        && ends.newest(version.stream()) < 0
        && ends.end(version.stream()).equals(StreamAddress.ZERO);
  }

  private Optional<Version> runLink() {
    Version version = links.get(link);
    HeadReader of = reader.orElseGet(this::begin);
    while (true) {
      HeadRead read = of.readNext();
      if (isBehindGap(read)) {
        CheckpointSearch search = checkpoints.apply(version, state.place());
        boolean isSkipped = skipGap(search);
        if (search.isExact()) {
          return Optional.empty();
        }
        if (isSkipped) {
          of = begin();
          continue;
        }
      }
      switch (read) {
        case HeadRead.Head head when head.address().value() < version.before() -> {
          ahead.prepare(state, head, of);
          Optional<RecordCodec.Decoded> content = decoder.decode(head);
          if (content.isEmpty()) {
            of = afterLoss(head);
            continue;
          }
          var entry =
              new BytesState.Entry(
                  head.address().value(), head.streamAddress().value(), content.get());
          Optional<Version> needed = state.needs(entry);
          if (needed.isPresent()) {
            waiting = Optional.of(entry);
            return needed;
          }
          pass(state.after(entry));
        }
        case HeadRead.Trimmed(StreamAddress end) ->
            throw forgotten("the stream before place " + end);
        case HeadRead.Head later -> {
          return Optional.empty();
        }
        case HeadRead.Absent end -> {
          return Optional.empty();
        }
      }
    }
  }

  private HeadReader afterLoss(HeadRead.Head lost) {
    if (skipGap(checkpoints.apply(links.get(link), state.place()))) {
      return begin();
    }
    throw forgotten("the entry at address " + lost.address());
  }

  /** A place without an entry was never written, or its entry was trimmed. */
  private boolean isBehindGap(HeadRead read) {
    return switch (read) {
      case HeadRead.Head head -> head.streamAddress().value() > state.place();
      case HeadRead.Trimmed trimmed -> true;
      case HeadRead.Absent end -> ends.end(links.get(link).stream()).value() > state.place();
    };
  }

  /**
   * Goes on from a checkpoint, if that is behind the gap.
   *
   * @return whether it is; if not, no entry is missing
   */
  private boolean skipGap(CheckpointSearch found) {
    Optional<BytesState> next = found.state().filter(known -> known.place() > state.place());
    if (next.isEmpty() && found.isForgotten() && !found.isExact()) {
      throw forgotten("an entry behind place " + state.place());
    }
    next.ifPresent(
        known -> {
          passed.clear();
          pass(known);
        });
    return next.isPresent();
  }

  private VersionForgottenException forgotten(String trimmed) {
    Version version = links.get(link);
    return new VersionForgottenException(version.stream(), new Address(version.before()), trimmed);
  }

  private HeadReader begin() {
    HeadReader begun = readers.apply(state);
    begun.sync(ends);
    reader = Optional.of(begun);
    ahead = new PagesAhead();
    return begun;
  }

  /** Goes on with the version that was needed. */
  void supply(BytesState source) {
    BytesState.Entry entry = waiting.orElseThrow();
    waiting = Optional.empty();
    pass(state.after(entry, source));
  }

  private void pass(BytesState next) {
    state = next;
    passed.put(next.before(), next);
    if (passed.size() > MOST_PASSED) {
      passed.pollFirstEntry();
    }
  }

  /** Returns a version that this replay has passed already, if it has it still. */
  Optional<BytesState> passed(Version version) {
    boolean isPassed =
        version.isOfSameArray(links.get(link))
            && waiting.map(entry -> version.before() <= entry.address()).orElse(false);
    return isPassed
        ? Optional.ofNullable(passed.floorEntry(version.before())).map(found -> found.getValue())
        : Optional.empty();
  }
}
