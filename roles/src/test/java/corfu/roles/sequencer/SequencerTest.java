package corfu.roles.sequencer;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.Epoch;
import corfu.protocol.Limits;
import corfu.protocol.message.Failure;
import corfu.protocol.message.Health;
import corfu.protocol.message.Reply;
import corfu.protocol.message.SequencerReply.SealedAt;
import corfu.protocol.message.SequencerReply.Tail;
import corfu.protocol.message.SequencerReply.Tokens;
import corfu.protocol.message.SequencerRequest;
import corfu.protocol.message.SequencerRequest.AskTail;
import corfu.protocol.message.SequencerRequest.Next;
import corfu.protocol.message.SequencerRequest.Seal;
import corfu.protocol.message.SequencerRequest.Start;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SequencerTest {

  private static final long INCARNATION = 77;
  private static final Limits LIMITS = new Limits(1024, 4096, 100);

  private boolean hasLease = true;
  private final Sequencer sequencer = new Sequencer(LIMITS, INCARNATION, epoch -> hasLease);

  @Test
  void itServesNobodyBeforeItsStart() {
    assertThat(ask(new Next(epoch(1), 1)))
        .isInstanceOfSatisfying(
            Failure.NotServing.class,
            no -> assertThat(no.reason()).contains("has not been started"));
    assertThat(ask(new AskTail(epoch(1)))).isInstanceOf(Failure.NotServing.class);
    assertThat(ask(new Next(Epoch.NONE, 1))).isInstanceOf(Failure.NotServing.class);
    assertThat(sequencer.epoch()).isEqualTo(Epoch.NONE);
  }

  @Test
  void itIssuesTokensFromWhereItWasStarted() {
    ask(new Start(epoch(1), 7, INCARNATION));

    assertThat(ask(new Next(epoch(1), 1))).isEqualTo(new Tokens(7, 1));
    assertThat(ask(new Next(epoch(1), 100))).isEqualTo(new Tokens(8, 100));
    assertThat(ask(new AskTail(epoch(1)))).isEqualTo(new Tail(108));
    assertThat(ask(new AskTail(epoch(1)))).isEqualTo(new Tail(108));
  }

  @Test
  void aSecondStartOfAnEpochDoesNotIssueItsTokensAgain() {
    ask(new Start(epoch(1), 0, INCARNATION));
    ask(new Next(epoch(1), 10));

    assertThat(ask(new Start(epoch(1), 0, INCARNATION))).isEqualTo(Reply.Done.DONE);
    assertThat(ask(new Next(epoch(1), 1))).isEqualTo(new Tokens(10, 1));
    assertThat(ask(new Start(epoch(1), 50, INCARNATION))).isEqualTo(Reply.Done.DONE);
    assertThat(ask(new AskTail(epoch(1)))).isEqualTo(new Tail(11));
  }

  /** CorfuDB #1268, #1363: one epoch's state in another epoch, and a wrong first token. */
  @Test
  void aNewEpochStartsFromWhatItIsToldAndFromNothingElse() {
    ask(new Start(epoch(1), 0, INCARNATION));
    ask(new Next(epoch(1), 10));
    ask(new Seal(epoch(1)));

    assertThat(ask(new Start(epoch(3), 8, INCARNATION))).isEqualTo(Reply.Done.DONE);
    assertThat(ask(new Next(epoch(3), 1))).isEqualTo(new Tokens(8, 1));
    assertThat(ask(new Start(epoch(2), 99, INCARNATION))).isEqualTo(new Failure.Sealed(epoch(3)));
    assertThat(ask(new Next(epoch(3), 1))).isEqualTo(new Tokens(9, 1));
  }

  @Test
  void aRequestOfAnotherEpochLearnsWhichOneIsServed() {
    ask(new Start(epoch(5), 0, INCARNATION));

    assertThat(ask(new Next(epoch(4), 1))).isEqualTo(new Failure.Sealed(epoch(5)));
    assertThat(ask(new AskTail(epoch(4)))).isEqualTo(new Failure.Sealed(epoch(5)));
    assertThat(ask(new Next(epoch(6), 1))).isEqualTo(new Failure.Behind(epoch(5)));
    assertThat(ask(new AskTail(epoch(6)))).isEqualTo(new Failure.Behind(epoch(5)));
    assertThat(ask(new AskTail(epoch(5)))).isEqualTo(new Tail(0));
  }

  /** CorfuDB #491: a seal that changed nothing. */
  @Test
  void afterASealNoTokenOfThatEpochIsIssuedAndTheTailStandsStill() {
    ask(new Start(epoch(2), 40, INCARNATION));
    ask(new Next(epoch(2), 2));

    assertThat(ask(new Seal(epoch(2)))).isEqualTo(new SealedAt(42, INCARNATION));
    assertThat(ask(new Next(epoch(2), 1))).isEqualTo(new Failure.Sealed(epoch(2)));
    assertThat(ask(new AskTail(epoch(2)))).isEqualTo(new Failure.Sealed(epoch(2)));
    assertThat(ask(new Start(epoch(2), 0, INCARNATION))).isEqualTo(new Failure.Sealed(epoch(2)));
    assertThat(ask(new Next(epoch(3), 1))).isEqualTo(new Failure.Behind(epoch(2)));
    assertThat(ask(new Seal(epoch(2)))).isEqualTo(new SealedAt(42, INCARNATION));
  }

  @Test
  void aSealOfAnOlderEpochLeavesTheServedOneAlone() {
    ask(new Start(epoch(5), 1, INCARNATION));

    assertThat(ask(new Seal(epoch(4)))).isEqualTo(new SealedAt(1, INCARNATION));
    assertThat(ask(new Next(epoch(5), 1))).isEqualTo(new Tokens(1, 1));
  }

  @Test
  void aStartThatComesAfterTheSealOfItsEpochIsRefused() {
    assertThat(ask(new Seal(epoch(4)))).isEqualTo(new SealedAt(0, INCARNATION));

    assertThat(ask(new Start(epoch(4), 0, INCARNATION))).isEqualTo(new Failure.Sealed(epoch(4)));
    assertThat(ask(new Next(epoch(4), 1))).isEqualTo(new Failure.Sealed(epoch(4)));
    assertThat(ask(new Next(epoch(5), 1))).isInstanceOf(Failure.NotServing.class);
    assertThat(ask(new Start(epoch(5), 3, INCARNATION))).isEqualTo(Reply.Done.DONE);
    assertThat(ask(new Next(epoch(5), 1))).isEqualTo(new Tokens(3, 1));
  }

  @Test
  void aSealFarAheadRefusesEverythingUpToThere() {
    ask(new Start(epoch(1), 5, INCARNATION));

    assertThat(ask(new Seal(epoch(9)))).isEqualTo(new SealedAt(5, INCARNATION));
    assertThat(sequencer.epoch()).isEqualTo(epoch(9));
    assertThat(ask(new Next(epoch(1), 1))).isEqualTo(new Failure.Sealed(epoch(9)));
    assertThat(ask(new Start(epoch(9), 5, INCARNATION))).isEqualTo(new Failure.Sealed(epoch(9)));
    assertThat(ask(new Start(epoch(10), 5, INCARNATION))).isEqualTo(Reply.Done.DONE);
  }

  @ParameterizedTest
  @ValueSource(ints = {Integer.MIN_VALUE, -1, 0})
  void itRefusesToIssueLessThanOneToken(int count) {
    ask(new Start(epoch(1), 0, INCARNATION));

    assertThat(ask(new Next(epoch(1), count)))
        .isInstanceOfSatisfying(
            Failure.Refused.class, no -> assertThat(no.cause()).isEqualTo(Failure.Cause.MALFORMED));
    assertThat(ask(new AskTail(epoch(1)))).isEqualTo(new Tail(0));
  }

  @ParameterizedTest
  @ValueSource(ints = {101, Integer.MAX_VALUE})
  void itRefusesToIssueMoreThanOneRequestMayAskFor(int count) {
    ask(new Start(epoch(1), 0, INCARNATION));

    assertThat(ask(new Next(epoch(1), count)))
        .isInstanceOfSatisfying(
            Failure.Refused.class,
            no -> {
              assertThat(no.cause()).isEqualTo(Failure.Cause.TOO_LARGE);
              assertThat(no.reason()).contains("up to 100 tokens");
            });
    assertThat(ask(new AskTail(epoch(1)))).isEqualTo(new Tail(0));
  }

  @Test
  void itNeverCountsBeyondTheLastAddress() {
    ask(new Start(epoch(1), Long.MAX_VALUE - 3, INCARNATION));

    assertThat(ask(new Next(epoch(1), 4))).isInstanceOf(Failure.Refused.class);
    assertThat(ask(new Next(epoch(1), 3))).isEqualTo(new Tokens(Long.MAX_VALUE - 3, 3));
    assertThat(ask(new Next(epoch(1), 1))).isInstanceOf(Failure.Refused.class);
    assertThat(ask(new AskTail(epoch(1)))).isEqualTo(new Tail(Long.MAX_VALUE));
  }

  @Test
  void itRefusesAStartThatMakesNoSense() {
    assertThat(ask(new Start(Epoch.NONE, 0, INCARNATION))).isInstanceOf(Failure.Refused.class);
    assertThat(ask(new Start(epoch(1), -1, INCARNATION))).isInstanceOf(Failure.Refused.class);
    assertThat(ask(new Next(epoch(1), 1))).isInstanceOf(Failure.NotServing.class);
  }

  /** CorfuDB #558, #1441: forgotten tokens, and tokens that go backwards. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void tokensRiseAndNoneIsIssuedTwiceHoweverRequestsAndReconfigurationsMix(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Set<Long> issued = new HashSet<>();
    long last = -1;
    long newest = 1;
    ask(new Start(epoch(1), 0, INCARNATION));
    for (int step = 0; step < 5_000; step++) {
      Epoch some = epoch(Math.max(1, newest + random.nextInt(4) - 2));
      switch (random.nextInt(12)) {
        case 0 -> {
          if (ask(new Seal(epoch(newest))) instanceof SealedAt(long next, long same)) {
            newest++;
            assertThat(ask(new Start(epoch(newest), next, INCARNATION))).isEqualTo(Reply.Done.DONE);
          }
        }
        case 1 ->
            ask(
                new Start(
                    epoch(Math.max(1, newest - random.nextInt(3))),
                    random.nextInt(9),
                    INCARNATION));
        case 2 -> ask(new Seal(epoch(newest - 1)));
        case 3 -> ask(new AskTail(some));
        default -> {
          if (ask(new Next(some, 1 + random.nextInt(5))) instanceof Tokens tokens) {
            assertThat(some).isEqualTo(epoch(newest));
            for (long token = tokens.first(); token < tokens.first() + tokens.count(); token++) {
              assertThat(issued.add(token)).isTrue();
              assertThat(token).isEqualTo(last + 1);
              last = token;
            }
          }
        }
      }
    }
    assertThat(issued).hasSizeGreaterThan(1_000);
  }

  @Test
  void withoutALeaseItIssuesTokensButDoesNotTellTheTail() {
    ask(new Start(epoch(3), 7, INCARNATION));
    hasLease = false;

    assertThat(ask(new AskTail(epoch(3))))
        .isInstanceOfSatisfying(
            Failure.NotServing.class,
            no -> assertThat(no.reason()).contains("no lease for epoch 3"));
    assertThat(ask(new AskTail(epoch(2)))).isEqualTo(new Failure.Sealed(epoch(3)));
    assertThat(ask(new Next(epoch(3), 2))).isEqualTo(new Tokens(7, 2));
    hasLease = true;
    assertThat(ask(new AskTail(epoch(3)))).isEqualTo(new Tail(9));
  }

  @Test
  void itSaysWhetherItServes() {
    assertThat(sequencer.state()).isEqualTo(Health.State.IDLE);
    ask(new Seal(epoch(1)));
    assertThat(sequencer.state()).isEqualTo(Health.State.IDLE);
    ask(new Start(epoch(2), 0, INCARNATION));
    assertThat(sequencer.state()).isEqualTo(Health.State.SERVING);
    ask(new Seal(epoch(2)));
    assertThat(sequencer.state()).isEqualTo(Health.State.SEALED);
    ask(new Start(epoch(3), 0, INCARNATION));
    assertThat(sequencer.state()).isEqualTo(Health.State.SERVING);
  }

  private Reply ask(SequencerRequest request) {
    List<Reply> replies = new ArrayList<>();
    sequencer.handle(request, replies::add);
    assertThat(replies).hasSize(1);
    return replies.getFirst();
  }

  private static Epoch epoch(long value) {
    return new Epoch(value);
  }

  @Test
  void aStartThatWasPreparedBeforeItRestartedIsRefused() {
    assertThat(ask(new Start(epoch(2), 40, INCARNATION - 1)))
        .isInstanceOf(Failure.NotServing.class);
    assertThat(ask(new AskTail(epoch(2)))).isInstanceOf(Failure.NotServing.class);
  }
}
