package corfu.roles.layout;

import static corfu.roles.layout.Layouts.OTHERS;
import static corfu.roles.layout.Layouts.OURS;
import static corfu.roles.layout.Layouts.ballot;
import static corfu.roles.layout.Layouts.layout;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.Epoch;
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
import corfu.protocol.message.LayoutRequest.Fetch;
import corfu.protocol.message.LayoutRequest.Learn;
import corfu.protocol.message.LayoutRequest.Prepare;
import corfu.protocol.message.Reply;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LayoutStateTest {

  private static final Reply ACCEPTED = AcceptedNow.ACCEPTED;

  private LayoutState state = LayoutState.BLANK;

  @Test
  void aBlankServerKnowsNoLayoutButVotesOnTheFirst() {
    assertThat(ask(new Fetch())).isEqualTo(new Failure.NotBootstrapped());
    assertThat(ask(prepare(1, 1))).isEqualTo(new Promised(Optional.empty()));
    assertThat(ask(new Accept(ballot(1), layout(1, 0)))).isEqualTo(ACCEPTED);
    assertThat(ask(new Fetch())).isEqualTo(new Failure.NotBootstrapped());

    assertThat(ask(new Learn(layout(1, 0)))).isEqualTo(Reply.Done.DONE);
    assertThat(ask(new Fetch())).isEqualTo(new Current(layout(1, 0)));
  }

  @Test
  void aPromiseKeepsLowerBallotsOut() {
    ask(prepare(1, 5));

    assertThat(ask(prepare(1, 4))).isEqualTo(new Outbid(ballot(5)));
    assertThat(ask(new Accept(ballot(4), layout(1, 0)))).isEqualTo(new Outbid(ballot(5)));
    assertThat(ask(prepare(1, 5))).isEqualTo(new Promised(Optional.empty()));
    assertThat(ask(new Accept(ballot(5), layout(1, 0)))).isEqualTo(ACCEPTED);
  }

  @Test
  void aPromiseTellsWhatWasAcceptedBefore() {
    ask(new Accept(ballot(3), layout(1, 7)));

    var accepted = Optional.of(new Accepted(ballot(3), layout(1, 7)));
    assertThat(ask(prepare(1, 4))).isEqualTo(new Promised(accepted));
    assertThat(ask(new Accept(ballot(3), layout(1, 8)))).isEqualTo(new Outbid(ballot(4)));
    assertThat(ask(prepare(1, 9))).isEqualTo(new Promised(accepted));
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
        .isEqualTo(new Promised(Optional.of(new Accepted(ballot(6), layout(1, 0)))));
  }

  @Test
  void epochsAreDecidedIndependently() {
    ask(new Accept(ballot(6), layout(1, 0)));

    assertThat(ask(prepare(2, 1))).isEqualTo(new Promised(Optional.empty()));
  }

  @Test
  void anEpochThatIsOverIsAnsweredWithTheNewestLayout() {
    ask(new Learn(layout(3, 0)));

    assertThat(ask(prepare(3, 9))).isEqualTo(new Decided(layout(3, 0)));
    assertThat(ask(prepare(1, 9))).isEqualTo(new Decided(layout(3, 0)));
    assertThat(ask(new Accept(ballot(9), layout(2, 1)))).isEqualTo(new Decided(layout(3, 0)));
    assertThat(ask(prepare(4, 1))).isEqualTo(new Promised(Optional.empty()));
    assertThat(ask(prepare(6, 1))).isEqualTo(new Promised(Optional.empty()));
  }

  @Test
  void learningForgetsTheVotesOfEpochsThatAreOverAndNoOthers() {
    ask(new Accept(ballot(2), layout(1, 0)));
    ask(new Accept(ballot(2), layout(2, 0)));
    ask(new Accept(ballot(2), layout(3, 0)));
    ask(new Learn(layout(2, 1)));

    assertThat(state.votes()).containsOnlyKeys(new Epoch(3));
    assertThat(ask(prepare(3, 3)))
        .isEqualTo(new Promised(Optional.of(new Accepted(ballot(2), layout(3, 0)))));
  }

  @Test
  void anOlderLayoutIsLearnedWithoutEffect() {
    ask(new Learn(layout(5, 0)));

    assertThat(ask(new Learn(layout(4, 1)))).isEqualTo(Reply.Done.DONE);
    assertThat(ask(new Learn(layout(5, 0)))).isEqualTo(Reply.Done.DONE);
    assertThat(ask(new Fetch())).isEqualTo(new Current(layout(5, 0)));
  }

  /** CorfuDB #408. */
  @Test
  void twoLayoutsOfOneEpochAreReportedWithBoth() {
    ask(new Learn(layout(5, 0)));

    assertThat(ask(new Learn(layout(5, 1))))
        .isInstanceOfSatisfying(
            Failure.Broken.class,
            broken -> assertThat(broken.reason()).contains("server:1\"", "server:2\""));
    assertThat(ask(new Fetch())).isEqualTo(new Current(layout(5, 0)));
  }

  @Test
  void theFirstLayoutLearnedDecidesWhichClusterTheServerBelongsTo() {
    ask(new Accept(ballot(1), layout(OTHERS, 2, 0)));
    ask(new Learn(layout(1, 0)));

    assertThat(ask(new Accept(ballot(9), layout(OTHERS, 2, 0))))
        .isEqualTo(new Failure.WrongCluster(OURS));
    assertThat(ask(new Learn(layout(OTHERS, 2, 0)))).isEqualTo(new Failure.WrongCluster(OURS));
    assertThat(ask(prepare(2, 2))).isEqualTo(new Promised(Optional.empty()));
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
  void ballotsAndEpochsThatDoNotExistAreRefused() {
    assertThat(ask(prepare(0, 1))).isInstanceOf(Failure.Refused.class);
    assertThat(ask(new Prepare(new Epoch(1), Ballot.NONE))).isInstanceOf(Failure.Refused.class);
    assertThat(ask(prepare(1, -1))).isInstanceOf(Failure.Refused.class);
    assertThat(ask(new Accept(Ballot.NONE, layout(1, 0)))).isInstanceOf(Failure.Refused.class);
    assertThat(state).isEqualTo(LayoutState.BLANK);
  }

  @Test
  void itsHistoryLeadsABlankServerToTheSameState() {
    ask(new Learn(layout(3, 0)));
    ask(new Accept(ballot(2), layout(4, 0)));
    ask(prepare(4, 5));
    ask(new Accept(ballot(7), layout(5, 1)));
    for (int epoch = 6; epoch < 5 + LayoutState.MAX_OPEN_EPOCHS; epoch++) {
      ask(prepare(epoch, epoch));
    }
    assertThat(state.votes()).hasSize(LayoutState.MAX_OPEN_EPOCHS + 1);

    LayoutState replayed = LayoutState.BLANK;
    for (LayoutRequest request : state.history()) {
      replayed = replayed.after(request).state();
    }
    assertThat(replayed).isEqualTo(state);
  }

  private Reply ask(LayoutRequest request) {
    LayoutState.Step step = state.after(request);
    state = step.state();
    return step.reply();
  }

  private static Prepare prepare(long epoch, long round) {
    return new Prepare(new Epoch(epoch), ballot(round));
  }
}
