package corfu.sim;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.access.Grant;
import corfu.access.PolicyChange;
import corfu.access.PolicyCodec;
import corfu.access.PolicyCommand;
import corfu.access.Quota;
import corfu.access.StreamNames;
import corfu.access.Subject;
import corfu.access.Target;
import corfu.protocol.Identity;
import corfu.protocol.Permission;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.protocol.message.RequestOrigin;
import corfu.protocol.message.SequencerReply;
import corfu.runtime.Corfu;
import corfu.runtime.CorfuOptions;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.Streams;
import corfu.sim.cluster.SimServer;
import corfu.sim.world.SimListener;
import corfu.sim.world.SimRandom;
import corfu.sim.world.SimWorld;
import corfu.transport.RequestHandler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

/** A quota of appends while epochs change, and while log units die. */
final class QuotaTest {

  private static final int SEEDS = 6;
  private static final int PHASES = 4;
  private static final int APPENDS = 30;
  private static final long A_SECOND = 10;

  @Test
  void noServerIssuesMoreThanTheQuota() {
    for (int seed = 1; seed <= SEEDS; seed++) {
      TokenWatch watch = new TokenWatch(false);
      walk(seed, watch);
      assertThat(watch.tokens).as("seed %d", seed).isGreaterThanOrEqualTo(PHASES * APPENDS);
      assertThat(watch.excesses).as("seed %d", seed).isEmpty();
    }
  }

  @Test
  void aSequencerThatForgetsQuotasIsFound() {
    TokenWatch watch = new TokenWatch(true);
    walk(1, watch);
    assertThat(watch.excesses).isNotEmpty();
  }

  private static void walk(long seed, TokenWatch watch) {
    Scenario scenario = Scenario.withPermissions(seed, watch);
    // a tenant needs the seals of its tokens, which earlier versions of the protocol do not have
    scenario.simulator.network.upgrade(process -> process.startsWith("greedy"));
    watch.clock = scenario.simulator.timeline::nowNanos;
    SimRandom chance = new SimRandom(seed);
    Subject greedy = new Subject.Prefix(SimListener.IDENTITIES + "greedy");
    change(
        scenario,
        "admin1",
        new PolicyCommand.Give(new Grant(greedy, Permission.APPEND, Target.parse("orders"))));
    long no = Quota.NO_LIMIT;
    change(
        scenario,
        "admin2",
        new PolicyCommand.SetQuota(greedy, new Quota(no, A_SECOND, no, no, no, no)));
    scenario.pass(Duration.ofSeconds(2));
    for (int phase = 0; phase < PHASES; phase++) {
      scenario.runAs("greedy" + phase, world -> appends(scenario, world));
      if (chance.below(2) == 0) {
        renew(scenario);
      } else {
        SimServer unit =
            chance.pick(scenario.cluster.servers().stream().filter(SimServer::isLogUnit).toList());
        unit.kill();
        scenario.pass(Duration.ofMillis(chance.between(1, 3_000)));
        unit.start();
      }
    }
  }

  private static void renew(Scenario scenario) {
    try {
      var unused = scenario.reconfigure(way -> way.renew(scenario.newest()));
    } catch (RuntimeException anAgentWasFaster) {
      scenario.pass(Duration.ofMillis(10));
    }
  }

  private static void change(Scenario scenario, String name, PolicyCommand command) {
    PolicyChange change = new PolicyChange(new Identity("sim/admin"), command);
    var unused =
        scenario.runAs(
            name,
            world ->
                Streams.over(scenario.connect(world, scenario.transport(world)))
                    .open(StreamNames.POLICY)
                    .append(PolicyCodec.encode(change)));
  }

  private static boolean appends(Scenario scenario, SimWorld world) {
    CorfuOptions options =
        CorfuOptions.of(scenario.arrangement.layoutServers())
            .withOperationTimeout(Duration.ofSeconds(30));
    LogStream orders =
        Streams.over(Corfu.connect(options, world, scenario.transport(world))).open("orders");
    for (int i = 0; i < APPENDS; i++) {
      orders.append(new byte[10]);
    }
    return true;
  }

  /** Compares the tokens that each life of each server gives to each client with the quota. */
  private static final class TokenWatch implements SimServer.FrontDoor {

    private final boolean isOpen;
    private final List<String> excesses = new ArrayList<>();
    private LongSupplier clock = () -> 0;
    private long tokens;

    /**
     * @param isOpen whether requests of the greedy tenant avoid the gate
     */
    TokenWatch(boolean isOpen) {
      this.isOpen = isOpen;
    }

    @Override
    public RequestHandler around(SimServer server, RequestHandler handler, RequestHandler roles) {
      Map<Identity, List<Long>> issued = new HashMap<>();
      return new RequestHandler() {
        @Override
        public void handle(Request request, Consumer<Reply> reply) {
          handler.handle(request, reply);
        }

        @Override
        public void handle(Request request, RequestOrigin origin, Consumer<Reply> reply) {
          boolean isGreedy = origin.identity().name().contains("greedy");
          RequestHandler next = isOpen && isGreedy ? roles : handler;
          next.handle(
              request,
              origin,
              answer -> {
                if (isGreedy
                    && answer instanceof SequencerReply.StreamTokens(var outcomes, var seal)) {
                  issued(
                      issued.computeIfAbsent(origin.identity(), first -> new ArrayList<>()),
                      outcomes.size());
                }
                reply.accept(answer);
              });
        }

        @Override
        public void turnEnded() {
          handler.turnEnded();
        }
      };
    }

    private void issued(List<Long> times, int count) {
      long now = clock.getAsLong();
      tokens += count;
      for (int i = 0; i < count; i++) {
        times.add(now);
      }
      for (int from = 0; from < times.size(); from++) {
        double seconds = (now - times.get(from)) / 1e9;
        if (times.size() - from > A_SECOND * seconds + A_SECOND + 1e-6) {
          excesses.add("%d tokens in %.3f s".formatted(times.size() - from, seconds));
        }
      }
    }
  }
}
