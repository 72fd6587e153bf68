package corfu.roles.sequencer;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.Backpointers;
import corfu.protocol.Epoch;
import corfu.protocol.Limits;
import corfu.protocol.StreamId;
import corfu.protocol.message.Reply;
import corfu.protocol.message.SequencerReply.StreamTokens;
import corfu.protocol.message.SequencerRequest.NextInStreams;
import corfu.protocol.message.SequencerRequest.Start;
import corfu.protocol.stream.Condition;
import corfu.protocol.stream.StreamPart;
import corfu.protocol.stream.StreamPosition;
import corfu.protocol.stream.StreamTail;
import corfu.protocol.stream.TokenOutcome;
import corfu.protocol.stream.TokenOutcome.Conflict;
import corfu.protocol.stream.TokenOutcome.Issued;
import corfu.protocol.stream.TokenWish;
import corfu.roles.Lease;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A client may write under a condition only if no other client has changed what it read
 * (dissertation, section 5.2).
 */
class ConditionalTokensTest {

  private static final int MOST_KEYS = 4;
  private static final Epoch EPOCH = new Epoch(3);
  private static final StreamId A = StreamId.named("a");
  private static final StreamId B = StreamId.named("b");
  private static final StreamId C = StreamId.named("c");

  private final Sequencer sequencer =
      new Sequencer(Limits.DEFAULT, new SequencerOptions(100, MOST_KEYS), 7, Lease.always());

  @AfterEach
  void close() {
    sequencer.close();
  }

  @Test
  void aTokenIsIssuedIfWhatWasReadHasNotChangedSinceTheSnapshot() {
    start(0);
    write(all(A)); // 0
    write(all(B)); // 1

    assertThat(writeIf(1, List.of(all(A)), all(A))).isEqualTo(issued(2, place(1, 0)));
    assertThat(writeIf(3, List.of(all(A), all(B)), all(C))).isEqualTo(issued(3, place(0)));
  }

  @Test
  void aConflictNamesTheStreamAndTheNewestChangeAndUsesNoAddress() {
    start(0);
    write(all(A)); // 0
    write(all(A)); // 1

    assertThat(writeIf(1, List.of(all(A)), all(B))).isEqualTo(conflict(A, 1));
    assertThat(writeIf(0, List.of(all(A)), all(B))).isEqualTo(conflict(A, 1));
    assertThat(write(all(B))).isEqualTo(issued(2, place(0)));
  }

  @Test
  void ofSeveralConflictsTheFirstOneInTheOrderOfTheReadsIsNamed() {
    start(0);
    write(all(A)); // 0
    write(all(B)); // 1

    assertThat(writeIf(0, List.of(all(C), all(B), all(A)))).isEqualTo(conflict(B, 1));
    assertThat(writeIf(1, List.of(all(A), all(B)))).isEqualTo(conflict(B, 1));
  }

  @Test
  void ofTwoInOneRequestThatReadAndWriteTheSameOnlyTheFirstGetsAToken() {
    start(0);
    TokenWish both = wishIf(0, List.of(all(A)), all(A));

    assertThat(ask(List.of(both, both, TokenWish.PLAIN)))
        .containsExactly(issued(0, place(0)), conflict(A, 0), issued(1));
  }

  @Test
  void otherKeysOfAStreamMayHaveChanged() {
    start(0);
    write(keys(A, 1)); // 0
    write(keys(A, 2)); // 1

    assertThat(writeIf(1, List.of(keys(A, 1)), keys(A, 1))).isEqualTo(issued(2, place(2, 1, 0)));
    assertThat(writeIf(1, List.of(keys(A, 3, 2)))).isEqualTo(conflict(A, 2, 1));
    assertThat(writeIf(1, List.of(keys(A, 1)))).isEqualTo(conflict(A, 1, 2));
    assertThat(writeIf(0, List.of(keys(B, 1, 2)))).isEqualTo(issued(3));
  }

  @Test
  void aKeyChangesWithItsStreamAndAStreamWithEachOfItsKeys() {
    start(0);
    write(keys(A, 1)); // 0
    write(all(A)); // 1
    write(keys(A, 2)); // 2

    assertThat(writeIf(1, List.of(keys(A, 1)))).isEqualTo(conflict(A, 1));
    assertThat(writeIf(2, List.of(keys(A, 1)))).isEqualTo(issued(3));
    assertThat(writeIf(2, List.of(all(A)))).isEqualTo(conflict(A, 2));
  }

  @Test
  void whereKeysAreForgottenTheirStreamStandsForThem() {
    start(0);
    write(keys(A, 1)); // 0
    write(keys(B, 2, 3, 4)); // 1
    write(keys(A, 5)); // 2; now the change of key 1 is forgotten

    assertThat(writeIf(0, List.of(keys(A, 9)))).as("may be at 0").isEqualTo(conflict(A, 2));
    assertThat(writeIf(0, List.of(keys(A, 5)))).isEqualTo(conflict(A, 5, 2));
    assertThat(writeIf(1, List.of(keys(A, 9)))).as("all since is known").isEqualTo(issued(3));
    assertThat(writeIf(0, List.of(keys(C, 9)))).as("never written").isEqualTo(issued(4));
  }

  @Test
  void aKeyThatIsChangedAgainIsForgottenLater() {
    start(0);
    write(keys(A, 1)); // 0
    write(keys(A, 2)); // 1
    write(keys(A, 3, 1)); // 2
    write(keys(A, 4)); // 3
    write(keys(A, 5)); // 4; now the change of key 2 is forgotten

    assertThat(writeIf(2, List.of(keys(A, 1)))).isEqualTo(conflict(A, 1, 2));
    assertThat(writeIf(2, List.of(keys(A, 2)))).isEqualTo(issued(5));
    assertThat(writeIf(1, List.of(keys(A, 9)))).isEqualTo(conflict(A, 4));
  }

