package corfu.bytes;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.bytes.internal.checkpoint.Checkpoints;
import corfu.node.EmbeddedCluster;
import corfu.protocol.Address;
import corfu.protocol.StreamAddress;
import corfu.protocol.StreamId;
import corfu.runtime.Corfu;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.Streams;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/**
 * Writers of arrays with maps of many pages, of which memory has few, and some of which get lost.
 */
class WriterMapTest {

  private static final ByteBuffer NONE = ByteBuffer.allocate(0);
  private static final int BLOCK = 16;
  private static final int BLOCKS = 8_000;
  private static final BytesOptions NO_PAGES = BytesOptions.DEFAULT.withMaxPageBytes(0);
  private static final ReclaimOptions RECLAIM =
      ReclaimOptions.DEFAULT.withSlackBytes(16 << 10).withMoveBytes(64 << 10);
  private static final EmbeddedCluster CLUSTER =
      EmbeddedCluster.builder().nodes(3).replicas(2).inMemory().start();
  private static final Corfu CORFU = CLUSTER.connect();

  private final Random random = new Random(7);
  private final byte[] content = new byte[BLOCK * BLOCKS];
  private StreamId id = StreamId.named("unnamed");

  @AfterAll
  static void stop() {
    CORFU.close();
    CLUSTER.close();
  }

  @BeforeEach
  void name(TestInfo test) {
    id = StreamId.named("maps of writers: " + test.getDisplayName());
  }

  private ArrayWriter takeOver() {
    return ArrayWriter.takeOver(newStore().open(id), NONE);
  }

  private static BytesStore newStore() {
    return BytesStore.over(CORFU, NO_PAGES);
  }

  private LogStream checkpoints() {
    return Streams.over(CORFU).open(Checkpoints.streamOf(id));
  }

  private RangeChange change(int block) {
    byte[] bytes = new byte[BLOCK];
    boolean isHole = random.nextInt(8) == 0;
    if (!isHole) {
      random.nextBytes(bytes);
    }
    System.arraycopy(bytes, 0, content, block * BLOCK, BLOCK);
    long offset = (long) block * BLOCK;
    return isHole
        ? new RangeChange.Punch(offset, BLOCK)
        : new RangeChange.Write(offset, ByteBuffer.wrap(bytes));
  }

