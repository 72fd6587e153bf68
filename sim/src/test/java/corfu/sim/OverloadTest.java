package corfu.sim;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.Address;
import corfu.protocol.Endpoint;
import corfu.protocol.Entry;
import corfu.runtime.Corfu;
import corfu.runtime.CorfuOptions;
import corfu.runtime.Log;
import corfu.runtime.LogEntry;
import corfu.sim.world.SimWorld;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Open loops that offer more than the log units' disks can write. The throughput stays. The number
 * of waiting appends is bounded, and so is the time that they wait. A slow unit delays only the
 * appends that need it.
 */
class OverloadTest {

  private static final int PAYLOAD_BYTES = 256;
  private static final long ENTRY_BYTES = PAYLOAD_BYTES + Entry.HEADER_BYTES;
  private static final long DISK_BYTES_A_SECOND = 1 << 20;

  /** Does not count the overhead of records and files. */
  private static final double CAPACITY = (double) DISK_BYTES_A_SECOND / ENTRY_BYTES;

  private static final long QUEUE_BYTES = 128 << 10;
  private static final Duration TIME = Duration.ofSeconds(4);

  /** A sync takes 4 to 40 ms, and one of a hundred up to 2 s. */
  private static final int SLOWNESS = 100;

  private static final long SECOND = 1_000_000_000L;

  private static final UnaryOperator<CorfuOptions> SMALL_BATCHES =
      options -> options.withMaxBytesInFlight(QUEUE_BYTES).withBatches(16, 4 << 10, 4);

  /** Four of these batches are more than a unit may gather. */
  private static final UnaryOperator<CorfuOptions> LARGE_BATCHES =
      options -> options.withMaxBytesInFlight(QUEUE_BYTES).withBatches(256, 64 << 10, 4);

  private final Scenario scenario = Scenario.ofUnitsThatGather(2, 2 * QUEUE_BYTES);

  private OpenLoop offer(int clients, double perSecond, UnaryOperator<CorfuOptions> how) {
    scenario.cluster.servers().forEach(each -> each.unitDisk().bandwidth(DISK_BYTES_A_SECOND));
    OpenLoop loop = new OpenLoop(scenario.simulator, PAYLOAD_BYTES);
    List<CompletableFuture<Boolean>> running = new ArrayList<>();
    for (int i = 0; i < clients; i++) {
      running.add(begin(how, (corfu, world) -> loop.run(corfu, world, perSecond / clients, TIME)));
    }
    scenario.until("all appends have ended", () -> allDone(running));
    return loop;
  }

  private static boolean allDone(List<CompletableFuture<Boolean>> running) {
    return running.stream().allMatch(CompletableFuture::isDone);
  }

  @FunctionalInterface
  private interface Doing {
    void with(Corfu corfu, SimWorld world);
  }

  private CompletableFuture<Boolean> begin(UnaryOperator<CorfuOptions> how, Doing what) {
    return scenario.begin(
        world -> {
          var options = how.apply(CorfuOptions.of(scenario.arrangement.layoutServers()));
          what.with(Corfu.connect(options, world, scenario.transport(world)), world);
          return true;
        });
  }

  @ParameterizedTest
  @ValueSource(doubles = {1, 1.5, 3})
  void whatIsOfferedBeyondCapacityKeepsTheThroughputAndWaitsNoLongerThanTheQueuesAreLong(
      double load) {
    int clients = 4;

    OpenLoop loop = offer(clients, load * CAPACITY, SMALL_BATCHES);

    double sustained = loop.perSecond(SECOND, TIME.toNanos()) / CAPACITY;
    assertThat(sustained).isGreaterThan(0.75);
    assertThat(loop.failures()).isZero();
    assertThat(loop.mostUnderWay()).isLessThanOrEqualTo(clients * (QUEUE_BYTES / ENTRY_BYTES + 1));
    double queuedSeconds = clients * QUEUE_BYTES / (0.75 * DISK_BYTES_A_SECOND);
    assertThat(loop.longestNanos()).isLessThan((long) (1.5 * queuedSeconds * SECOND));
  }

  @Test
  void aCrowdThatUnitsMustTurnAwayKeepsTheThroughputAndLeavesFewHoles() {
    OpenLoop loop = offer(8, 3 * CAPACITY, LARGE_BATCHES);

    double sustained = loop.perSecond(SECOND, TIME.toNanos()) / CAPACITY;
    long holes = highest(loop) + 1 - loop.done().size();
    assertThat(sustained).isGreaterThan(0.75);
    assertThat(loop.failures()).isZero();
    assertThat(holes).isLessThan(loop.done().size() / 10);
  }

  private static long highest(OpenLoop loop) {
    return loop.done().stream().mapToLong(OpenLoop.Done::address).max().orElse(0);
  }

  @Test
  void whoFollowsTheLogUnderOverloadFillsNothingAndKeepsUp() {
    boolean[] over = {false};
    long[] read = {0};
    var reader =
        begin(
            UnaryOperator.identity(),
            (corfu, world) -> {
              while (!over[0]) {
                read[0] += follow(corfu.log(), read[0]);
                world.pause(Duration.ofMillis(1));
              }
            });

    OpenLoop loop = offer(4, 3 * CAPACITY, SMALL_BATCHES);
    over[0] = true;
    scenario.until("the reader has stopped", reader::isDone);

    assertThat(loop.perSecond(SECOND, TIME.toNanos())).isGreaterThan(0.75 * CAPACITY);
    assertThat(highest(loop) + 1).isEqualTo(loop.done().size());
    assertThat(read[0]).isGreaterThan(loop.done().size() * 9L / 10);
  }

  private static int follow(Log log, long from) {
    List<LogEntry> piece = log.read(new Address(from), log.tail());
    assertThat(piece).noneMatch(entry -> entry instanceof LogEntry.Hole);
    return piece.size();
  }

  @Test
  void aUnitThatIsSlowerThanOthersDoesNotStallAppendsThatDoNotNeedIt() {
    Scenario ring = Scenario.ofUnitsThatGather(4, 2 * QUEUE_BYTES);
    Endpoint slow = ring.chainOf(0).getFirst();
    ring.server(slow).unitDisk().slowDown(SLOWNESS);
    OpenLoop loop = new OpenLoop(ring.simulator, PAYLOAD_BYTES);
    var ended =
        ring.begin(
            world -> {
              var options = CorfuOptions.of(ring.arrangement.layoutServers());
              Corfu corfu = Corfu.connect(options, world, ring.transport(world));
              loop.run(corfu, world, 400, TIME);
              return true;
            });
    ring.until("all appends have ended", ended::isDone);

    assertThat(loop.failures()).isZero();
    assertThat(millis(ring, loop, slow, true, 50)).isGreaterThan(20);
    assertThat(millis(ring, loop, slow, false, 50)).isLessThan(6);
    assertThat(millis(ring, loop, slow, false, 99)).isLessThan(60);
  }

  /** Returns the latency of appends whose chain contains this unit, or does not. */
  private static double millis(
      Scenario ring, OpenLoop loop, Endpoint unit, boolean hasIt, int percentile) {
    List<Long> times =
        loop.done().stream()
            .filter(done -> ring.chainOf(done.address()).contains(unit) == hasIt)
            .map(OpenLoop.Done::tookNanos)
            .sorted()
            .toList();
    return times.get(times.size() * percentile / 100) / 1e6;
  }
}
