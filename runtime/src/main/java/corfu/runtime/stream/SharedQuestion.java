package corfu.runtime.stream;

import corfu.runtime.Deadline;
import corfu.runtime.UnavailableException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One question for all callers that ask at the same time. A caller that comes while a question is
 * in flight cannot use its answer, which may be older than the call. It shares the next question
 * with all callers that come meanwhile. The first of them asks that question on its own thread.
 * Thread-safe.
 *
 * @param <Q> the question, to which all sharing callers add their parts
 * @param <A> the answer that all of them receive
 */
public final class SharedQuestion<Q, A> {

  private final Supplier<Deadline> deadlines;
  private final Supplier<Q> newQuestion;
  private final Function<Q, Supplier<A>> asking;

  private final ReentrantLock lock = new ReentrantLock();
  private boolean isUnderWay;
  private @Nullable Round<Q, A> next;

  /** A question without an answer, asked or not. */
  private static final class Round<Q, A> {
    final Q question;
    final CompletableFuture<Void> turn = new CompletableFuture<>();
    final CompletableFuture<A> done = new CompletableFuture<>();

    Round(Q question) {
      this.question = question;
    }
  }

  /**
   * @param deadlines the source of deadlines of calls that begin now; they bound the callers' waits
   *     and the question itself
   * @param newQuestion the source of an empty question; it must not block
   * @param asking asks, and returns a function that makes the answer from the replies; meanwhile
   *     the next question may be asked
   */
  public SharedQuestion(
      Supplier<Deadline> deadlines, Supplier<Q> newQuestion, Function<Q, Supplier<A>> asking) {
    this.deadlines = deadlines;
    this.newQuestion = newQuestion;
    this.asking = asking;
  }

  /** Returns a question to which callers add nothing. */
  public static <A> SharedQuestion<?, A> of(Supplier<Deadline> deadlines, Supplier<A> asking) {
    return new SharedQuestion<>(
        deadlines,
        () -> asking,
        always -> {
          A answer = always.get();
          return () -> answer;
        });
  }

  /** Returns the answer to a question that was asked within this call, with nothing added to it. */
  public A ask() {
    return ask(question -> {});
  }

  /**
   * Returns the answer to a question that was asked within this call. If asking throws, all sharing
   * callers receive the exception. But if only the asking thread's deadline had passed, the others
   * ask again.
   *
   * @param part adds to the question, perhaps several times; it must not block
   * @throws UnavailableException if there is no answer by the deadline
   */
  public A ask(Consumer<Q> part) {
    Deadline deadline = deadlines.get();
    while (true) {
      Joined<Q, A> joined = join(part);
      Round<Q, A> mine = joined.round;
      if (joined.isFirst) {
        if (deadline.await(mine.turn)) {
          lead(mine);
        } else {
          giveUp(mine, tooLate(deadline));
        }
        return resultOf(mine.done);
      }
      if (!deadline.await(mine.done)) {
        throw tooLate(deadline);
      }
      try {
        return resultOf(mine.done);
      } catch (UnavailableException ofTheFirst) {
        if (deadline.hasPassed()) {
          throw ofTheFirst;
        }
      }
    }
  }

  /** A round that a caller takes part in. */
  private record Joined<Q, A>(Round<Q, A> round, boolean isFirst) {}

  private Joined<Q, A> join(Consumer<Q> part) {
    lock.lock();
    try {
      Round<Q, A> joined = next;
      Round<Q, A> mine = joined == null ? new Round<>(newQuestion.get()) : joined;
      part.accept(mine.question);
      next = mine;
      if (!isUnderWay) {
        isUnderWay = true;
        mine.turn.complete(null);
      }
      return new Joined<>(mine, joined == null);
    } finally {
      lock.unlock();
    }
  }

  private static UnavailableException tooLate(Deadline deadline) {
    return new UnavailableException(
        "a question that another call asked was not answered within %d ms"
            .formatted(deadline.timeout().toMillis()));
  }

  /**
   * Drops a question that its first caller could not ask. The callers that share it ask another
   * one.
   */
  private void giveUp(Round<Q, A> round, UnavailableException why) {
    lock.lock();
    try {
      next = null; // it was this round: only its first caller starts it
      isUnderWay &= !round.turn.isDone(); // its turn has come meanwhile
    } finally {
      lock.unlock();
    }
    round.done.completeExceptionally(why);
  }

  /**
   * Asks the question. The next one begins before the callers that shared this one receive the
   * answer.
   */
  private void lead(Round<Q, A> round) {
    close();
    try {
      round.done.complete(asked(round.question).get());
    } catch (RuntimeException | Error failure) {
      round.done.completeExceptionally(failure);
    }
  }

  private Supplier<A> asked(Q question) {
    try {
      return asking.apply(question);
    } finally {
      handOver();
    }
  }

  /** Closes the round: no more callers join it. */
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

  private static <A> A resultOf(CompletableFuture<A> done) {
    try {
      return done.join();
    } catch (CompletionException e) {
      switch (e.getCause()) {
        case RuntimeException failure -> throw failure;
        case Error fatal -> throw fatal;
        case null, default -> throw e;
      }
    }
  }
}
