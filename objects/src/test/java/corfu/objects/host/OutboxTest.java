package corfu.objects.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OutboxTest {

  private final StillWorld world = new StillWorld();
  private final List<Runnable> handedOver = new ArrayList<>();
  private final List<String> given = new ArrayList<>();
  private final Outbox outbox = new Outbox(world, handedOver::add);

  private void hold(String reply) {
    outbox.hold(() -> given.add(reply));
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
  void nothingIsHeldForLong() {
    hold("a");
    outbox.sendIfOld(world.nanoTime());
    assertThat(handedOver).isEmpty();

    world.nanos += 30_000;
    hold("b");
    world.nanos += 30_000;
    outbox.sendIfOld(world.nanoTime());

    runLoop();
    assertThat(given).containsExactly("a", "b");
  }

  @Test
  void whatComesAfterwardsIsAsYoungAsItIs() {
    hold("a");
    world.nanos += 30_000;
    outbox.send();
    hold("b");
    world.nanos += 30_000;
    outbox.sendIfOld(world.nanoTime());

    runLoop();
    assertThat(given).containsExactly("a");
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
