package corfu.bench.harness;

import java.util.concurrent.CompletableFuture;

/** A call that a thread of a {@link ClosedLoop} makes again and again. */
public record BlockingCall(Runnable call) implements ClosedLoop.Request {

  @Override
  public void await() {
    call.run();
  }

  @Override
  public CompletableFuture<?> start() {
    return CompletableFuture.runAsync(call);
  }
}
