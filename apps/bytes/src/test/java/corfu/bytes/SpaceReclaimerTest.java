package corfu.bytes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.node.EmbeddedCluster;
import corfu.protocol.Address;
import corfu.protocol.StreamId;
import corfu.runtime.Corfu;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** The space of arrays that are overwritten again and again. */
class SpaceReclaimerTest {

  private static final int BLOCK = 4 << 10;
  private static final int BLOCKS = 2_048;
  private static final int BATCH = 32;
  private static final int SIZE = BLOCK * BLOCKS;

  private static final ByteBuffer NONE = ByteBuffer.allocate(0);
  private static final ReclaimOptions OPTIONS =
      ReclaimOptions.DEFAULT.withSlackBytes(512 << 10).withMoveBytes(512 << 10);
  private static final EmbeddedCluster CLUSTER =
      EmbeddedCluster.builder().nodes(3).replicas(1).start();
  private static final Corfu CORFU = CLUSTER.connect();

  private final BytesStore store = BytesStore.over(CORFU);
  private final Random random = new Random(7);
  private final byte[] model = new byte[SIZE];
  private StreamId id = StreamId.named("unnamed");

  @AfterAll
  static void stop() {
    CORFU.close();
    CLUSTER.close();
  }

  @BeforeEach
  void name(TestInfo test) {
    id = StreamId.named("space: " + test.getDisplayName());
  }

  private ArrayWriter takeOver() {
    return ArrayWriter.takeOver(store.open(id), NONE);
  }

  /** Overwrites blocks, each batch in an order of its own. */
  private void overwrite(ArrayWriter writer, int batches) {
    List<CompletableFuture<WriteOutcome>> appends = new ArrayList<>();
    for (int i = 0; i < batches; i++) {
      List<RangeChange> changes = new ArrayList<>();
      for (int k = 0; k < BATCH; k++) {
        int offset = random.nextInt(BLOCKS) * BLOCK;
        byte[] block = new byte[BLOCK];
        random.nextBytes(block);
        System.arraycopy(block, 0, model, offset, BLOCK);
        changes.add(new RangeChange.Write(offset, ByteBuffer.wrap(block)));
      }
      appends.add(writer.append(changes, NONE));
      appends.getLast().join(); // blocks of two batches in flight have no order
    }
  }

  private static byte[] content(BytesView view) {
    byte[] bytes = new byte[SIZE];
    ByteBuffer read = view.read(0, SIZE);
    read.get(bytes, 0, read.remaining());
    return bytes;
  }

  private VersionedBytes fresh() {
    return BytesStore.over(CORFU).open(id);
  }

  private static void reclaimAll(SpaceReclaimer reclaimer) {
    while (reclaimer.step()) {}
  }

  @Test
  void anArrayOfConstantSizeKeepsAConstantLog() {
    ArrayWriter writer = takeOver();
    VersionedBytes follower = fresh();
    try (SpaceReclaimer reclaimer = SpaceReclaimer.of(writer, OPTIONS, List.of())) {
      for (int i = 0; i < 20 * BLOCKS / BATCH; i++) {
        overwrite(writer, 1);
        if (i % 4 == 0) {
          reclaimer.step();
          SpaceReclaimer.Space space = reclaimer.space().orElseThrow();
          assertThat(space.storedBytes()).isLessThanOrEqualTo(3L * SIZE);
        }
        if (i % 300 == 0) {
          assertThat(Arrays.equals(content(follower.newest()), model)).isTrue();
        }
      }
      reclaimAll(reclaimer);
      SpaceReclaimer.Space space = reclaimer.space().orElseThrow();
      assertThat(space.neededBytes()).isLessThanOrEqualTo(SIZE);
      assertThat(space.storedBytes())
          .isLessThanOrEqualTo(2 * space.neededBytes() + 2 * OPTIONS.slackBytes());
      assertThat(stored(fresh())).isEqualTo(space.entries()).isLessThan(BLOCKS / 4);
    }
    assertThat(Arrays.equals(content(writer.view()), model)).isTrue();
    assertThat(Arrays.equals(content(fresh().newest()), model)).isTrue();
    assertThat(Arrays.equals(content(follower.newest()), model)).isTrue();
  }

  private static long stored(VersionedBytes array) {
    long[] entries = {0};
    ArrayHistory.of(array).forEachEntry(entry -> entries[0]++);
    return entries[0];
  }

  @Test
  void aPinnedVersionStaysAndIsFreedAfterwards() {
    ArrayWriter writer = takeOver();
    try (SpaceReclaimer reclaimer = SpaceReclaimer.of(writer, OPTIONS, List.of())) {
      overwrite(writer, 200);
      reclaimAll(reclaimer);
      Address pinned = reclaimer.pinNewest().version();
      byte[] then = model.clone();
      for (int i = 0; i < 10; i++) {
        overwrite(writer, 60);
        reclaimAll(reclaimer);
      }

      assertThat(Arrays.equals(content(fresh().at(pinned)), then)).isTrue();
      assertThat(Arrays.equals(content(fresh().newest()), model)).isTrue();
      long before = reclaimer.space().orElseThrow().storedBytes();

      reclaimer.pin(List.of());
      reclaimAll(reclaimer);

      assertThat(reclaimer.space().orElseThrow().storedBytes()).isLessThan(before - SIZE / 2);
      assertThatThrownBy(() -> content(fresh().at(pinned)))
          .isInstanceOf(VersionForgottenException.class);
      assertThat(Arrays.equals(content(fresh().newest()), model)).isTrue();
    }
  }

