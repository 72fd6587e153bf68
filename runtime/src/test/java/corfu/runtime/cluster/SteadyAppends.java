package corfu.runtime.cluster;

import static corfu.world.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.runtime.Corfu;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Appends one entry after the other until it is closed. Thread-safe. */
public final class SteadyAppends implements AutoCloseable {

  private static final int MORE = 20;

  private final AtomicBoolean stopped = new AtomicBoolean();
  private final AtomicInteger done = new AtomicInteger();
  private final ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();
  private final CompletableFuture<Void> end = new CompletableFuture<>();

  public SteadyAppends(Corfu corfu) {
    Thread.ofVirtual()
        .start(
            () -> {
              while (!stopped.get()) {
                append(corfu);
              }
              end.complete(null);
            });
  }

  private void append(Corfu corfu) {
    try {
      corfu.log().append("entry".getBytes(UTF_8));
      done.incrementAndGet();
    } catch (RuntimeException failure) {
      failures.add(String.valueOf(failure.getMessage()));
    }
  }

  /** Waits until some more entries are appended. */
  public void awaitMore() {
    int before = done.get();
    eventually(() -> assertThat(done.get()).isGreaterThan(before + MORE));
  }

  /** Returns the messages of all failures. */
  public List<String> failures() {
    return List.copyOf(failures);
  }

  @Override
  public void close() {
    stopped.set(true);
    end.join();
  }
}
