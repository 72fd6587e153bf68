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
 * Where streams end: one question to the sequencer for all who ask at the same time. Who comes
 * while a question is under way can't use its answer, which may be older than its call, and shares
 * the next one with all who come meanwhile. Thread-safe.
 */
public final class StreamEndCoalescer {

  private final Streams streams;
  private final AtomicLong highest = new AtomicLong();
  private final AtomicReference<LogPrefix> met =
      new AtomicReference<>(new LogPrefix(Epoch.NONE, 0, 0, false));

  private final SharedQuestion<Round, Answer> question;

  /** What is asked together. */
  private static final class Round {
    final Set<Playable> objects = new LinkedHashSet<>();
    boolean isForReader;
  }

  /**
   * What was found.
   *
   * @param forReader the same moment for who only reads: see {@link #askToRead}
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
   * The same for who only reads this object, at any moment within this call: without the appends at
   * the end that nobody can know of yet, where that can be told. Who reads does not wait for them.
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

  /** What goes wrong is left to those who need what could not be read. */
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
