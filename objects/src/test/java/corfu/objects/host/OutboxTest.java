package corfu.objects.host;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.objects.remote.StateVersion;
import corfu.objects.remote.TypeName;
import corfu.objects.remote.ViewCall;
import corfu.protocol.StreamId;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OutboxTest {

  private static final TypeName MAP = new TypeName("map", List.of());
  private static final CallQueue.Key KEY = new CallQueue.Key(StreamId.named("object"), MAP);

  private final CallQueue queue = new CallQueue(KEY);
  private final StillWorld world = new StillWorld();
  private final List<Runnable> handedOver = new ArrayList<>();
  private final List<String> given = new ArrayList<>();
  private final Outbox outbox = new Outbox(world, handedOver::add);

  private void hold(String reply) {
    outbox.hold(() -> given.add(reply));
  }

  private void carryOut(String operation, long nanos) {
    CallQueue.Work work = beforeCarryingOut(operation, nanos);
    work.answered = Optional.of(waiting(operation));
    queue.isDone(work, world.nanoTime());
  }

  /** Returns what is under way since then. */
  private CallQueue.Work beforeCarryingOut(String operation, long nanos) {
    var ready = new CallQueue.Ready(waiting(operation), Optional.empty());
    CallQueue.Work work = queue.takeUp(Optional.of(ready), world.nanoTime());
    outbox.sendBefore(work);
    world.nanos += nanos;
    return work;
  }

  private static QueuedCall waiting(String operation) {
    var call =
        new ViewCall(MAP, StateVersion.Now.NOW, 0, operation, ByteBuffer.allocate(0), List.of());
    return new QueuedCall(KEY, call, Long.MAX_VALUE, reply -> {});
  }

  private void runLoop() {
    handedOver.forEach(Runnable::run);
    handedOver.clear();
  }

  @Test
  void whatIsHeldWakesTheLoopOnce() {
    hold("a");
    hold("b");
    outbox.send();
    outbox.send();

    assertThat(handedOver).hasSize(1);
    runLoop();
    assertThat(given).containsExactly("a", "b");
  }

  @Test
  void aRowOfQuickCallsIsGivenTogether() {
    carryOut("get", 1_000);
    outbox.send();
    for (int i = 0; i < 10; i++) {
      beforeCarryingOut("get", 1_000);
      hold("reply " + i);
    }
    assertThat(handedOver).isEmpty();
  }

  @Test
  void nothingIsHeldForLong() {
    carryOut("get", 1_000);
    hold("a");
    for (int i = 0; i < 100; i++) {
      beforeCarryingOut("get", 1_000);
    }
    runLoop();
    assertThat(given).containsExactly("a");
  }

  @Test
  void nothingWaitsForACallThatMayTakeLong() {
    hold("a");
    beforeCarryingOut("never called before", 1_000);
    assertThat(handedOver).hasSize(1);

    carryOut("sort", 1_000);
    carryOut("sort", 1_000_000);
    hold("b");
    beforeCarryingOut("sort", 1_000);
    assertThat(handedOver).hasSize(2);

    runLoop();
    assertThat(given).containsExactly("a", "b");
  }

  @Test
  void aReplyThatCannotBeGivenDoesNotKeepTheOthersBack() {
    hold("a");
    outbox.hold(
        () -> {
          throw new IllegalStateException("its connection is broken");
        });
    hold("b");
    outbox.send();

    runLoop();
    assertThat(given).containsExactly("a", "b");
  }
}
