package corfu.sim;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.Permission;
import corfu.protocol.message.Failure;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.protocol.message.RequestOrigin;
import corfu.sim.cluster.SimServer;
import corfu.transport.RequestHandler;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** A tenant attacks the in-flight appends of another one while sequencers and log units die. */
final class TokenSealsTest {

  private static final int SEEDS = 6;
  private static final int MOST_SEEDS = 20;
  private static final int STEPS = 30;

  @Test
  void noTenantUsesTokensOfAnotherAndNoHolderIsRefused() {
    long written = 0;
    long refused = 0;
    for (int seed = 1; seed <= SEEDS; seed++) {
      SealWatch watch = watch(SimServer.FrontDoor.PLAIN);
      new SealWalk(seed, watch).run(STEPS);
      assertThat(watch.findings()).as("seed %d", seed).isEmpty();
      assertThat(watch.appended()).as("acknowledged appends of seed %d", seed).isPositive();
      written += watch.written();
      refused += watch.refused();
    }
    assertThat(written).as("entries of tenants").isPositive();
    assertThat(refused).as("refused writes of tenants").isPositive();
  }

  @Test
  void aUnitThatChecksNoSealsIsFound() {
    assertFound(() -> (server, handler, roles) -> passing(handler, roles, Integer.MAX_VALUE));
  }

  /** As if a unit took tokens for unsealed until it has asked the sequencer. */
  @Test
  void aRestartedUnitThatChecksTheFirstSealsTooLateIsFound() {
    assertFound(() -> (server, handler, roles) -> passing(handler, roles, 3));
  }

  /** As if a unit did not ask for the key of a new sequencer. */
  @Test
  void aUnitThatForbidsTheFirstWriteOfAnEpochIsFound() {
    assertFound(
        () ->
            (server, handler, roles) -> {
              boolean[] isNew = {false};
              return door(
                  handler,
                  (request, origin, reply) -> {
                    if (request instanceof LogUnitRequest.Install) {
                      isNew[0] = true;
                    }
                    if (isNew[0] && isByATenant(request, origin)) {
                      isNew[0] = false;
                      reply.accept(
                          new Failure.Forbidden(Permission.OPERATE, Optional.empty(), "no key"));
                    } else {
                      handler.handle(request, origin, reply);
                    }
                  });
            });
  }

  private static boolean isByATenant(Request request, RequestOrigin origin) {
    return request instanceof LogUnitRequest.Write
        && origin.identity().name().contains(SealWalk.ALICE);
  }

  // --------------------------------------------------------------------------------- planted bugs

  @FunctionalInterface
  private interface Way {
    void handle(Request request, RequestOrigin origin, Consumer<Reply> reply);
  }

  /** Passes the first writes to the roles that the gate refuses because of their tokens. */
  private static RequestHandler passing(RequestHandler handler, RequestHandler roles, int most) {
    int[] passed = {0};
    return door(
        handler,
        (request, origin, reply) ->
            handler.handle(
                request,
                origin,
                answer -> {
                  if (request instanceof LogUnitRequest.Write
                      && answer instanceof Failure.Forbidden forbidden
                      && forbidden.permission() == Permission.OPERATE
                      && passed[0]++ < most) {
                    roles.handle(request, origin, reply);
                  } else {
                    reply.accept(answer);
                  }
                }));
  }

  private static RequestHandler door(RequestHandler handler, Way way) {
    return new RequestHandler() {
      @Override
      public void handle(Request request, Consumer<Reply> reply) {
        handler.handle(request, reply);
      }

      @Override
      public void handle(Request request, RequestOrigin origin, Consumer<Reply> reply) {
        way.handle(request, origin, reply);
      }

      @Override
      public void turnEnded() {
        handler.turnEnded();
      }
    };
  }

  private static SealWatch watch(SimServer.FrontDoor bug) {
    return new SealWatch(List.of(SealWalk.ALICE, SealWalk.BOB), bug);
  }

  private static void assertFound(Supplier<SimServer.FrontDoor> bug) {
    for (int seed = 1; seed <= MOST_SEEDS; seed++) {
      SealWatch watch = watch(bug.get());
      new SealWalk(seed, watch).run(STEPS);
      if (!watch.findings().isEmpty()) {
        return;
      }
    }
    assertThat(MOST_SEEDS).as("seeds in which the planted bug was not found").isZero();
  }
}
