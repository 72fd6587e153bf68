package corfu.roles.sequencer;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.Backpointers;
import corfu.protocol.Epoch;
import corfu.protocol.Limits;
import corfu.protocol.StreamId;
import corfu.protocol.message.Failure;
import corfu.protocol.message.Reply;
import corfu.protocol.message.SequencerReply.HandedOver;
import corfu.protocol.message.SequencerReply.StreamEnds;
import corfu.protocol.message.SequencerReply.StreamTokens;
import corfu.protocol.message.SequencerReply.Tail;
import corfu.protocol.message.SequencerReply.Tokens;
import corfu.protocol.message.SequencerReply.UnknownStreams;
import corfu.protocol.message.SequencerRequest;
import corfu.protocol.message.SequencerRequest.Adopt;
import corfu.protocol.message.SequencerRequest.AskStreams;
import corfu.protocol.message.SequencerRequest.AskTail;
import corfu.protocol.message.SequencerRequest.KnownStreams;
import corfu.protocol.message.SequencerRequest.Next;
import corfu.protocol.message.SequencerRequest.NextInStreams;
import corfu.protocol.message.SequencerRequest.Seal;
import corfu.protocol.message.SequencerRequest.Start;
import corfu.protocol.stream.Condition;
import corfu.protocol.stream.StreamPart;
import corfu.protocol.stream.StreamPosition;
import corfu.protocol.stream.StreamTail;
import corfu.protocol.stream.TokenOutcome;
import corfu.protocol.stream.TokenOutcome.Issued;
import corfu.protocol.stream.TokenWish;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SequencerStreamsTest {

  private static final long INCARNATION = 77;
  private static final Epoch FIRST = new Epoch(1);
  private static final Epoch SECOND = new Epoch(2);
  private static final Epoch THIRD = new Epoch(3);
  private static final StreamId A = StreamId.named("a");
  private static final StreamId B = StreamId.named("b");
  private static final StreamId C = StreamId.named("c");
  private static final int MOST_STREAMS = 20;

  private boolean hasLease = true;
  private final Sequencer sequencer =
      new Sequencer(
          new Limits(1024, 65_536, 100).withMaxStreamsPerEntry(3),
          new SequencerOptions(MOST_STREAMS, 10),
          INCARNATION,
          epoch -> hasLease);

  @AfterEach
  void close() {
    sequencer.close();
    assertThat(sequencer.memoryBytes()).isZero();
  }

  @Test
  void aTokenTellsThePlaceInEachOfItsStreamsAndWhatWasThereBefore() {
    start(FIRST, 0);

    assertThat(issue(TokenWish.in(List.of(A)))).isEqualTo(new Issued(0, List.of(place(0))));
    assertThat(issue(TokenWish.in(List.of(B, A))))
        .isEqualTo(new Issued(1, List.of(place(0), place(1, 0))));
    assertThat(ask(new Next(FIRST, 5))).isEqualTo(new Tokens(2, 5));
    assertThat(issue(TokenWish.PLAIN)).isEqualTo(new Issued(7, List.of()));
    assertThat(issue(TokenWish.in(List.of(A)))).isEqualTo(new Issued(8, List.of(place(2, 1, 0))));
    assertThat(ask(new AskTail(FIRST))).isEqualTo(new Tail(9));
  }

  @Test
  void aSequencerThatContinuesKnowsItsStreams() {
    start(SECOND, 10);
    assertThat(ask(new AskStreams(SECOND, List.of(A), List.of(new StreamTail(A, place(3, 8))))))
        .isInstanceOf(StreamEnds.class);
    issue(TokenWish.in(List.of(A)));

    assertThat(ask(new Seal(SECOND, KnownStreams.KEPT)))
        .isEqualTo(new HandedOver(11, INCARNATION, SECOND));
    assertThat(ask(new AskTail(SECOND))).isInstanceOf(Failure.Sealed.class);
    assertThat(ask(new Start(THIRD, 11, INCARNATION, KnownStreams.KEPT)))
        .isEqualTo(Reply.Done.DONE);
    assertThat(ask(new AskStreams(THIRD, List.of(A), List.of())))
        .isEqualTo(new StreamEnds(11, 10, List.of(place(4, 10, 8))));
    assertThat(ask(new AskStreams(THIRD, List.of(B), List.of())))
        .as("nobody has told of b in either epoch")
        .isEqualTo(new UnknownStreams(10, List.of(B)));
  }

  static Stream<List<SequencerRequest>> doNotContinue() {
    Seal keeping = new Seal(SECOND, KnownStreams.KEPT);
    Start continuing = new Start(THIRD, 11, INCARNATION, KnownStreams.KEPT);
    return Stream.of(
        List.of(new Seal(SECOND), continuing),
        List.of(keeping, new Start(THIRD, 11, INCARNATION)),
        List.of(keeping, new Start(THIRD, 12, INCARNATION, KnownStreams.KEPT)),
        List.of(
            keeping, new Seal(THIRD), new Start(THIRD.next(), 11, INCARNATION, KnownStreams.KEPT)),
        List.of(keeping, new Start(THIRD.next(), 11, INCARNATION, KnownStreams.KEPT)),
        List.of(
            new Seal(THIRD, KnownStreams.KEPT),
            new Start(THIRD.next(), 11, INCARNATION, KnownStreams.KEPT)));
  }

  @ParameterizedTest
  @MethodSource("doNotContinue")
  void whateverElseStartsASequencerLetsItForgetItsStreams(List<SequencerRequest> requests) {
    start(SECOND, 10);
    assertThat(ask(new AskStreams(SECOND, List.of(A), List.of(new StreamTail(A, place(3, 8))))))
        .isInstanceOf(StreamEnds.class);
    issue(TokenWish.in(List.of(A)));

    requests.forEach(this::ask);

    Epoch last = requests.getLast().epoch();
    assertThat(ask(new AskStreams(last, List.of(A), List.of()))).isInstanceOf(UnknownStreams.class);
  }

  @Test
  void onlyTheNewestFourEntriesAreTold() {
    start(FIRST, 0);
    for (int i = 0; i < 6; i++) {
      issue(TokenWish.in(List.of(A)));
      issue(TokenWish.PLAIN);
    }

    assertThat(ends(A)).containsExactly(place(6, 10, 8, 6, 4));
  }

  @Test
  void aWishSeesWhatThoseBeforeItInTheSameRequestChange() {
    start(FIRST, 0);

    TokenWish inA = TokenWish.in(List.of(A));
    assertThat(ask(new NextInStreams(FIRST, List.of(inA, TokenWish.PLAIN, inA), List.of())))
        .isEqualTo(
            new StreamTokens(
                List.of(
                    new Issued(0, List.of(place(0))),
                    new Issued(1, List.of()),
                    new Issued(2, List.of(place(1, 0))))));
  }

  @Test
  void whereTheLogBeganWithTheEpochEveryStreamIsEmpty() {
    start(FIRST, 0);
    issue(TokenWish.in(List.of(A)));

    assertThat(ask(new AskStreams(FIRST, List.of(B, A, B), List.of())))
        .isEqualTo(new StreamEnds(1, 0, List.of(place(0), place(1, 0), place(0))));
    assertThat(sequencer.streams()).as("nobody wrote to b").isEqualTo(1);
  }

  @Test
  void inALaterEpochItAsksForTheEndsOfStreamsAndDoesNothingWithoutThem() {
    start(SECOND, 50);

    List<TokenWish> wishes =
        List.of(TokenWish.in(List.of(A, B)), TokenWish.in(List.of(A)), Wishes.reading(C, 50));
    assertThat(ask(new NextInStreams(SECOND, wishes, List.of())))
        .isEqualTo(new UnknownStreams(50, List.of(A, B, C)));
    assertThat(ask(new NextInStreams(SECOND, wishes, List.of(tail(A, 3, 40, 20)))))
        .isEqualTo(new UnknownStreams(50, List.of(B, C)));
    assertThat(ask(new AskStreams(SECOND, List.of(B, A, B), List.of())))
        .isEqualTo(new UnknownStreams(50, List.of(B, A)));
    assertThat(ask(new AskTail(SECOND))).isEqualTo(new Tail(50));
    assertThat(sequencer.streams()).isZero();
  }

  @Test
  void whatAMirrorHasCopiedCountsAsIssued() {
    start(SECOND, 50);
    assertThat(ask(new Adopt(SECOND, 60, List.of(tail(A, 31, 59, 51), tail(B, 2, 55)))))
        .isEqualTo(new Tail(60));
    assertThat(ends(A, B)).containsExactly(place(31, 59, 51), place(2, 55));

    assertThat(ask(new Adopt(SECOND, 55, List.of(tail(A, 30, 51), tail(B, 3, 56)))))
        .as("a slower copier: what is known already stays")
        .isEqualTo(new Tail(60));
    assertThat(ends(A, B)).containsExactly(place(31, 59, 51), place(3, 56));
    assertThat(ask(new AskStreams(SECOND, List.of(C), List.of())))
        .isEqualTo(new UnknownStreams(50, List.of(C)));
    assertThat(ask(new Adopt(FIRST, 70, List.of()))).isInstanceOf(Failure.Sealed.class);
    assertThat(ask(new Adopt(SECOND, 70, List.of(tail(StreamId.NONE, 1, 60)))))
        .isInstanceOf(Failure.Refused.class);
  }

  @Test
  void aMirrorThatIsBehindTheEpochsBeginningDoesNotKnowWhereStreamsEnd() {
    start(SECOND, 50);
    assertThat(ask(new Adopt(SECOND, 49, List.of(tail(A, 30, 48))))).isEqualTo(new Tail(50));
    assertThat(ask(new AskStreams(SECOND, List.of(A), List.of())))
        .as("a head may hold another entry of the stream at address 49")
        .isEqualTo(new UnknownStreams(50, List.of(A)));

    assertThat(ask(new Adopt(SECOND, 50, List.of(tail(A, 31, 49, 48))))).isEqualTo(new Tail(50));
    assertThat(ends(A)).containsExactly(place(31, 49, 48));
  }

  @Test
  void itGoesOnFromTheEndsThatItIsTold() {
    start(SECOND, 50);

    List<StreamTail> known =
        List.of(tail(A, 30, 49, 7), new StreamTail(B, StreamPosition.START), tail(C, 5));
    assertThat(ask(new NextInStreams(SECOND, List.of(TokenWish.in(List.of(A, B, C))), known)))
        .isEqualTo(
            new StreamTokens(
                List.of(new Issued(50, List.of(place(30, 49, 7), place(0), place(5))))));
    assertThat(ends(A, B, C)).containsExactly(place(31, 50, 49, 7), place(1, 50), place(6, 50));
    assertThat(sequencer.streams()).isEqualTo(3);
  }

  @Test
  void whatItIsToldOfAStreamThatItKnowsIsIgnored() {
    start(SECOND, 50);
    ask(
        new NextInStreams(
            SECOND, List.of(TokenWish.in(List.of(A))), List.of(tail(A, 3, 40), tail(A, 2, 30))));

    assertThat(ask(new AskStreams(SECOND, List.of(A), List.of(tail(A, 3, 40)))))
        .isEqualTo(new StreamEnds(51, 50, List.of(place(4, 50, 40))));
  }

  @Test
  void nothingThatItKnewSurvivesItsEpoch() {
    start(FIRST, 0);
    issue(TokenWish.in(List.of(A, B)));
    ask(new Seal(FIRST));
    assertThat(sequencer.streams()).isZero();
    assertThat(sequencer.memoryBytes()).isZero();
    start(SECOND, 1);

    assertThat(ask(new NextInStreams(SECOND, List.of(TokenWish.in(List.of(A))), List.of())))
        .isEqualTo(new UnknownStreams(1, List.of(A)));
    start(new Epoch(3), 0);
    assertThat(ask(new AskStreams(new Epoch(3), List.of(A), List.of())))
        .isEqualTo(new StreamEnds(0, 0, List.of(place(0))));
  }

  @Test
  void aSecondStartOfTheEpochForgetsNothing() {
    start(FIRST, 0);
    issue(TokenWish.in(List.of(A)));
    start(FIRST, 0);

    assertThat(ends(A)).containsExactly(place(1, 0));
  }

  @Test
  void requestsOfOtherEpochsGetNoTokens() {
    start(SECOND, 0);
    List<TokenWish> wishes = List.of(TokenWish.in(List.of(A)));

    assertThat(ask(new NextInStreams(FIRST, wishes, List.of())))
        .isEqualTo(new Failure.Sealed(SECOND));
    assertThat(ask(new NextInStreams(new Epoch(3), wishes, List.of())))
        .isEqualTo(new Failure.Behind(SECOND));
    assertThat(ask(new AskStreams(FIRST, List.of(A), List.of())))
        .isEqualTo(new Failure.Sealed(SECOND));
    ask(new Seal(SECOND));
    assertThat(ask(new NextInStreams(SECOND, wishes, List.of())))
        .isEqualTo(new Failure.Sealed(SECOND));
  }

  @Test
  void withoutALeaseItIssuesTokensButDoesNotTellWhereStreamsEnd() {
    start(FIRST, 0);
    hasLease = false;

    assertThat(issue(TokenWish.in(List.of(A)))).isEqualTo(new Issued(0, List.of(place(0))));
    assertThat(ask(new AskStreams(FIRST, List.of(A), List.of())))
        .isInstanceOfSatisfying(
            Failure.NotServing.class,
            no -> assertThat(no.reason()).contains("no lease for epoch 1"));
    hasLease = true;
    assertThat(ends(A)).containsExactly(place(1, 0));
  }

  static List<StreamTail> impossibleTails() {
    return List.of(
        tail(A, 3, 50),
        tail(A, 51, 49),
        tail(A, 0, 49),
        tail(A, 1, 49, 48),
        tail(StreamId.NONE, 1, 49));
  }

  @ParameterizedTest
  @MethodSource("impossibleTails")
  void anEndThatCannotBeIsRefusedWithoutEffect(StreamTail impossible) {
    start(SECOND, 50);
    List<StreamTail> known = List.of(tail(B, 1, 2), impossible);

    refused(
        new NextInStreams(SECOND, List.of(TokenWish.in(List.of(B))), known),
        Failure.Cause.MALFORMED,
        "began at 50");
    refused(new AskStreams(SECOND, List.of(B), known), Failure.Cause.MALFORMED, "began at 50");
    assertThat(sequencer.streams()).isZero();
  }

  @Test
  void moreThanOneRequestMayAskForIsRefusedWithoutEffect() {
    start(FIRST, 0);

    refused(next(), Failure.Cause.MALFORMED, "1 token or more");
    refused(
        new NextInStreams(FIRST, Collections.nCopies(101, TokenWish.PLAIN), List.of()),
        Failure.Cause.TOO_LARGE,
        "up to 100 tokens, but not for 101");
    refused(
        next(TokenWish.PLAIN, TokenWish.in(numbered(0, 4))),
        Failure.Cause.TOO_LARGE,
        "up to 3 streams, but not in 4; write several entries, or raise max-streams");
    List<Long> keys = Collections.nCopies(397, 1L);
    refused(
        next(Wishes.writing(new StreamPart(A, keys)), TokenWish.PLAIN, TokenWish.PLAIN),
        Failure.Cause.TOO_LARGE,
        "up to 400 streams and keys, but not 401");
    refused(
        new AskStreams(FIRST, Collections.nCopies(401, A), List.of()),
        Failure.Cause.TOO_LARGE,
        "up to 400 streams");
    assertThat(ask(new AskTail(FIRST))).isEqualTo(new Tail(0));
    assertThat(issue(Wishes.writing(new StreamPart(A, keys)))).isInstanceOf(Issued.class);
  }

  @Test
  void theReservedStreamIsNobodys() {
    start(FIRST, 0);

    refused(
        new AskStreams(FIRST, List.of(A, StreamId.NONE), List.of()),
        Failure.Cause.MALFORMED,
        "reserved");
    refused(next(Wishes.reading(StreamId.NONE, 0)), Failure.Cause.MALFORMED, "reserved");
  }

  @Test
  void moreStreamsThanItKeepsAreRefusedAndTheOthersGoOn() {
    start(FIRST, 0);
    for (StreamId stream : numbered(0, MOST_STREAMS - 1)) {
      issue(TokenWish.in(List.of(stream)));
    }

    refused(
        next(TokenWish.in(numbered(99, 2))),
        Failure.Cause.TOO_LARGE,
        "up to 20 streams an epoch; it has 19, and there is no room for 2 more");
    assertThat(ask(next(TokenWish.in(numbered(99, 1)), TokenWish.in(numbered(99, 1)))))
        .isInstanceOf(StreamTokens.class);
    refused(next(TokenWish.in(List.of(A))), Failure.Cause.TOO_LARGE, "renew the layout");
    assertThat(issue(TokenWish.in(numbered(0, 1)))).isEqualTo(new Issued(21, List.of(place(1, 0))));
    assertThat(ends(A)).containsExactly(place(0));
  }

  @Test
  void moreStreamsThanItKeepsAreNotLearntEither() {
    start(SECOND, 50);
    List<StreamTail> known =
        numbered(0, MOST_STREAMS + 1).stream()
            .map(stream -> new StreamTail(stream, StreamPosition.START))
            .toList();

    refused(
        new AskStreams(SECOND, List.of(), known), Failure.Cause.TOO_LARGE, "no room for 21 more");
    assertThat(sequencer.streams()).isZero();
    assertThat(ask(new AskStreams(SECOND, List.of(), known.subList(1, MOST_STREAMS + 1))))
        .isEqualTo(new StreamEnds(50, 50, List.of()));
    assertThat(sequencer.streams()).isEqualTo(MOST_STREAMS);
  }

  @Test
  void itNeverCountsBeyondTheLastAddress() {
    start(SECOND, Long.MAX_VALUE - 2);
    List<StreamTail> known = List.of(tail(A, 9, Long.MAX_VALUE - 3));
    TokenWish inA = TokenWish.in(List.of(A));

    refused(
        new NextInStreams(SECOND, List.of(inA, inA, inA), known),
        Failure.Cause.TOO_LARGE,
        "addresses end at 2^63 - 1");
    assertThat(ask(new NextInStreams(SECOND, List.of(inA, inA), known)))
        .isInstanceOf(StreamTokens.class);
    assertThat(ask(new AskTail(SECOND))).isEqualTo(new Tail(Long.MAX_VALUE));
  }

  private void refused(SequencerRequest request, Failure.Cause cause, String reason) {
    assertThat(ask(request))
        .isInstanceOfSatisfying(
            Failure.Refused.class,
            no -> {
              assertThat(no.reason()).contains(reason);
              assertThat(no.cause()).isEqualTo(cause);
            });
  }

  private void start(Epoch epoch, long next) {
    assertThat(ask(new Start(epoch, next, INCARNATION))).isEqualTo(Reply.Done.DONE);
  }

  private static NextInStreams next(TokenWish... wishes) {
    return new NextInStreams(FIRST, List.of(wishes), List.of());
  }

  private TokenOutcome issue(TokenWish wish) {
    return ((StreamTokens) ask(new NextInStreams(sequencer.epoch(), List.of(wish), List.of())))
        .outcomes()
        .getFirst();
  }

  private List<StreamPosition> ends(StreamId... streams) {
    return ((StreamEnds) ask(new AskStreams(sequencer.epoch(), List.of(streams), List.of())))
        .ends();
  }

  private Reply ask(SequencerRequest request) {
    List<Reply> replies = new ArrayList<>();
    sequencer.handle(request, replies::add);
    assertThat(replies).hasSize(1);
    return replies.getFirst();
  }

  private static List<StreamId> numbered(int first, int count) {
    return IntStream.range(first, first + count)
        .mapToObj(number -> StreamId.named("stream " + number))
        .toList();
  }

  private static StreamTail tail(StreamId stream, long streamAddress, long... previous) {
    return new StreamTail(stream, place(streamAddress, previous));
  }

  private static StreamPosition place(long streamAddress, long... previous) {
    return new StreamPosition(streamAddress, Backpointers.of(previous));
  }

  /** Builds wishes from reads and writes. */
  private static final class Wishes {
    static TokenWish reading(StreamId stream, long snapshot) {
      return new TokenWish(
          List.of(), Optional.of(new Condition(snapshot, List.of(StreamPart.whole(stream)))));
    }

    static TokenWish writing(StreamPart part) {
      return new TokenWish(List.of(part), Optional.empty());
    }
  }
}
