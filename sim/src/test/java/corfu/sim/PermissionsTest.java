package corfu.sim;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.access.Grant;
import corfu.protocol.Endpoint;
import corfu.protocol.Identity;
import corfu.protocol.layout.LayoutSegment;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.protocol.message.RequestOrigin;
import corfu.sim.cluster.SimServer;
import corfu.transport.RequestHandler;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Permissions while servers die and return, units are rebuilt, and epochs change. */
final class PermissionsTest {

  private static final int SEEDS = 6;
  private static final int MOST_SEEDS = 20;
  private static final int STEPS = 40;

  private static final int FIRST = Integer.getInteger("corfu.sim.first", 1);
  private static final int MORE_SEEDS = Integer.getInteger("corfu.sim.seeds", SEEDS);

  /** A disturbance may last two seconds, and another one may follow at once. */
  private static final Duration LAG_WITH_ALL_FAULTS = Duration.ofSeconds(10);

  /** While a unit is dead, nobody reads the policy until an agent has replaced the unit. */
  private static final Duration LAG_WITH_FAULTS = Duration.ofSeconds(5);

  @Test
  void noTenantSeesOrAppendsWhatThePolicyForbids() {
    long shown = 0;
    for (int seed = 1; seed <= SEEDS; seed++) {
      AccessWatch watch = new AccessWatch(AccessWalk.TENANTS, LAG_WITH_FAULTS, none());
      new AccessWalk(seed, watch).run(STEPS);
      assertThat(watch.leaks()).as("seed %d", seed).isEmpty();
      shown += watch.shown();
    }
    assertThat(shown).as("entries that tenants may see").isPositive();
  }

  @Test
  void neitherDisturbedServersNorTrimsOfTheLogOpenAGapOrLoseAGrant() {
    long shown = 0;
    for (int seed = FIRST; seed < FIRST + MORE_SEEDS; seed++) {
      AccessWatch watch = new AccessWatch(AccessWalk.TENANTS, LAG_WITH_ALL_FAULTS, none());
      AccessWalk walk = new AccessWalk(seed, watch);
      walk.runWithAllFaults(STEPS);
      assertThat(watch.leaks()).as("seed %d", seed).isEmpty();
      Set<Grant> expected = walk.expectedGrants();
      String run = "seed " + seed;
      walk.grants().ifPresent(grants -> assertThat(grants).as(run).hasSameElementsAs(expected));
      shown += watch.shown();
    }
    assertThat(shown).as("entries that tenants may see").isPositive();
  }

  @Test
  void aRevocationIsInForceOnAllServersWithinASecond() {
    for (int seed = 1; seed <= SEEDS; seed++) {
      AccessWatch watch = new AccessWatch(AccessWalk.TENANTS, Duration.ofSeconds(1), none());
      new AccessWalk(seed, watch).runWithoutFaults(STEPS);
      assertThat(watch.leaks()).as("seed %d", seed).isEmpty();
    }
  }

  @Test
  void aRestartedServerThatIsOpenBeforeItKnowsThePolicyIsFound() {
    assertFound(
        () ->
            (server, handler, roles) -> {
              int[] requests = {0};
              return door(
                  handler,
                  roles,
                  (request, identity) -> requests[0]++ < 100); // about as long as a look takes
            });
  }

  @Test
  void aGateThatForgetsCopiesOfRangesIsFound() {
    assertFound(
        () ->
            (server, handler, roles) ->
                door(
                    handler,
                    roles,
                    (request, identity) -> request instanceof LogUnitRequest.CopyRange));
  }

  @Test
  void aRebuiltUnitThatIsOpenIsFound() {
    assertFound(
        () ->
            (server, handler, roles) -> {
              boolean[] wasFilled = {false};
              return door(
                  handler,
                  roles,
                  (request, identity) -> {
                    if (request instanceof LogUnitRequest.Install install) {
                      wasFilled[0] |=
                          install.layout().segments().stream()
                              .anyMatch(segment -> isFilled(segment, server.endpoint()));
                    }
                    return wasFilled[0];
                  });
            });
  }

  private static boolean isFilled(LayoutSegment segment, Endpoint server) {
    return segment
        .target()
        .filter(target -> target.units().contains(server))
        .filter(target -> !segment.serving().units().contains(server))
        .isPresent();
  }

  @Test
  void aServerThatKeepsItsDecisionsInANewEpochIsFound() {
    assertFound(
        () ->
            (server, handler, roles) -> {
              Set<String> allowed = new HashSet<>();
              Set<String> kept = new HashSet<>();
              RequestHandler learning = learning(handler, allowed);
              return door(
                  learning,
                  roles,
                  (request, identity) -> {
                    if (request instanceof LogUnitRequest.Install) {
                      kept.addAll(allowed);
                    }
                    return kept.contains(tenant(identity));
                  });
            });
  }

  private static String tenant(Identity identity) {
    return identity.name().replaceAll("[0-9]+$", "");
  }

  /** Remembers the tenants that have seen entries. */
  private static RequestHandler learning(RequestHandler handler, Set<String> allowed) {
    return new RequestHandler() {
      @Override
      public void handle(Request request, Consumer<Reply> reply) {
        handler.handle(request, reply);
      }

      @Override
      public void handle(Request request, RequestOrigin origin, Consumer<Reply> reply) {
        handler.handle(
            request,
            origin,
            answer -> {
              if (answer instanceof LogUnitReply.Reads reads
                  && reads.outcomes().stream().anyMatch(one -> one.held().isPresent())) {
                allowed.add(tenant(origin.identity()));
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

  // --------------------------------------------------------------------------------- planted bugs

  private static SimServer.FrontDoor none() {
    return SimServer.FrontDoor.PLAIN;
  }

  private static RequestHandler door(
      RequestHandler handler, RequestHandler roles, BiPredicate<Request, Identity> isOpen) {
    return new RequestHandler() {
      @Override
      public void handle(Request request, Consumer<Reply> reply) {
        handler.handle(request, reply);
      }

      @Override
      public void handle(Request request, RequestOrigin origin, Consumer<Reply> reply) {
        RequestHandler next = isOpen.test(request, origin.identity()) ? roles : handler;
        next.handle(request, origin, reply);
      }

      @Override
      public void turnEnded() {
        handler.turnEnded();
      }
    };
  }

  private static void assertFound(Supplier<SimServer.FrontDoor> bug) {
    for (int seed = 1; seed <= MOST_SEEDS; seed++) {
      AccessWatch watch = new AccessWatch(AccessWalk.TENANTS, LAG_WITH_FAULTS, bug.get());
      new AccessWalk(seed, watch).run(STEPS);
      if (!watch.leaks().isEmpty()) {
        return;
      }
    }
    assertThat(MOST_SEEDS).as("seeds in which the planted bug was not found").isZero();
  }
}
