package corfu.objects;

import corfu.protocol.StreamId;
import corfu.runtime.stream.StreamEnds;
import corfu.runtime.stream.Streams;
import corfu.world.World;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
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

  private final ReentrantLock lock = new ReentrantLock();
  private boolean isUnderWay;
  private @Nullable Round next;

  private static final class Round {
    final Set<StreamId> streams = new LinkedHashSet<>();
    final CompletableFuture<StreamEnds> done = new CompletableFuture<>();
  }

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

  /** The ends of this stream, and maybe of others, at a moment within this call. */
  StreamEnds ask(StreamId stream) {
    Round mine;
    boolean lead;
    lock.lock();
    try {
      mine = next == null ? new Round() : next;
      mine.streams.add(stream);
      lead = !isUnderWay;
      if (lead) {
        isUnderWay = true;
      } else {
        next = mine;
      }
    } finally {
      lock.unlock();
    }
    if (lead) {
      ask(mine);
      startNext();
    }
    return await(mine.done);
  }

  private static StreamEnds await(CompletableFuture<StreamEnds> done) {
    try {
      return done.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw e;
    }
  }

  private void startNext() {
    @Nullable Round round = takeNext();
    if (round != null) {
      world.start("corfu-tails", () -> askUntilNobodyWaits(round));
    }
  }

  private void askUntilNobodyWaits(Round first) {
    for (@Nullable Round round = first; round != null; round = takeNext()) {
      ask(round);
    }
  }

  private @Nullable Round takeNext() {
    lock.lock();
    try {
      @Nullable Round round = next;
      next = null;
      isUnderWay = round != null;
      return round;
    } finally {
      lock.unlock();
    }
  }

  private void ask(Round round) {
    try {
      StreamEnds ends = streams.ends(round.streams);
      reached(ends.tail().value());
      round.done.complete(ends);
    } catch (RuntimeException failure) {
      round.done.completeExceptionally(failure);
    }
  }
}
