package corfu.runtime.reconfiguration;

import corfu.protocol.Endpoint;
import corfu.protocol.message.Failure;
import corfu.protocol.message.LayoutReply;
import corfu.protocol.message.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The acceptors' replies as they arrive, until enough have answered, or all have answered or
 * failed.
 */
final class Ballots {

  private final int asked;
  private final int quorum;
  private final ReentrantLock lock = new ReentrantLock();
  private final CompletableFuture<Void> enough = new CompletableFuture<>();
  private final List<Reply> replies = new ArrayList<>();
  private final List<String> problems = new ArrayList<>();
  private final List<CompletableFuture<Reply>> watched = new ArrayList<>();

  Ballots(int asked, int quorum) {
    this.asked = asked;
    this.quorum = quorum;
  }

  void watch(Endpoint acceptor, CompletableFuture<Reply> reply) {
    watched.add(
        reply.whenComplete(
            (answer, failure) -> {
              lock.lock();
              try {
                count(acceptor, answer, failure);
              } finally {
                lock.unlock();
              }
            }));
  }

  private void count(Endpoint acceptor, @Nullable Reply answer, @Nullable Throwable failure) {
    if (answer == null) {
      problems.add(failure == null ? "no answer" : String.valueOf(failure.getMessage()));
    } else if (answer instanceof Failure) {
      problems.add(acceptor + " answered " + answer);
    } else {
      replies.add(answer);
    }
    boolean isOver = answer instanceof LayoutReply.Decided;
    if (isOver || replies.size() >= quorum || replies.size() + problems.size() == asked) {
      enough.complete(null);
    }
  }

  /**
   * Waits until the replies are enough, or all acceptors have answered or failed.
   *
   * @return the replies so far
   */
  List<Reply> await() {
    enough.join();
    lock.lock();
    try {
      return List.copyOf(replies);
    } finally {
      lock.unlock();
    }
  }

  /** Returns the reasons why acceptors did not answer. */
  List<String> problems() {
    lock.lock();
    try {
      return List.copyOf(problems);
    } finally {
      lock.unlock();
    }
  }
}
