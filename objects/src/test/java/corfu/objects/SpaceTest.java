package corfu.objects;

import static corfu.world.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.objects.collection.ReplicatedMap;
import corfu.objects.type.ObjectType;
import corfu.roles.logunit.options.UnitMode;
import corfu.runtime.Corfu;
import corfu.runtime.cluster.RoleCluster;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Space is freed: a state of constant size may be changed for ever. */
@Timeout(300)
class SpaceTest {

  private static final ObjectType<ReplicatedMap<Integer, Long>> MAP =
      ReplicatedMap.of(Integer.class, Long.class);

  private static final int WRITERS = 16;
  private static final int UPDATES = 156; // of each writer in a round
  private static final int ROUNDS = 12;
  private static final long CAPACITY = 4 << 20;

  /** The least size of an update on each unit, in bytes. */
  private static final int LEAST_BYTES = 150;

  @ParameterizedTest
  @CsvSource({"2, 2, 0", "2, 1, 1"})
  void aStateOfConstantSizeTakesConstantSpaceHoweverOftenItChanges(
      int nodes, int replicas, int streamReplicas, @TempDir Path directory) throws Exception {
    CheckpointPolicy policy =
        CheckpointPolicy.MANUAL.withEveryUpdates(2_000).withHistory(History.ofAddresses(500));
    try (RoleCluster cluster =
            RoleCluster.builder()
                .nodes(nodes)
                .replicas(replicas)
                .streamReplicas(streamReplicas)
                .directory(directory, UnitMode.BUFFERED, CAPACITY)
                .start();
        Corfu corfu = cluster.connect();
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      ReplicatedObjects objects =
          ReplicatedObjects.over(corfu, ObjectOptions.DEFAULT.withCheckpoints(policy));
      ReplicatedMap<Integer, Long> map = objects.open("counts", MAP);

      for (int round = 0; round < ROUNDS; round++) {
        write(map, threads);
        long bytesMax = nodes * CAPACITY / 3;
        eventually(() -> assertThat(bytesOnDisk(directory.toFile())).isLessThan(bytesMax));
      }

      long updates = (long) ROUNDS * WRITERS * UPDATES;
      assertThat(updates * LEAST_BYTES).isGreaterThan(CAPACITY);
      assertThat(map.values().stream().mapToLong(Long::longValue).sum()).isEqualTo(updates);
      ReplicatedMap<Integer, Long> anew = ReplicatedObjects.over(corfu).open("counts", MAP);
      assertThat(anew).isEqualTo(map);
    }
  }

  private static void write(ReplicatedMap<Integer, Long> map, ExecutorService threads)
      throws Exception {
    List<Future<?>> writing = new ArrayList<>();
    for (int i = 0; i < WRITERS; i++) {
      int key = i;
      writing.add(
          threads.submit(
              () -> {
                for (int n = 0; n < UPDATES; n++) {
                  map.put(key, map.getOrDefault(key, 0L) + 1);
                }
              }));
    }
    for (Future<?> one : writing) {
      one.get();
    }
  }

  /** Returns the size of the log files of all log units. A file deleted meanwhile has no size. */
  private static long bytesOnDisk(File file) {
    File[] inside = file.listFiles();
    if (inside != null) {
      return Stream.of(inside).mapToLong(SpaceTest::bytesOnDisk).sum();
    }
    return file.getName().startsWith("segment-") ? file.length() : 0;
  }
}
