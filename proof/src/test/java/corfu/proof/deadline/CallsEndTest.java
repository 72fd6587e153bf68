package corfu.proof.deadline;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.Endpoint;
import corfu.protocol.StreamId;
import corfu.runtime.Corfu;
import corfu.sim.cluster.SilencedCluster;
import corfu.sim.cluster.SilencedTransport;
import corfu.world.World;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BiConsumer;
import java.util.stream.BaseStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every public call of every API ends within the client's operation timeout, even if servers become
 * silent or slow after any of its requests. Reflection finds the methods, so a new method needs no
 * case of its own. In simulated time.
 */
class CallsEndTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(3);

  /** The documented bound: at most a tenth more. */
  private static final long BOUND_MILLIS = TIMEOUT.toMillis() * 11 / 10;

  /** Shorter than the timeout of a request, so that no single request is given up. */
  private static final Duration SLOWLY = Duration.ofMillis(700);

  private static final int MOST_STEPS = 4;

  /**
   * Calls that transfer much data, or wait on purpose, as they document. Each gets the time once
   * per piece.
   */
  private static final Map<String, Integer> PIECES =
      Map.of(
          "streams.list 0", StreamId.PARTS, "streams.list 1", StreamId.PARTS, "store.compact 0", 2);

  /** The exceptions that a call may throw if its servers are silent. */
  private static final Set<String> OUTCOMES =
      Set.of(
          "UnavailableException",
          "AppendOutcomeUnknownException",
          "ResultUnknownException",
          "TransactionAbortedException",
          "TransactionUndecidedException",
          "CommandOutcomeUnknownException",
          "RemoteViewException");

  /** The cluster's fault. */
  private record Trouble(String name, BiConsumer<SilencedTransport, Integer> begin) {}

  private static List<Trouble> troubles(SilencedCluster cluster) {
    Endpoint tail = cluster.units().getLast();
    return List.of(
        new Trouble("all silent", (way, more) -> way.silence(more, server -> true)),
        new Trouble(
            "sequencer silent", (way, more) -> way.silence(more, cluster.sequencer()::equals)),
        new Trouble("tail silent", (way, more) -> way.silence(more, tail::equals)),
        new Trouble("all slow", (way, more) -> way.slow(more, SLOWLY)));
  }

  /** The result of a call. */
  private record Seen(long millis, int requests, Optional<Throwable> thrown) {}

  static List<Api> apis() {
    return Api.all();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("apis")
  void endWithinTheOperationTimeout(Api api) {
    SilencedCluster cluster = new SilencedCluster();
    List<Trouble> troubles = troubles(cluster);
    List<String> wrong = new ArrayList<>();
    for (Method method : api.methods()) {
      String name = api.name() + "." + signature(method);
      Seen healthy = call(cluster, api, method, name, way -> {});
      check(name, "all well", healthy, Set.of(kind(healthy)), wrong);
      for (Trouble trouble : troubles) {
        for (int step : steps(healthy.requests)) {
          Seen seen = call(cluster, api, method, name, way -> trouble.begin.accept(way, step));
          Set<String> expected = new TreeSet<>(OUTCOMES);
          expected.add(kind(healthy));
          check(name, "%s after %d".formatted(trouble.name, step), seen, expected, wrong);
        }
      }
    }
    assertThat(wrong).isEmpty();
  }

  private static String signature(Method method) {
    return method.getName() + " " + method.getParameterCount();
  }

  private static String kind(Seen seen) {
    return seen.thrown.map(thrown -> thrown.getClass().getSimpleName()).orElse("");
  }

  private static void check(
      String name, String when, Seen seen, Set<String> expected, List<String> wrong) {
    String what = name + ", " + when;
    if (seen.millis > BOUND_MILLIS * PIECES.getOrDefault(name, 1)) {
      wrong.add("%s took %d ms".formatted(what, seen.millis));
    }
    if (seen.thrown.isPresent() && !expected.contains(kind(seen))) {
      wrong.add("%s ended with %s".formatted(what, seen.thrown.get()));
    }
  }

  /**
   * Returns the numbers of requests after which the fault begins: the first few, and some later
   * ones.
   */
  private static Set<Integer> steps(int requests) {
    Set<Integer> steps = new TreeSet<>();
    for (int i = 0; i < MOST_STEPS; i++) {
      steps.add(
          requests <= MOST_STEPS ? Math.min(i, requests) : i * (requests - 1) / (MOST_STEPS - 1));
    }
    return steps;
  }

  private interface Beginning {
    void of(SilencedTransport way);
  }

  private static Seen call(
      SilencedCluster cluster, Api api, Method method, String name, Beginning trouble) {
    return cluster.client(TIMEOUT, (corfu, way) -> call(corfu, way, api, method, name, trouble));
  }

  private static Seen call(
      Corfu corfu, SilencedTransport way, Api api, Method method, String name, Beginning trouble) {
    Stand stand = new Stand(corfu, name);
    Object on = api.make().apply(stand);
    Object[] arguments = Arguments.of(method, stand);
    api.before(method).accept(stand);
    World world = corfu.streamAccess().world();
    int before = way.requests();
    trouble.of(way);
    Steps steps = new Steps(world);
    Optional<Throwable> thrown = steps.make(() -> method.invoke(on, arguments));
    return new Seen(steps.longestMillis, way.requests() - before, thrown);
  }

  /** A call and the calls on its result; each of them may take the whole time. */
  private static final class Steps {
    private final World world;
    private long longestMillis;

    Steps(World world) {
      this.world = world;
    }

    interface ProtocolStep {
      Object run() throws Throwable;
    }

    Optional<Throwable> make(ProtocolStep call) {
      try {
        Object result = timed(call);
        if (result instanceof CompletableFuture<?>) {
          return Optional.empty();
        }
        Iterator<?> rest =
            switch (result) {
              case BaseStream<?, ?> stream -> (Iterator<?>) timed(stream::iterator);
              case Iterator<?> iterator -> iterator;
              case null, default -> List.of().iterator();
            };
        while ((Boolean) timed(rest::hasNext)) {
          timed(rest::next);
        }
        return Optional.empty();
      } catch (Throwable failure) {
        return Optional.of(failure);
      }
    }

    private Object timed(ProtocolStep step) throws Throwable {
      long since = world.nanoTime();
      try {
        Object result = step.run();
        return result instanceof CompletableFuture<?> future ? done(future) : result;
      } catch (InvocationTargetException | CompletionException failure) {
        throw failure.getCause();
      } finally {
        longestMillis = Math.max(longestMillis, world.millisSince(since));
      }
    }

    private static Object done(CompletableFuture<?> future) {
      Object unused = future.join();
      return future;
    }
  }
}
