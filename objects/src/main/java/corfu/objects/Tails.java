package corfu.objects;

import corfu.protocol.Epoch;
import corfu.protocol.StreamId;
import corfu.runtime.stream.StreamEnds;
import corfu.runtime.stream.Streams;
import corfu.world.World;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Where streams end: one question to the sequencer for all who ask at the same time. Who comes
 * while a question is under way can't use its answer, which may be older than its call, and shares
 * the next one with all who come meanwhile. Thread-safe.
 */
final class Tails {

  private final World world;
  private final Streams streams;
  private final AtomicLong highest = new AtomicLong();
  private final AtomicReference<Horizon> met =
      new AtomicReference<>(new Horizon(Epoch.NONE, 0, 0, false));

  private final ReentrantLock lock = new ReentrantLock();
  private boolean isUnderWay;
  private @Nullable Round next;

  /** A question; who is the first to join asks it, as soon as the one before is answered. */
  private static final class Round {
    final Set<View<?>> views = new LinkedHashSet<>();
    final CompletableFuture<Void> turn = new CompletableFuture<>();
    final CompletableFuture<Answer> done = new CompletableFuture<>();
    boolean isForReader;
  }

  /**
   * What was found.
   *
   * @param forReader the same moment for who only reads: see {@link #askToRead}
   */
  private record Answer(StreamEnds ends, StreamEnds forReader) {}

  Tails(World world, Streams streams) {
    this.world = world;
    this.streams = streams;
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
    Round mine;
    boolean isFirst;
    lock.lock();
    try {
      Round joined = next;
      isFirst = joined == null;
      mine = joined == null ? new Round() : joined;
      mine.views.addAll(views);
      mine.isForReader |= isForReader;
      next = mine;
      if (!isUnderWay) {
        isUnderWay = true;
        mine.turn.complete(null);
      }
    } finally {
      lock.unlock();
    }
    if (isFirst) {
      var unused = world.await(mine.turn);
      lead(mine);
    }
    return await(mine.done);
  }

  /** Nobody joins any more. The next one begins before those that waited for this one are told. */
  private void lead(Round round) {
    close();
    StreamEnds ends;
    try {
      ends = streams.ends(streamsOf(round));
    } catch (RuntimeException failure) {
      handOver();
      round.done.completeExceptionally(failure);
      return;
    }
    reached(ends.tail().value());
    meets(ends);
    handOver();
    StreamEnds forReader = forReader(round, ends);
    round.views.forEach(view -> view.playIfNear(forReader));
    round.done.complete(new Answer(ends, forReader));
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

  private void close() {
    lock.lock();
    try {
      next = null;
    } finally {
      lock.unlock();
    }
  }

  private void handOver() {
    lock.lock();
    try {
      isUnderWay = next != null;
      if (next != null) {
        next.turn.complete(null);
      }
    } finally {
      lock.unlock();
    }
  }

  private Answer await(CompletableFuture<Answer> done) {
    try {
      return world.await(done);
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw e;
    }
  }
}
