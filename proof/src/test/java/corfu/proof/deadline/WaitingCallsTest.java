package corfu.proof.deadline;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.StreamAddress;
import corfu.protocol.StreamId;
import corfu.runtime.Deadline;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.StreamReader;
import corfu.sim.cluster.SilencedCluster;
import corfu.world.World;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Calls that wait for other threads. In simulated time. */
class WaitingCallsTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(3);
  private static final long BOUND_MILLIS = TIMEOUT.toMillis() * 11 / 10;
  private static final Duration APART = Duration.ofMillis(200);
  private static final int THREADS = 10;

  private final SilencedCluster cluster = new SilencedCluster();

  /** Returns the duration of each thread's call; the calls begin one after the other. */
  private static List<Long> lasted(World world, Runnable call) {
    List<CompletableFuture<Long>> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      CompletableFuture<Long> lasted = new CompletableFuture<>();
      threads.add(lasted);
      Thread unused =
          world.start(
              "caller " + i,
              () -> {
                long since = world.nanoTime();
                try {
                  call.run();
                } catch (RuntimeException failure) {
                  // other tests check the outcome
                } finally {
                  lasted.complete(world.millisSince(since));
                }
              });
      world.pause(APART);
    }
    return threads.stream().map(CompletableFuture::join).toList();
  }

  private List<Long> lastedInSilence(java.util.function.Function<Stand, Runnable> call) {
    return cluster.client(
        TIMEOUT,
        (corfu, way) -> {
          Runnable made = call.apply(new Stand(corfu, "waiting"));
          way.silence(0, server -> true);
          return lasted(corfu.streamAccess().world(), made);
        });
  }

  @Test
  void callsOnAnObjectEndByTheirOwnDeadlines() {
    assertThat(lastedInSilence(stand -> stand.map()::size)).allMatch(each -> each <= BOUND_MILLIS);
  }

  @Test
  void changesOfAnObjectEndByTheirOwnDeadlines() {
    assertThat(lastedInSilence(stand -> () -> stand.map().put("a", "c")))
        .allMatch(each -> each <= BOUND_MILLIS);
  }

  @Test
  void transactionsEndByTheirOwnDeadlines() {
    assertThat(
            lastedInSilence(
                stand -> {
                  String unused = stand.transfer();
                  return () -> stand.objects().transact(stand::transfer);
                }))
        .allMatch(each -> each <= BOUND_MILLIS);
  }

  @Test
  void queriesOfATangoObjectEndByTheirOwnDeadlines() {
    assertThat(
            lastedInSilence(
                stand -> {
                  var tango = stand.tango();
                  return () -> tango.queryHelper(StreamId.named(stand.name()));
                }))
        .allMatch(each -> each <= BOUND_MILLIS);
  }

  @Test
  void readsOfAStateMachineEndByTheirOwnDeadlines() {
    assertThat(lastedInSilence(stand -> stand.replica()::sync))
        .allMatch(each -> each <= BOUND_MILLIS);
  }

  @Test
  void commandsThatNobodyWaitsForAreAnsweredByTheirDeadlines() {
    assertThat(
            lastedInSilence(
                stand -> {
                  var replica = stand.replica();
                  return () ->
                      LongStream.range(0, 100)
                          .mapToObj(i -> replica.submitAsync(ByteBuffer.wrap(new byte[] {1})))
                          .toList()
                          .forEach(CompletableFuture::join);
                }))
        .allMatch(each -> each <= BOUND_MILLIS);
  }

  @Test
  void readsOfAStoreEndByTheirOwnDeadlines() {
    assertThat(
            lastedInSilence(
                stand -> {
                  var store = stand.store();
                  return () -> store.get("a");
                }))
        .allMatch(each -> each <= BOUND_MILLIS);
  }

  @Test
  void appendsThatNobodyWaitsForEndByTheirDeadlines() {
    assertThat(
            lastedInSilence(
                stand -> {
                  LogStream stream = stand.stream();
                  return () ->
                      LongStream.range(0, 100)
                          .mapToObj(i -> stream.appendAsync(ByteBuffer.wrap(new byte[] {1})))
                          .toList()
                          .forEach(CompletableFuture::join);
                }))
        .allMatch(each -> each <= BOUND_MILLIS);
  }

  @Test
  void aLongStreamIsReadForAsLongAsItComes() {
    int entries = 4 * Deadline.ENTRIES;
    long[] lasted = new long[1];
    int read =
        cluster.client(
            TIMEOUT,
            (corfu, way) -> {
              LogStream stream = new Stand(corfu, "long").streams().open("long");
              for (int i = 0; i < entries; i += 512) {
                LongStream.range(0, 512)
                    .mapToObj(each -> stream.appendAsync(ByteBuffer.wrap(new byte[100])))
                    .toList()
                    .forEach(CompletableFuture::join);
              }
              StreamReader reader = stream.reader();
              StreamAddress unused = reader.sync();
              way.slow(0, Duration.ofMillis(500));
              World world = corfu.streamAccess().world();
              long since = world.nanoTime();
              int count = reader.readRest().size();
              lasted[0] = world.millisSince(since);
              return count;
            });
    assertThat(read).isEqualTo(entries);
    assertThat(lasted[0]).isGreaterThan(TIMEOUT.toMillis());
  }
}
