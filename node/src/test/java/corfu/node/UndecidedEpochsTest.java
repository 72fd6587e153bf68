package corfu.node;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.ClusterId;
import corfu.protocol.Endpoint;
import corfu.protocol.Epoch;
import corfu.protocol.Incarnation;
import corfu.protocol.layout.Layout;
import corfu.protocol.layout.Wanted;
import corfu.protocol.message.Ballot;
import corfu.protocol.message.LayoutRequest;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Request;
import corfu.protocol.message.SequencerRequest;
import corfu.roles.SealedEpochs;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The epochs that a server believes. */
final class UndecidedEpochsTest {

  private static final Endpoint A = new Endpoint("a", 1);
  private static final Endpoint B = new Endpoint("b", 1);
  private static final Endpoint C = new Endpoint("c", 1);
  private static final Epoch KNOWN = new Epoch(7);

  private final Role role = new Role();
  private final UndecidedEpochs undecided = new UndecidedEpochs("n1", Map.of("log-unit", role));

  private static final class Role implements SealedEpochs {
    private final List<Epoch> undone = new ArrayList<>();
    private Epoch sealed = KNOWN;
    private long seals;

    private void seal(Epoch epoch) {
      sealed = epoch;
      seals++;
    }

    @Override
    public Count counted() {
      return new Count(sealed, seals);
    }

    @Override
    public void unsealBeyond(Epoch decided, Count counted) {
      if (counted.count() == seals) {
        undone.add(decided);
        sealed = decided;
      }
    }
  }

  private static Layout layout(Epoch epoch) {
    Layout first =
        Layout.initial(
                new ClusterId(new UUID(1, 2)),
                List.of(A),
                List.of(A, B, C),
                List.of(A, B, C),
                new Wanted(3, 1))
            .withIncarnations(
                Map.of(A, new Incarnation(1), B, new Incarnation(2), C, new Incarnation(3)),
                Map.of(A, new Incarnation(1), B, new Incarnation(2), C, new Incarnation(3)));
    return new Layout(
        first.clusterId(),
        epoch,
        first.wanted(),
        first.sequencers(),
        first.acceptors(),
        first.units(),
        first.segments());
  }

  private static List<Request> claiming(Epoch epoch) {
    Ballot ballot = new Ballot(1, 2);
    return List.of(
        new LogUnitRequest.Seal(epoch),
        new LogUnitRequest.Install(layout(epoch)),
        new SequencerRequest.Seal(epoch),
        new SequencerRequest.Start(epoch, 5, 6),
        new LayoutRequest.Prepare(epoch, ballot),
        new LayoutRequest.Accept(ballot, layout(epoch)),
        new LayoutRequest.Learn(layout(epoch)));
  }

  @Test
  void whatIsFarBeyondTheKnownEpochIsNotBelieved() {
    Epoch far = new Epoch(KNOWN.value() + UndecidedEpochs.FARTHEST + 1);
    for (Epoch epoch : List.of(far, new Epoch(1L << 62), new Epoch(Long.MAX_VALUE))) {
      assertThat(claiming(epoch))
          .allSatisfy(request -> assertThat(UndecidedEpochs.objection(request, KNOWN)).isPresent());
    }
  }

  @Test
  void aServerThatHasMissedManyEpochsBelievesInThem() {
    Epoch near = new Epoch(KNOWN.value() + UndecidedEpochs.FARTHEST);
    for (Epoch epoch : List.of(new Epoch(1), KNOWN, KNOWN.next(), near)) {
      assertThat(claiming(epoch))
          .allSatisfy(request -> assertThat(UndecidedEpochs.objection(request, KNOWN)).isEmpty());
    }
  }

  @Test
  void aServerThatKnowsNoLayoutBelievesWhatItIsTold() {
    assertThat(claiming(new Epoch(1L << 40)))
        .allSatisfy(
            request -> assertThat(UndecidedEpochs.objection(request, Epoch.NONE)).isEmpty());
  }

  @Test
  void aSealIsTakenBackWhenAMajorityHasGrantedALeaseThatWasAskedForLater() {
    role.seal(new Epoch(9));
    undecided.asking(100, 100, layout(KNOWN), 1_000);
    undecided.granted(A, 100);
    assertThat(role.undone).isEmpty();
    undecided.granted(A, 100);
    assertThat(role.undone).as("one voice counts once").isEmpty();
    undecided.granted(B, 100);

    assertThat(role.undone).containsExactly(KNOWN);
  }

  @Test
  void anAnswerToAnotherQuestionOfTheSameMomentProvesNothing() {
    role.seal(new Epoch(9));
    undecided.asking(1, 100, layout(KNOWN), 1_000);
    undecided.granted(A, 2);
    undecided.granted(B, 2);

    assertThat(role.undone).isEmpty();
  }

  @Test
  void whatWasAskedForBeforeTheSealProvesNothing() {
    undecided.asking(100, 100, layout(KNOWN), 1_000);
    role.seal(new Epoch(8));
    undecided.granted(A, 100);
    undecided.granted(B, 100);
    assertThat(role.undone).isEmpty();

    undecided.asking(200, 200, layout(KNOWN), 1_000);
    undecided.granted(A, 100);
    undecided.granted(B, 200);
    assertThat(role.undone).isEmpty();
    role.seal(new Epoch(8));
    undecided.granted(C, 200);
    assertThat(role.undone).as("another seal has come meanwhile").isEmpty();
  }

  @Test
  void whoIsNoLayoutServerProvesNothing() {
    role.seal(new Epoch(9));
    undecided.asking(100, 100, layout(KNOWN), 1_000);
    undecided.granted(new Endpoint("d", 1), 100);
    undecided.granted(A, 100);

    assertThat(role.undone).isEmpty();
  }

  @Test
  void aSealOfTheNewestEpochStays() {
    role.seal(KNOWN);
    undecided.asking(100, 100, layout(KNOWN), 1_000);
    undecided.granted(A, 100);
    undecided.granted(B, 100);

    assertThat(role.undone).isEmpty();
  }
}
