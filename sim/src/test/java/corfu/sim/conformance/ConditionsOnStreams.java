package corfu.sim.conformance;

import static corfu.sim.conformance.OnStreams.bytes;
import static corfu.sim.conformance.OnStreams.played;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.Address;
import corfu.protocol.stream.Condition;
import corfu.protocol.stream.StreamPart;
import corfu.runtime.StreamAppend;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Appends that happen only if nothing has changed. */
interface ConditionsOnStreams extends OnStreams {

  @Test
  default void aConditionThatHoldsLetsTheEntryIn() {
    a().append(bytes("read"));
    Address snapshot = corfu().log().tail();
    b().append(bytes("something else"));

    StreamAppend outcome =
        streams()
            .appendIf(
                List.of(StreamPart.whole(a().id())),
                new Condition(snapshot.value(), List.of(StreamPart.whole(a().id()))),
                bytes("a1"));

    assertThat(outcome).isInstanceOf(StreamAppend.Appended.class);
    assertThat(played(a())).containsExactly("0 read", "1 a1");
  }

  @Test
  default void aConditionThatIsBrokenNamesWhatHasChanged() {
    Address snapshot = corfu().log().tail();
    Address change = a().append(bytes("change")).address();

    StreamAppend outcome =
        streams()
            .appendIf(
                List.of(StreamPart.whole(b().id())),
                new Condition(
                    snapshot.value(),
                    List.of(StreamPart.whole(b().id()), StreamPart.whole(a().id()))),
                bytes("never"));

    assertThat(outcome)
        .isEqualTo(new StreamAppend.Conflict(a().id(), OptionalLong.empty(), change));
    assertThat(corfu().log().tail()).isEqualTo(change.plus(1));
    assertThat(played(b())).isEmpty();
  }

  @Test
  default void changesOfOtherKeysDoNotStandAgainstAnAppend() {
    StreamPart one = new StreamPart(a().id(), List.of(1L));
    StreamPart two = new StreamPart(a().id(), List.of(2L));
    Condition oneUnchanged = new Condition(0, List.of(one));
    Condition always = new Condition(0, List.of());

    assertThat(streams().appendIf(List.of(two), always, bytes("two")))
        .isInstanceOf(StreamAppend.Appended.class);
    assertThat(streams().appendIf(List.of(one), oneUnchanged, bytes("one")))
        .isInstanceOf(StreamAppend.Appended.class);
    assertThat(streams().appendIf(List.of(one), oneUnchanged, bytes("one again")))
        .isEqualTo(new StreamAppend.Conflict(a().id(), OptionalLong.of(1), new Address(1)));
  }

  @Test
  default void aConditionIsNotGrantedInVainAcrossEpochs() {
    Address snapshot = corfu().log().tail();
    Address change = a().append(bytes("change")).address();
    beginNextEpoch();
    Condition unchanged = new Condition(snapshot.value(), List.of(StreamPart.whole(a().id())));

    assertThat(streams().appendIf(List.of(StreamPart.whole(b().id())), unchanged, bytes("x")))
        .isEqualTo(new StreamAppend.Conflict(a().id(), OptionalLong.empty(), change));
    Condition since = new Condition(change.value() + 1, List.of(StreamPart.whole(a().id())));
    assertThat(streams().appendIf(List.of(StreamPart.whole(b().id())), since, bytes("x")))
        .isInstanceOf(StreamAppend.Appended.class);
  }
}