  @Test
  void aSnapshotBehindEverythingNeverConflicts() {
    start(0);
    for (int i = 0; i < 100; i++) {
      write(keys(A, i), all(B));
    }

    assertThat(writeIf(100, List.of(keys(A, 1, 2, 99), all(B), all(A), keys(B, 1))))
        .isEqualTo(issued(100));
  }

  @Test
  void ofWhatCameBeforeTheEpochOnlyTheNewestIsKnown() {
    start(50);
    ask(List.of(TokenWish.PLAIN), List.of(tail(A, 7, 40, 30), tail(C, 0))); // 50

    assertThat(writeIf(40, List.of(all(A)))).isEqualTo(conflict(A, 40));
    assertThat(writeIf(41, List.of(all(A)))).isEqualTo(issued(51));
    assertThat(writeIf(35, List.of(keys(A, 1)))).as("may be at 40").isEqualTo(conflict(A, 40));
    assertThat(writeIf(41, List.of(keys(A, 1)))).isEqualTo(issued(52));
    assertThat(writeIf(0, List.of(all(C), keys(C, 1)))).isEqualTo(issued(53));
  }

  /**
   * Decision 9: such a stream continues at the address below which the units have forgotten
   * entries.
   */
  @Test
  void whatLogUnitsHaveForgottenMayHaveChangedWhatWasRead() {
    start(50);
    ask(List.of(TokenWish.PLAIN), List.of(tail(A, 30, 10), tail(B, 30))); // 50

    assertThat(writeIf(11, List.of(all(A)))).as("up to 29").isEqualTo(conflict(A, 29));
    assertThat(writeIf(29, List.of(keys(A, 1)))).isEqualTo(conflict(A, 29));
    assertThat(writeIf(30, List.of(all(A)), all(A))).isEqualTo(issued(51, place(30, 10)));
    assertThat(writeIf(30, List.of(all(A)))).isEqualTo(conflict(A, 51));
  }

  /** Seed 131539: the stream's last entries, which had changed what was read, were trimmed. */
  @Test
  void aStreamOfWhichNothingIsLeftMayHaveChangedAnywhereBeforeTheEpoch() {
    start(50);
    ask(List.of(TokenWish.PLAIN), List.of(tail(B, 19))); // 50

    assertThat(writeIf(39, List.of(keys(B, 1)), keys(B, 1))).isEqualTo(conflict(B, 49));
    assertThat(writeIf(49, List.of(all(B)))).isEqualTo(conflict(B, 49));
    assertThat(writeIf(50, List.of(all(B), keys(B, 1)), all(B))).isEqualTo(issued(51, place(19)));
    assertThat(writeIf(50, List.of(all(B)))).isEqualTo(conflict(B, 51));
  }

  @Test
  void aSnapshotFromBeforeTheEpochDoesNotTellKeysApart() {
    start(50);
    ask(List.of(wish(keys(A, 1))), List.of(tail(A, 7, 40))); // 50

    assertThat(writeIf(49, List.of(keys(A, 2)))).isEqualTo(conflict(A, 50));
    assertThat(writeIf(50, List.of(keys(A, 2)))).isEqualTo(issued(51));
    assertThat(writeIf(50, List.of(keys(A, 1)))).isEqualTo(conflict(A, 1, 50));
  }

  private void start(long next) {
    sequencer.handle(
        new Start(EPOCH, next, 7), reply -> assertThat(reply).isEqualTo(Reply.Done.DONE));
  }

  private TokenOutcome write(StreamPart... writes) {
    return ask(List.of(wish(writes))).getFirst();
  }

  private TokenOutcome writeIf(long snapshot, List<StreamPart> reads, StreamPart... writes) {
    return ask(List.of(wishIf(snapshot, reads, writes))).getFirst();
  }

  private List<TokenOutcome> ask(List<TokenWish> wishes) {
    return ask(wishes, List.of());
  }

  private List<TokenOutcome> ask(List<TokenWish> wishes, List<StreamTail> known) {
    List<Reply> replies = new ArrayList<>();
    sequencer.handle(new NextInStreams(EPOCH, wishes, known), replies::add);
    assertThat(replies).singleElement().isInstanceOf(StreamTokens.class);
    return ((StreamTokens) replies.getFirst()).outcomes();
  }

  private static TokenWish wish(StreamPart... writes) {
    return new TokenWish(List.of(writes), Optional.empty());
  }

  private static TokenWish wishIf(long snapshot, List<StreamPart> reads, StreamPart... writes) {
    return new TokenWish(List.of(writes), Optional.of(new Condition(snapshot, reads)));
  }

  private static StreamPart all(StreamId stream) {
    return StreamPart.whole(stream);
  }

  private static StreamPart keys(StreamId stream, long... keys) {
    return new StreamPart(stream, Arrays.stream(keys).boxed().toList());
  }

  private static Issued issued(long address, StreamPosition... places) {
    return new Issued(address, List.of(places));
  }

  private static Conflict conflict(StreamId stream, long address) {
    return new Conflict(stream, OptionalLong.empty(), address);
  }

  private static Conflict conflict(StreamId stream, long key, long address) {
    return new Conflict(stream, OptionalLong.of(key), address);
  }

  private static StreamTail tail(StreamId stream, long streamAddress, long... previous) {
    return new StreamTail(stream, place(streamAddress, previous));
  }

  private static StreamPosition place(long streamAddress, long... previous) {
    return new StreamPosition(streamAddress, Backpointers.of(previous));
  }
}
