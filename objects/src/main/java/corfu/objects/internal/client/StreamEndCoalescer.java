package corfu.objects.internal.client;

import corfu.protocol.Epoch;
import corfu.protocol.StreamId;
import corfu.runtime.StreamAccess;
import corfu.runtime.stream.SharedQuestion;
import corfu.runtime.stream.StreamEnds;
import corfu.runtime.stream.Streams;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * Asks the sequencer where streams end, with one query for all callers that ask at the same time. A
 * caller that arrives while a query is in flight can't use its answer, because the answer may be
 * older than the call. Such a caller shares the next query with all callers that arrive meanwhile.
 * Thread-safe.
 */
public final class StreamEndCoalescer {

  private final Streams streams;
  private final AtomicLong highest = new AtomicLong();
  private final AtomicReference<LogPrefix> met =
      new AtomicReference<>(new LogPrefix(Epoch.NONE, 0, 0, false));

  private final SharedQuestion<Round, Answer> question;

  /** The objects of one query. */
  private static final class Round {
    final Set<Playable> objects = new LinkedHashSet<>();
    boolean isForReader;
  }

  /**
   * The answer to one query.
   *
   * @param forReader the ends at the same moment for callers that only read: see {@link #askToRead}
   */
  private record Answer(StreamEnds ends, StreamEnds forReader) {}

  StreamEndCoalescer(StreamAccess access, Streams streams) {
    this.streams = streams;
    this.question = new SharedQuestion<>(access::deadline, Round::new, this::ask);
  }

  /** The highest address that this client has ever been told to be below the log's tail, plus 1. */
  public long highest() {
    return highest.get();
  }

  /** This client knows that the log's tail is here, or further. */
  public void reached(long tail) {
    highest.accumulateAndGet(tail, Math::max);
  }

  /** The newest epoch that has told this client of ends: no state has entries of a later one. */
  public LogPrefix met() {
    return met.get();
  }

  /** To be called before anything is played up to there. */
  public void meets(StreamEnds ends) {
    if (met.get().epoch().isBefore(ends.epoch())) {
      LogPrefix fresh = LogPrefix.of(ends);
      met.updateAndGet(last -> last.epoch().isBefore(fresh.epoch()) ? fresh : last);
    }
  }

  /**
   * The ends of this object's stream, and maybe of others, at a moment within this call. If there
   * is little to play, that has been done, up to there or as far as who reads needs it, so that
   * those who asked need not take turns.
   */
  public StreamEnds ask(Playable object) {
    return ask(List.of(object));
  }

  /** The same for several objects in one question; they are not too many for one. */
  public StreamEnds ask(Collection<? extends Playable> objects) {
    return ask(objects, false).ends();
  }

  /**
   * Returns the ends for a caller that only reads this object, at any moment within this call.
   * Where possible, the ends exclude appends at the end of the stream that nobody can know of yet.
   * A reader does not wait for such appends.
   */
  public StreamEnds askToRead(Playable object) {
    return ask(List.of(object), true).forReader();
  }

  private Answer ask(Collection<? extends Playable> objects, boolean isForReader) {
    return question.ask(
        round -> {
          round.objects.addAll(objects);
          round.isForReader |= isForReader;
        });
  }

  private Supplier<Answer> ask(Round round) {
    StreamEnds ends = streams.ends(streamsOf(round));
    reached(ends.tail().value());
    meets(ends);
    return () -> {
      StreamEnds forReader = forReader(round, ends);
      round.objects.forEach(object -> object.playIfNear(forReader));
      return new Answer(ends, forReader);
    };
  }

  /** Ignores failures here; the callers that need the unreadable entries meet them again. */
  private StreamEnds forReader(Round round, StreamEnds ends) {
    if (!round.isForReader || round.objects.size() > 1) {
      return ends;
    }
    Playable object = round.objects.iterator().next();
    try {
      return object
          .playedBefore()
          .map(known -> streams.withoutUnderWay(ends, object.stream(), known))
          .orElse(ends);
    } catch (RuntimeException itWillBeMetAgain) {
      return ends;
    }
  }

  private static Set<StreamId> streamsOf(Round round) {
    Set<StreamId> streams = new LinkedHashSet<>();
    round.objects.forEach(object -> streams.add(object.stream()));
    return streams;
  }
}
