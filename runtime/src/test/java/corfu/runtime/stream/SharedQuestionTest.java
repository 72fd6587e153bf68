package corfu.runtime.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.runtime.Deadline;
import corfu.world.RealWorld;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SharedQuestionTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final RealWorld world = new RealWorld();
  private final List<Set<String>> asked = new ArrayList<>(); // one at a time
  private final CountDownLatch firstIsAsked = new CountDownLatch(1);
  private final CompletableFuture<Void> firstMayEnd = new CompletableFuture<>();

  @AfterEach
  void stop() {
    world.close();
  }

  private SharedQuestion<Set<String>, String> question(
      Function<Set<String>, Supplier<String>> asking) {
    return new SharedQuestion<>(() -> Deadline.in(world, TIMEOUT), TreeSet::new, asking);
  }

  private SharedQuestion<Set<String>, String> firstOneLasts() {
    return question(
        parts -> {
          asked.add(parts);
          if (asked.size() == 1) {
            firstIsAsked.countDown();
            firstMayEnd.join();
          }
          return () -> "answer to " + parts;
        });
  }

  /**
   * Asks on another thread. The future completes with the answer; the method returns once the part
   * has been added.
   */
  private CompletableFuture<String> ask(SharedQuestion<Set<String>, String> of, String part)
      throws InterruptedException {
    CompletableFuture<String> answer = new CompletableFuture<>();
    CountDownLatch isAdded = new CountDownLatch(1);
    var unused =
        world.start(
            "asks for " + part,
            () -> {
              try {
                answer.complete(
                    of.ask(
                        parts -> {
                          parts.add(part);
                          isAdded.countDown();
                        }));
              } catch (RuntimeException | Error failure) {
                answer.completeExceptionally(failure);
              }
            });
    isAdded.await();
    return answer;
  }

  @Test
  void whoComesWhileAQuestionIsUnderWaySharesTheNextOne() throws Exception {
    var question = firstOneLasts();
    var a = ask(question, "a");
    firstIsAsked.await();
    var b = ask(question, "b");
    var c = ask(question, "c");
    assertThat(asked).hasSize(1);
    firstMayEnd.complete(null);

    assertThat(a.join()).isEqualTo("answer to [a]");
    assertThat(b.join()).isEqualTo(c.join()).isEqualTo("answer to [b, c]");
    assertThat(asked).hasSize(2);
  }

  @Test
  void whatAskingThrowsAllWhoShareItAreThrownAndTheNextOneIsAsked() throws Exception {
    var question =
        question(
            parts -> {
              if (parts.contains("failure")) {
                throw new IllegalStateException("it failed");
              }
              if (parts.contains("error")) {
                throw new AssertionError("a mistake");
              }
              return () -> {
                if (parts.contains("late")) {
                  throw new IllegalStateException("it failed late");
                }
                return "answer";
              };
            });

    assertThatThrownBy(() -> question.ask(parts -> parts.add("failure")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("it failed");
    assertThatThrownBy(() -> question.ask(parts -> parts.add("error")))
        .isInstanceOf(AssertionError.class)
        .hasMessage("a mistake");
    assertThatThrownBy(() -> question.ask(parts -> parts.add("late")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("it failed late");
    assertThat(question.ask(parts -> parts.add("a"))).isEqualTo("answer");
  }
}
