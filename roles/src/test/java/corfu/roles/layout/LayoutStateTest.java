package corfu.roles.layout;

import static corfu.roles.layout.Layouts.OTHERS;
import static corfu.roles.layout.Layouts.OURS;
import static corfu.roles.layout.Layouts.ballot;
import static corfu.roles.layout.Layouts.step;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.ClusterId;
import corfu.protocol.Epoch;
import corfu.protocol.Incarnation;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.Ballot;
import corfu.protocol.message.Failure;
import corfu.protocol.message.LayoutReply.Accepted;
import corfu.protocol.message.LayoutReply.AcceptedNow;
import corfu.protocol.message.LayoutReply.Current;
import corfu.protocol.message.LayoutReply.Decided;
import corfu.protocol.message.LayoutReply.Outbid;
import corfu.protocol.message.LayoutReply.Promised;
import corfu.protocol.message.LayoutRequest;
import corfu.protocol.message.LayoutRequest.Accept;
import corfu.protocol.message.LayoutRequest.Learn;
import corfu.protocol.message.LayoutRequest.Prepare;
import corfu.protocol.message.Reply;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LayoutStateTest {

  private static final Reply ACCEPTED = AcceptedNow.ACCEPTED;
  private static final Incarnation ME = new Incarnation(5);
  private static final Incarnation ANOTHER = new Incarnation(6);

  private LayoutState state = LayoutState.blank(ME);

  @Test
  void aBlankServerKnowsNoLayoutButVotesOnTheFirst() {
    assertThat(state.current()).isEqualTo(new Failure.NotBootstrapped());
    assertThat(ask(prepare(1, 1))).isEqualTo(promised(Optional.empty()));
    assertThat(ask(new Accept(ballot(1), layout(1, 0)))).isEqualTo(ACCEPTED);
    assertThat(state.current()).isEqualTo(new Failure.NotBootstrapped());

    assertThat(ask(new Learn(layout(1, 0)))).isEqualTo(Reply.Done.DONE);
    assertThat(state.current()).isEqualTo(new Current(layout(1, 0)));
  }

  @Test
  void aPromiseKeepsLowerBallotsOut() {
    ask(prepare(1, 5));

    assertThat(ask(prepare(1, 4))).isEqualTo(new Outbid(ballot(5)));
    assertThat(ask(new Accept(ballot(4), layout(1, 0)))).isEqualTo(new Outbid(ballot(5)));
    assertThat(ask(prepare(1, 5))).isEqualTo(promised(Optional.empty()));
    assertThat(ask(new Accept(ballot(5), layout(1, 0)))).isEqualTo(ACCEPTED);
  }

  @Test
  void aPromiseTellsWhatWasAcceptedBefore() {
    ask(new Accept(ballot(3), layout(1, 7)));

    var accepted = Optional.of(new Accepted(ballot(3), layout(1, 7)));
    assertThat(ask(prepare(1, 4))).isEqualTo(promised(accepted));
    assertThat(ask(new Accept(ballot(3), layout(1, 8)))).isEqualTo(new Outbid(ballot(4)));
    assertThat(ask(prepare(1, 9))).isEqualTo(promised(accepted));
  }

  @Test
  void anAcceptIsAPromiseToo() {
    ask(new Accept(ballot(6), layout(1, 0)));

    assertThat(ask(prepare(1, 5))).isEqualTo(new Outbid(ballot(6)));
  }

  @Test
  void anAcceptThatComesTwiceIsAcceptedTwiceButOneBallotHasOneLayout() {
    ask(new Accept(ballot(6), layout(1, 0)));

    assertThat(ask(new Accept(ballot(6), layout(1, 0)))).isEqualTo(ACCEPTED);
    assertThat(ask(new Accept(ballot(6), layout(1, 1)))).isInstanceOf(Failure.Refused.class);
    assertThat(ask(prepare(1, 6)))
        .isEqualTo(promised(Optional.of(new Accepted(ballot(6), layout(1, 0)))));
  }

  @Test
  void epochsAreDecidedIndependently() {
    ask(new Learn(layout(1, 0)));
    ask(new Accept(ballot(6), layout(3, 0)));

    assertThat(ask(prepare(2, 1))).isEqualTo(promised(Optional.empty()));
  }

  @Test
  void anEpochThatIsOverIsAnsweredWithTheNewestLayout() {
    ask(new Learn(layout(3, 0)));

    assertThat(ask(prepare(3, 9))).isEqualTo(new Decided(layout(3, 0)));
    assertThat(ask(prepare(1, 9))).isEqualTo(new Decided(layout(3, 0)));
    assertThat(ask(new Accept(ballot(9), layout(2, 1)))).isEqualTo(new Decided(layout(3, 0)));
    assertThat(ask(prepare(4, 1))).isEqualTo(promised(Optional.empty()));
    assertThat(ask(prepare(6, 1))).isEqualTo(promised(Optional.empty()));
  }

  @Test
  void learningForgetsTheVotesOfEpochsThatAreOverAndNoOthers() {
    ask(new Learn(layout(1, 0)));
    ask(new Accept(ballot(2), layout(2, 0)));
    ask(new Accept(ballot(2), layout(3, 0)));
    ask(new Accept(ballot(2), layout(4, 0)));
    ask(new Learn(layout(3, 1)));

    assertThat(state.votes()).containsOnlyKeys(new Epoch(4));
    assertThat(ask(prepare(4, 3)))
        .isEqualTo(promised(Optional.of(new Accepted(ballot(2), layout(4, 0)))));
  }

  @Test
  void anOlderLayoutIsLearnedWithoutEffect() {
    ask(new Learn(layout(5, 0)));

    assertThat(ask(new Learn(layout(4, 1)))).isEqualTo(Reply.Done.DONE);
    assertThat(ask(new Learn(layout(5, 0)))).isEqualTo(Reply.Done.DONE);
    assertThat(state.current()).isEqualTo(new Current(layout(5, 0)));
  }

  /** CorfuDB #408. */
  @Test
  void twoLayoutsOfOneEpochAreReportedWithBoth() {
    ask(new Learn(layout(5, 0)));

    assertThat(ask(new Learn(layout(5, 1))))
        .isInstanceOfSatisfying(
            Failure.Broken.class,
            broken -> assertThat(broken.reason()).contains("server:1\"", "server:2\""));
    assertThat(state.current()).isEqualTo(new Current(layout(5, 0)));
  }

  @Test
  void theFirstLayoutLearnedDecidesWhichClusterTheServerBelongsTo() {
    ask(new Accept(ballot(1), layoutOf(OTHERS, 1)));
    ask(new Learn(layout(1, 0)));

    assertThat(ask(new Accept(ballot(9), layoutOf(OTHERS, 2))))
        .isEqualTo(new Failure.WrongCluster(OURS));
    assertThat(ask(new Learn(layoutOf(OTHERS, 2)))).isEqualTo(new Failure.WrongCluster(OURS));
    assertThat(ask(prepare(2, 2))).isEqualTo(promised(Optional.empty()));
  }

  @Test
  void theNumberOfOpenEpochsIsBoundedButTheNextOneIsAlwaysServed() {
    ask(new Learn(layout(1, 0)));
    for (int epoch = 10; epoch < 10 + LayoutState.MAX_OPEN_EPOCHS; epoch++) {
      assertThat(ask(prepare(epoch, 1))).isInstanceOf(Promised.class);
    }

    assertThat(ask(prepare(9, 1))).isInstanceOf(Failure.Overloaded.class);
    assertThat(ask(new Accept(ballot(1), layout(9, 0)))).isInstanceOf(Failure.Overloaded.class);
    assertThat(ask(prepare(10, 2))).isInstanceOf(Promised.class);
    assertThat(ask(prepare(2, 1))).isInstanceOf(Promised.class);
    assertThat(ask(new Accept(ballot(1), layout(2, 0)))).isEqualTo(ACCEPTED);
  }

  @Test
  void aServerThatHasLearnedNothingVotesOnNothingButTheFirstLayout() {
    assertThat(ask(prepare(2, 1))).isInstanceOf(Failure.NotServing.class);
    assertThat(ask(new Accept(ballot(1), layout(2, 0)))).isInstanceOf(Failure.NotServing.class);
    assertThat(state).isEqualTo(LayoutState.blank(ME));
  }

  @Test
  void aServerThatTheNewestLayoutDoesNotRelyOnDoesNotVoteUntilOneDoes() {
    ask(new Learn(layoutWithoutMe(3)));

    assertThat(state.isVoter()).isFalse();
    assertThat(ask(prepare(4, 1)))
        .isInstanceOfSatisfying(
            Failure.NotServing.class,
            no -> assertThat(no.reason()).contains("epoch 3", ME.toString(), "does not name"));
    assertThat(ask(new Accept(ballot(1), layout(4, 0)))).isInstanceOf(Failure.NotServing.class);

    ask(new Learn(layout(4, 0)));
    assertThat(state.isVoter()).isTrue();
    assertThat(ask(prepare(5, 1))).isEqualTo(promised(Optional.empty()));
  }

  @Test
  void aServerThatDoesNotVoteKnowsWhatHasBeenDecidedAllTheSame() {
    ask(new Learn(layoutWithoutMe(3)));

    assertThat(ask(prepare(3, 1))).isEqualTo(new Decided(layoutWithoutMe(3)));
  }

  @Test
  void theFirstLayoutIsAcceptedOnlyIfItMeansThisLifeOfTheDisk() {
    assertThat(ask(prepare(1, 1))).isEqualTo(promised(Optional.empty()));
    assertThat(ask(new Accept(ballot(1), layoutWithoutMe(1))))
        .isInstanceOfSatisfying(
            Failure.NotServing.class, no -> assertThat(no.reason()).contains(ME.toString()));
    assertThat(ask(new Accept(ballot(1), layout(1, 0)))).isEqualTo(ACCEPTED);
  }

  @Test
  void whatWasPromisedStaysPromisedWhileTheServerDoesNotVote() {
    ask(new Learn(layout(1, 0)));
    ask(new Accept(ballot(4), layout(4, 0)));
    ask(new Learn(layoutWithoutMe(2)));
    assertThat(LayoutState.recalled(ME, state.history())).isEqualTo(state);

    ask(new Learn(layout(3, 0)));
    assertThat(ask(prepare(4, 3))).isEqualTo(new Outbid(ballot(4)));
  }

  @Test
  void ballotsAndEpochsThatDoNotExistAreRefused() {
    assertThat(ask(prepare(0, 1))).isInstanceOf(Failure.Refused.class);
    assertThat(ask(new Prepare(new Epoch(1), Ballot.NONE))).isInstanceOf(Failure.Refused.class);
    assertThat(ask(prepare(1, -1))).isInstanceOf(Failure.Refused.class);
    assertThat(ask(new Accept(Ballot.NONE, layout(1, 0)))).isInstanceOf(Failure.Refused.class);
    assertThat(state).isEqualTo(LayoutState.blank(ME));
  }

  @Test
  void itsHistoryLeadsBackToTheSameState() {
    ask(new Learn(layout(3, 0)));
    ask(new Accept(ballot(2), layout(4, 0)));
    ask(prepare(4, 5));
    ask(new Accept(ballot(7), layout(5, 1)));
    for (int epoch = 6; epoch < 5 + LayoutState.MAX_OPEN_EPOCHS; epoch++) {
      ask(prepare(epoch, epoch));
    }
    assertThat(state.votes()).hasSize(LayoutState.MAX_OPEN_EPOCHS + 1);

    assertThat(LayoutState.recalled(ME, state.history())).isEqualTo(state);
  }

  private Reply ask(LayoutRequest request) {
    LayoutState.Step step = step(state, request);
    state = step.state();
    return step.reply();
  }

  private static Promised promised(Optional<Accepted> accepted) {
    return new Promised(accepted, List.of());
  }

  private static Layout layout(long epoch, int variant) {
    return Layouts.layout(epoch, variant, List.of(ANOTHER, ME));
  }

  private static Layout layoutOf(ClusterId cluster, long epoch) {
    return Layouts.layout(cluster, epoch, 0, List.of(ANOTHER, ME));
  }

  private static Layout layoutWithoutMe(long epoch) {
    return Layouts.layout(epoch, 0, List.of(ANOTHER, Incarnation.NONE));
  }

  private static Prepare prepare(long epoch, long round) {
    return new Prepare(new Epoch(epoch), ballot(round));
  }
}
