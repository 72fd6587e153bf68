package corfu.objects;

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
final class Tails {

  private final Streams streams;
  private final AtomicLong highest = new AtomicLong();
  private final AtomicReference<Horizon> met =
      new AtomicReference<>(new Horizon(Epoch.NONE, 0, 0, false));

  private final SharedQuestion<Round, Answer> question;

  /** What is asked together. */
  private static final class Round {
    final Set<View<?>> views = new LinkedHashSet<>();
    boolean isForReader;
  }

  /**
   * What was found.
   *
   * @param forReader the same moment for who only reads: see {@link #askToRead}
   */
  private record Answer(StreamEnds ends, StreamEnds forReader) {}

  Tails(StreamAccess access, Streams streams) {
    this.streams = streams;
    this.question = new SharedQuestion<>(access::deadline, Round::new, this::ask);
  }

  /** The highest address that this client has ever been told to be below the log's tail, plus 1. */
  long highest() {
    return highest.get();
  }

  /** This client knows that the log's tail is here, or further. */
  void reached(long tail) {
    highest.accumulateAndGet(tail, Math::max);
  }

  /** The newest epoch that has told this client of ends: no state has entries of a later one. */
  Horizon met() {
    return met.get();
  }

  /** To be called before anything is played up to there. */
  void meets(StreamEnds ends) {
    if (met.get().epoch().isBefore(ends.epoch())) {
      Horizon fresh = Horizon.of(ends);
      met.updateAndGet(last -> last.epoch().isBefore(fresh.epoch()) ? fresh : last);
    }
  }

  /**
   * The ends of this view's stream, and maybe of others, at a moment within this call. If there is
   * little to play, that has been done, up to there or as far as who reads needs it, so that those
   * who asked need not take turns.
   */
  StreamEnds ask(View<?> view) {
    return ask(List.of(view));
  }

  /** The same for several views in one question; they are not too many for one. */
  StreamEnds ask(Collection<? extends View<?>> views) {
    return ask(views, false).ends();
  }

  /**
   * The same for who only reads this view, at any moment within this call: without the appends at
   * the end that nobody can know of yet, where that can be told. Who reads does not wait for them.
   */
  StreamEnds askToRead(View<?> view) {
    return ask(List.of(view), true).forReader();
  }

  private Answer ask(Collection<? extends View<?>> views, boolean isForReader) {
    return question.ask(
        round -> {
          round.views.addAll(views);
          round.isForReader |= isForReader;
        });
  }

  private Supplier<Answer> ask(Round round) {
    StreamEnds ends = streams.ends(streamsOf(round));
    reached(ends.tail().value());
    meets(ends);
    return () -> {
      StreamEnds forReader = forReader(round, ends);
      round.views.forEach(view -> view.playIfNear(forReader));
      return new Answer(ends, forReader);
    };
  }

  /** What goes wrong is left to those who need what could not be read. */
  private StreamEnds forReader(Round round, StreamEnds ends) {
    if (!round.isForReader || round.views.size() > 1) {
      return ends;
    }
    View<?> view = round.views.iterator().next();
    try {
      return view.playedBefore()
          .map(known -> streams.withoutUnderWay(ends, view.stream(), known))
          .orElse(ends);
    } catch (RuntimeException itWillBeMetAgain) {
      return ends;
    }
  }

  private static Set<StreamId> streamsOf(Round round) {
    Set<StreamId> streams = new LinkedHashSet<>();
    round.views.forEach(view -> streams.add(view.stream()));
    return streams;
  }
}