  @Test
  void manySnapshotsArePinnedAndOneIsDeletedInTheirMidst() {
    ArrayWriter writer = takeOver();
    List<Address> pins = new ArrayList<>();
    List<byte[]> contents = new ArrayList<>();
    try (SpaceReclaimer reclaimer = SpaceReclaimer.of(writer, OPTIONS, List.of())) {
      for (int i = 0; i < 4; i++) {
        overwrite(writer, 40);
        pins.add(reclaimer.pinNewest().version());
        contents.add(model.clone());
        reclaimAll(reclaimer);
      }
      overwrite(writer, 200);
      pins.remove(1);
      contents.remove(1);
      reclaimer.pin(pins);

      ArrayHistory.Freed freed = ArrayHistory.of(writer.array()).reclaim(pins, List.of());
      overwrite(writer, 40);
      reclaimAll(reclaimer);

      assertThat(freed.bytes()).isPositive();
      for (int i = 0; i < pins.size(); i++) {
        assertThat(Arrays.equals(content(fresh().at(pins.get(i))), contents.get(i))).isTrue();
      }
      assertThat(Arrays.equals(content(fresh().newest()), model)).isTrue();
    }
  }

  @Test
  void aCloneKeepsWhatItNeeds() {
    ArrayWriter writer = takeOver();
    overwrite(writer, 100);
    byte[] then = model.clone();
    BytesOrigin origin = writer.view().asOrigin();
    StreamId cloneId = StreamId.named("clone of " + id);
    VersionedBytes clone = store.open(cloneId, Optional.of(origin));
    ArrayWriter other = ArrayWriter.takeOver(clone, NONE);
    other.append(List.of(new RangeChange.Punch(0, BLOCK)), NONE).join();
    Arrays.fill(then, 0, BLOCK, (byte) 0);
    other.release();
    overwrite(writer, 200);

    ArrayHistory.of(writer.array()).reclaim(List.of(), List.of(other.view()));

    VersionedBytes opened = BytesStore.over(CORFU).open(cloneId, Optional.of(origin));
    assertThat(Arrays.equals(content(opened.newest()), then)).isTrue();
    assertThat(Arrays.equals(content(fresh().newest()), model)).isTrue();
  }

  @Test
  void aSecondWriterGoesOnWithTheSpaceOfTheFirstOne() {
    ArrayWriter first = takeOver();
    overwrite(first, 300); // nobody reclaims
    ArrayWriter second = ArrayWriter.takeOver(fresh(), NONE);
    try (SpaceReclaimer reclaimer = SpaceReclaimer.of(second, OPTIONS, List.of())) {
      reclaimAll(reclaimer);

      SpaceReclaimer.Space space = reclaimer.space().orElseThrow();
      assertThat(space.storedBytes())
          .isLessThanOrEqualTo(2 * space.neededBytes() + 2 * OPTIONS.slackBytes());
      assertThat(Arrays.equals(content(second.view()), model)).isTrue();
    }
    assertThat(first.append(List.of(new RangeChange.Punch(0, SIZE)), NONE).join())
        .isInstanceOf(WriteOutcome.Fenced.class);
    assertThat(Arrays.equals(content(fresh().newest()), model)).isTrue();
  }

  @Test
  void punchedAndCutRangesAreFreed() {
    ArrayWriter writer = takeOver();
    overwrite(writer, 200);
    try (SpaceReclaimer reclaimer = SpaceReclaimer.of(writer, OPTIONS, List.of())) {
      reclaimAll(reclaimer);
      writer
          .append(
              List.of(new RangeChange.Punch(BLOCK, SIZE / 2), new RangeChange.Resize(SIZE - BLOCK)),
              NONE)
          .join();
      writer.append(List.of(new RangeChange.Punch(0, SIZE)), NONE).join();
      reclaimAll(reclaimer);

      assertThat(reclaimer.space().orElseThrow().neededBytes()).isZero();
      assertThat(reclaimer.space().orElseThrow().storedBytes())
          .isLessThanOrEqualTo(OPTIONS.slackBytes());
    }
    assertThat(fresh().newest().size()).isEqualTo(SIZE - BLOCK);
  }

  @Test
  void itWorksInTheBackgroundBesideAWriter() {
    ArrayWriter writer = takeOver();
    SpaceReclaimer reclaimer = SpaceReclaimer.of(writer, OPTIONS, List.of());
    reclaimer.start();
    overwrite(writer, 600);
    reclaimer.close();

    assertThat(Arrays.equals(content(writer.view()), model)).isTrue();
    assertThat(Arrays.equals(content(fresh().newest()), model)).isTrue();
  }
}