  /** Writes all blocks in random order, so that nearly every one is an extent. */
  private void fill(ArrayWriter writer) {
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < BLOCKS; i++) {
      order.add(i);
    }
    Collections.shuffle(order, random);
    List<CompletableFuture<WriteOutcome>> appends = new ArrayList<>();
    assertThat(writer.append(List.of(new RangeChange.Resize(content.length)), NONE).join())
        .isInstanceOf(WriteOutcome.Written.class);
    for (int from = 0; from < BLOCKS; from += 200) {
      List<RangeChange> changes =
          order.subList(from, from + 200).stream().map(this::change).toList();
      appends.add(writer.append(changes, NONE));
    }
    assertWritten(appends);
  }

  /** Changes blocks in batches that are in flight together; no two change the same block. */
  private void overwrite(ArrayWriter writer) {
    List<CompletableFuture<WriteOutcome>> appends = new ArrayList<>();
    int batches = 10;
    for (int i = 0; i < batches; i++) {
      List<RangeChange> changes = new ArrayList<>();
      for (int k = 0; k < 30; k++) {
        changes.add(change(random.nextInt(BLOCKS / batches) * batches + i));
      }
      appends.add(writer.append(changes, NONE));
    }
    assertWritten(appends);
  }

  private static void assertWritten(List<CompletableFuture<WriteOutcome>> appends) {
    for (CompletableFuture<WriteOutcome> append : appends) {
      assertThat(append.join()).isInstanceOf(WriteOutcome.Written.class);
    }
  }

  private void assertContent(BytesView view) {
    assertThat(view.read(0, content.length)).isEqualTo(ByteBuffer.wrap(content));
  }

  @Test
  void aWriterLoadsThePagesThatItsChangesNeed() {
    ArrayWriter first = takeOver();
    fill(first);
    first.release();

    ArrayWriter writer = takeOver();
    for (int i = 0; i < 5; i++) {
      overwrite(writer);
      assertContent(writer.view());
    }
    assertThat(writer.array().store().pageBytes()).isZero();
    assertContent(newStore().open(id).newest());
    writer.release();
    assertContent(newStore().open(id).newest());
  }

  /** Another client keeps a version, and trims the checkpoint from which the writer began. */
  @Test
  void aWriterWhosePagesAreTrimmedGoesOn() {
    ArrayWriter first = takeOver();
    fill(first);
    first.release();

    ArrayWriter writer = takeOver();
    overwrite(writer);
    byte[] then = content.clone();
    BytesView before = writer.view();
    keepAndTrim(before.version());
    overwrite(writer);
    assertContent(writer.view());
    overwrite(writer);

    assertContent(writer.view());
    assertThat(writer.fencedBy()).isEmpty();
    assertThat(before.read(0, then.length)).isEqualTo(ByteBuffer.wrap(then));
    assertThat(writer.array().writerState()).isPresent();
    assertContent(newStore().open(id).newest());
    writer.release();
    assertContent(newStore().open(id).newest());
  }

  private void keepAndTrim(Address version) {
    ArrayHistory history = ArrayHistory.of(newStore().open(id));
    checkpoints().trim(checkpoints().tail()); // so what is kept needs none of these
    history.trimCheckpoints(history.keep(version).orElseThrow());
  }

  /** All checkpoints are lost, but no entry: the writer plays its array from the beginning. */
  @Test
  void aWriterWithoutAnyCheckpointGoesOn() {
    ArrayWriter first = takeOver();
    fill(first);
    first.release();

    ArrayWriter writer = takeOver();
    checkpoints().trim(checkpoints().tail());
    overwrite(writer);
    assertContent(writer.view());
    writer.release();
    assertContent(newStore().open(id).newest());
  }

  /** A successor frees what the first writer would need to go on. */
  @Test
  void aPausedWriterWhosePagesAndEntriesAreFreedIsFenced() {
    ArrayWriter first = takeOver();
    fill(first);
    first.release();
    ArrayWriter paused = takeOver();
    overwrite(paused);

    ArrayWriter successor = takeOver();
    checkpoints().trim(checkpoints().tail());
    SpaceReclaimer reclaimer = SpaceReclaimer.of(successor, RECLAIM, List.of());
    for (int i = 0; i < 20; i++) {
      fill(successor);
      while (reclaimer.step()) {}
    }
    byte[] newest = content.clone();
    RangeChange late = change(5);
    assertThat(paused.append(List.of(late), NONE).join()).isInstanceOf(WriteOutcome.Fenced.class);
    assertThat(paused.fencedBy().orElseThrow().epoch()).isEqualTo(successor.epoch());
    System.arraycopy(newest, 0, content, 0, newest.length);
    assertContent(successor.view());
    assertContent(newStore().open(id).newest());
  }

  /** The reclaimer begins with a map of which memory has the root only. */
  @Test
  void theSpaceOfALargeMapIsReclaimed() {
    ArrayWriter first = takeOver();
    fill(first);
    first.release();

    ArrayWriter writer = takeOver();
    SpaceReclaimer reclaimer = SpaceReclaimer.of(writer, RECLAIM, List.of());
    long most = 0;
    for (int i = 0; i < 20; i++) {
      overwrite(writer);
      while (reclaimer.step()) {}
      most = Math.max(most, reclaimer.space().orElseThrow().storedBytes());
    }
    SpaceReclaimer.Space space = reclaimer.space().orElseThrow();
    assertThat(space.neededBytes())
        .isGreaterThan(content.length / 2)
        .isLessThanOrEqualTo(content.length);
    assertThat(most).isLessThan(4L * content.length);
    assertContent(writer.view());
    assertContent(newStore().open(id).newest());
  }

  /** The checkpoints that the reclaimer trims must not take pages from its own writer. */
  @Test
  void aReclaimerDoesNotTakePagesFromItsWriter() {
    ArrayWriter writer = takeOver();
    fill(writer);
    SpaceReclaimer reclaimer = SpaceReclaimer.of(writer, RECLAIM, List.of());
    boolean isTrimmed = false;
    for (int i = 0; i < 30 || (!isTrimmed && i < 500); i++) { // others may write checkpoints, too
      overwrite(writer);
      reclaimer.step();
      assertThat(writer.array().writerState()).isPresent();
      isTrimmed = checkpoints().trimmedBefore().compareTo(StreamAddress.ZERO) > 0;
    }
    assertThat(isTrimmed).isTrue();
    assertContent(writer.view());
  }
}
