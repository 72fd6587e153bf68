package corfu.runtime.internal.read;

import corfu.runtime.CallScope;
import corfu.runtime.Places;
import corfu.runtime.UnavailableException;
import corfu.runtime.internal.session.ClientContext;
import java.util.concurrent.CompletableFuture;

/** Slow reads, each on a thread of its own, in bounded number. Thread-safe. */
public final class SlowReads {

  /** The most addresses that wait for their writers at the same time. */
  private static final int MOST = 1024;

  private final ClientContext context;
  private final SlowRead slowRead;
  private final Places places = new Places("slow reads", MOST);

  public SlowReads(ClientContext context, SlowRead slowRead) {
    this.context = context;
    this.slowRead = slowRead;
  }

  /** Returns {@link SlowRead#waitedBelow}. */
  long waitedBelow() {
    return slowRead.waitedBelow();
  }

  PendingRead start(long address) {
    PendingRead read = new PendingRead(address, context.deadline(), new CompletableFuture<>());
    start(read);
    return read;
  }

  /** Starts a slow read. Waits while too many are in flight, until the read's deadline at most. */
  void start(PendingRead read) {
    try {
      places.enter(read.deadline());
    } catch (UnavailableException noRoom) {
      read.done().completeExceptionally(noRoom);
      return;
    }
    context.world().start("corfu-read-" + read.address(), () -> run(read));
  }

  private void run(PendingRead read) {
    try {
      CallScope part = context.retryLoop().within(read.deadline());
      try {
        read.done().complete(slowRead.read(read.address(), part.deadline()));
      } finally {
        part.end();
      }
    } catch (RuntimeException failure) {
      read.done().completeExceptionally(failure);
    } finally {
      places.leave();
    }
  }
}
