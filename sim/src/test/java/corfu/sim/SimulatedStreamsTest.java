package corfu.sim;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.node.Supervision;
import corfu.protocol.layout.Wanted;
import corfu.runtime.CorfuOptions;
import corfu.sim.conformance.StreamConformance;
import corfu.sim.world.SimTransport;
import corfu.sim.world.SimWorld;
import corfu.transport.Transport;
import corfu.world.World;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Streams in simulation, while log units die and restart, and connections break. */
@ParameterizedClass
@EnumSource
final class SimulatedStreamsTest extends StreamConformance {

  /**
   * Longer than any trouble: so no token is lost, and every entry has the expected stream address.
   */
  private static final Duration HOLE_TIMEOUT = Duration.ofSeconds(5);

  /** A call may have to wait for a writer, and for absent units, one after the other. */
  private static final Duration OPERATION_TIMEOUT = Duration.ofSeconds(30);

  enum Kind {
    BY_BACKPOINTERS(new Wanted(3, 2)),
    ON_REPLICAS_OF_THEIR_OWN(new Wanted(4, 1, 1)),
    ON_TWO_REPLICAS_OF_THEIR_OWN(new Wanted(4, 2, 2));

    private final Wanted wanted;

    Kind(Wanted wanted) {
      this.wanted = wanted;
    }
  }

  private final Kind kind;

  @RegisterExtension final InvocationInterceptor inside = new InSimulation();

  private Optional<Scenario> scenario = Optional.empty();
  private Optional<SimWorld> process = Optional.empty();
  private Optional<SimTransport> way = Optional.empty();

  SimulatedStreamsTest(Kind kind) {
    this.kind = kind;
  }

  /** Runs a test as a process of its simulation. */
  private final class InSimulation implements InvocationInterceptor {
    @Override
    public void interceptTestMethod(
        Invocation<Void> test, ReflectiveInvocationContext<Method> how, ExtensionContext context)
        throws Throwable {
      Scenario here = new Scenario(kind.wanted, 0, 1, Supervision.DEFAULT.withAgent(false));
      scenario = Optional.of(here);
      Trouble trouble = new Trouble(here);
      trouble.begin();
      here.pass(Duration.ofMillis(300)); // the test begins in the middle of the trouble
      assertThat(trouble.happened()).isGreaterThan(3);
      try {
        here.runAs(
            Trouble.TROUBLED,
            world -> {
              process = Optional.of(world);
              way = Optional.of(here.transport(world));
              return proceed(test);
            });
      } catch (CompletionException failed) {
        throw failed.getCause();
      } finally {
        trouble.end();
      }
    }

    private static Void proceed(Invocation<Void> test) {
      try {
        return test.proceed();
      } catch (RuntimeException | Error failure) {
        throw failure;
      } catch (Throwable failure) {
        throw new IllegalStateException(failure);
      }
    }
  }

  @Override
  protected Ground start() {
    return new Ground() {
      @Override
      public CorfuOptions options() {
        return CorfuOptions.of(scenario.orElseThrow().arrangement.layoutServers())
            .withHoleTimeout(HOLE_TIMEOUT)
            .withOperationTimeout(OPERATION_TIMEOUT);
      }

      @Override
      public World world() {
        return process.orElseThrow();
      }

      @Override
      public Transport transport() {
        return way.orElseThrow();
      }

      @Override
      public void close() {}
    };
  }
}
