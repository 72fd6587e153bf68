package corfu.sim.world;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.Endpoint;
import corfu.protocol.message.NodeReply;
import corfu.protocol.message.NodeRequest;
import corfu.transport.ClientOptions;
import corfu.transport.NoReplyException;
import corfu.transport.TransportException;
import corfu.world.Loop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

class SimWorldTest {

  private final Simulator simulator = new Simulator(3, 0, line -> {});

  @Test
  void aTimerIsNeverEarlyByTheClockOfItsWorld() {
    for (int i = 0; i < 50; i++) {
      SimWorld world = simulator.born("p" + i, 500);
      long start = world.nanoTime();
      long delay = simulator.chance.between(0, 1_000_000_000L);
      List<Long> fired = new ArrayList<>();
      world.after(delay, () -> fired.add(world.nanoTime() - start));
      drain();

      assertThat(fired)
          .singleElement()
          .satisfies(at -> assertThat(at).isGreaterThanOrEqualTo(delay));
    }
  }

  @Test
  void aLoopRunsItsTasksInOrderAndKnowsItsOwn() {
    SimWorld world = simulator.born("p", 0);
    Loop loop = world.loop("loop");
    List<String> ran = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      String name = i + "";
      loop.execute(() -> ran.add(name + loop.isInside()));
    }
    drain();

    assertThat(ran).hasSize(100).startsWith("0true", "1true").endsWith("99true");
    assertThat(loop.isInside()).isFalse();
  }

  @Test
  void nothingOfAKilledProcessHappens() {
    SimWorld world = simulator.born("p", 0);
    List<String> happened = new ArrayList<>();
    world.start(
        "thread",
        () -> {
          world.pause(Duration.ofSeconds(1));
          happened.add("thread");
        });
    world.after(1_000_000_000L, () -> happened.add("timer"));
    simulator.timeline.after(500_000_000L, world.life()::end);
    drain();

    assertThat(happened).isEmpty();
  }

  @Test
  void aPausedProcessGoesOnWhereItWas() {
    SimWorld world = simulator.born("p", 0);
    List<Long> happened = new ArrayList<>();
    world.after(1_000_000_000L, () -> happened.add(simulator.timeline.nowNanos()));
    world.life().pause();
    simulator.timeline.after(5_000_000_000L, world.life()::resume);
    drain();

    assertThat(happened)
        .singleElement()
        .satisfies(at -> assertThat(at).isGreaterThan(5_000_000_000L));
  }

  @Test
  void aRequestIntoAPartitionEndsByItsDeadline() {
    Endpoint server = new Endpoint("server", 9000);
    SimWorld serving = simulator.born("server", 0);
    Loop loop = serving.loop("server");
    new SimListener(
        simulator.network,
        server,
        serving.life(),
        loop,
        (request, reply) -> reply.accept(new NodeReply.Welcome(1, Optional.empty(), "server")));
    SimWorld asking = simulator.born("client", 0);
    SimTransport transport =
        new SimTransport(simulator.network, asking, Optional.empty(), ClientOptions.DEFAULT);
    List<Object> outcomes = new ArrayList<>();

    ask(transport, server, asking, outcomes);
    drainUntil(() -> outcomes.size() == 1);
    simulator.network.cut(new SimNetwork.Cut(Set.of("server"), Set.of("client")));
    ask(transport, server, asking, outcomes);
    drainUntil(() -> outcomes.size() == 2);

    assertThat(outcomes.getFirst()).isInstanceOf(NodeReply.Welcome.class);
    assertThat(outcomes.getLast()).isInstanceOf(NoReplyException.class);
    assertThat(simulator.findings.all()).isEmpty();
  }

  private static void ask(
      SimTransport transport, Endpoint server, SimWorld world, List<Object> outcomes) {
    world.start(
        "ask",
        () -> {
          try {
            outcomes.add(transport.peer(server).call(new NodeRequest.AskStatus(), 2_000_000_000L));
          } catch (TransportException failure) {
            outcomes.add(failure);
          }
        });
  }

  private void drain() {
    drainUntil(() -> false);
  }

  private void drainUntil(BooleanSupplier done) {
    boolean more = true;
    while (more && !done.getAsBoolean()) {
      more = simulator.timeline.step();
    }
  }
}
