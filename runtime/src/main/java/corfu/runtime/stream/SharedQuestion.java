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
 * One question for all who ask at the same time. Who comes while a question is under way can't use
 * its answer, which may be older than his call, and shares the next one with all who come
 * meanwhile: the first of them asks it on his own thread. Thread-safe.
 *
 * @param <Q> what is asked, to which all who share it add what they want to know
 * @param <A> the answer that all of them are given
 */
public final class SharedQuestion<Q, A> {

  private final Supplier<Deadline> deadlines;
  private final Supplier<Q> newQuestion;
  private final Function<Q, Supplier<A>> asking;

  private final ReentrantLock lock = new ReentrantLock();
  private boolean isUnderWay;
  private @Nullable Round<Q, A> next;

  /** A question that is not asked yet, or not answered. */
  private static final class Round<Q, A> {
    final Q question;
    final CompletableFuture<Void> turn = new CompletableFuture<>();
    final CompletableFuture<A> done = new CompletableFuture<>();

    Round(Q question) {
      this.question = question;
    }
  }

  /**
   * @param deadlines of calls that begin now: who asks waits no longer, and so does who is asked
   * @param newQuestion a question to which nothing has been added; must not block
   * @param asking asks, and returns how the answer is made of what came: the next question may be
   *     asked meanwhile
   */
  public SharedQuestion(
      Supplier<Deadline> deadlines, Supplier<Q> newQuestion, Function<Q, Supplier<A>> asking) {
    this.deadlines = deadlines;
    this.newQuestion = newQuestion;
    this.asking = asking;
  }

  /** A question to which nobody has anything to add. */
  public static <A> SharedQuestion<?, A> of(Supplier<Deadline> deadlines, Supplier<A> asking) {
    return new SharedQuestion<>(
        deadlines,
        () -> asking,
        always -> {
          A answer = always.get();
          return () -> answer;
        });
  }

  /** The answer to a question that was asked within this call, with nothing added to it. */
  public A ask() {
    return ask(question -> {});
  }

  /**
   * The answer to a question that was asked within this call. Whatever asking it throws, all who
   * share it are thrown; but if only the asking thread's time was over, the others ask again.
   *
   * @param part adds to the question, perhaps several times; must not block
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

  /** Nobody asks this question; those who share it ask another one. */
  private void giveUp(Round<Q, A> round, UnavailableException why) {
    lock.lock();
    try {
      next = null; // it was this one: only its first takes it from there
      isUnderWay &= !round.turn.isDone(); // its turn has come meanwhile
    } finally {
      lock.unlock();
    }
    round.done.completeExceptionally(why);
  }

  /** The next question begins before those that shared this one are told. */
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

  /** Nobody joins any more. */
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
