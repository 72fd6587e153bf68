package corfu.bytes.internal.writer;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.bytes.Owner;
import corfu.bytes.VersionForgottenException;
import corfu.bytes.WriteOutcome;
import corfu.bytes.internal.record.BytesRecord;
import corfu.bytes.internal.record.EntryDecoder;
import corfu.bytes.internal.record.RecordCodec;
import corfu.bytes.internal.state.BytesState;
import corfu.node.EmbeddedCluster;
import corfu.protocol.Address;
import corfu.protocol.StreamAddress;
import corfu.protocol.StreamId;
import corfu.runtime.AppendOutcomeUnknownException;
import corfu.runtime.Corfu;
import corfu.runtime.CorfuException;
import corfu.runtime.StreamAppend;
import corfu.runtime.UnavailableException;
import corfu.runtime.stream.StreamEnds;
import corfu.runtime.stream.Streams;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** A writer whose successor has trimmed the stream, so that nobody can read which came first. */
class WriterPlayerTest {

  private static final ByteBuffer NONE = ByteBuffer.allocate(0);
  private static final StreamId ID = StreamId.named("array");
  private static final EmbeddedCluster CLUSTER =
      EmbeddedCluster.builder().nodes(1).replicas(1).start();
  private static final Corfu CORFU = CLUSTER.connect();

  private static final BytesState FIRST = takenOver(BytesState.empty(ID), 10);
  private static final BytesState SECOND = takenOver(FIRST, 100);

  private final CompletableFuture<StreamAppend.Appended> sent = new CompletableFuture<>();
  private final List<Owner> successors = new ArrayList<>();
  private final WriterPlayer player =
      new WriterPlayer(
          new TrimmedStream(),
          new EntryDecoder(CORFU.log()),
          Streams.over(CORFU).open(ID).heads(StreamAddress.ZERO, EntryDecoder.HEAD_BYTES),
          FIRST,
          false,
          successors::add);

  @AfterAll
  static void stop() {
    CORFU.close();
    CLUSTER.close();
  }

  private static BytesState takenOver(BytesState before, long address) {
    var content = new RecordCodec.Decoded(NONE, new BytesRecord.TakeOver(NONE));
    return before.after(new BytesState.Entry(address, before.place(), content));
  }

  /** Appends a batch, learns of the take-over, and ends the append with this failure. */
  private CompletableFuture<WriteOutcome> fencedBeside(CorfuException failure) {
    var batch = new BytesRecord.Batch(1, 0, List.of(new BytesRecord.Punch(0, 1)));
    CompletableFuture<WriteOutcome> outcome =
        player.append(NONE.duplicate(), new RecordCodec.Decoded(NONE, batch));
    player.expectFence();
    assertThat(successors).containsExactly(SECOND.writer().lastHolder());
    assertThat(outcome).isNotDone();
    sent.completeExceptionally(failure);
    return outcome;
  }

  @Test
  void nobodyKnowsWhetherADoubtfulEntryInFrontOfATakeOverCounts() {
    var doubt = new AppendOutcomeUnknownException(new Address(50), "a test");

    assertThat(fencedBeside(doubt).exceptionNow())
        .isInstanceOfSatisfying(
            AppendOutcomeUnknownException.class,
            unknown -> assertThat(unknown.address()).isEqualTo(new Address(50)));
  }

  @Test
  void aDoubtfulEntryBehindATakeOverHasNoEffect() {
    var doubt = new AppendOutcomeUnknownException(new Address(150), "a test");

    assertThat(fencedBeside(doubt).join()).isInstanceOf(WriteOutcome.Fenced.class);
  }

  @Test
  void anEntryThatWasNotAppendedHasNoEffect() {
    assertThat(fencedBeside(new UnavailableException("a test")).join())
        .isInstanceOf(WriteOutcome.Fenced.class);
  }

  /** The stream of an array whose successor has written a checkpoint, and trimmed all before. */
  private final class TrimmedStream implements WriterCluster {

    @Override
    public CompletableFuture<StreamAppend.Appended> append(ByteBuffer payload) {
      return sent;
    }

    @Override
    public StreamEnds ends() {
      throw new VersionForgottenException(ID, new Address(11), "a test");
    }

    @Override
    public boolean isCheckpointedFrom(long place) {
      return true;
    }

    @Override
    public BytesState newest() {
      return SECOND;
    }

    @Override
    public BytesState again(BytesState lost) {
      return lost;
    }

    @Override
    public <T> T withMaps(Supplier<T> call) {
      return call.get();
    }

    @Override
    public void start(Supplier<Boolean> task) {
      var unused = task.get();
    }
  }
}
