package corfu.sim.conformance;

import static corfu.sim.conformance.OnStreams.at;
import static corfu.sim.conformance.OnStreams.bytes;
import static corfu.sim.conformance.OnStreams.played;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.protocol.Address;
import corfu.protocol.StreamAddress;
import corfu.protocol.StreamId;
import corfu.runtime.LogEntry;
import corfu.runtime.StreamAppend;
import corfu.runtime.TooManyStreamsException;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.StreamRead;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The stream addresses of an entry in one stream or several, and their readers. */
interface PlacesOfEntries extends OnStreams {

  @Test
  default void anEntryHasAPlaceInItsStreamAndOneInTheLog() {
    a().append(bytes("a0"));
    b().append(bytes("b0"));
    StreamAppend.Appended third = a().append(bytes("a1"));

    assertThat(third.address()).isEqualTo(new Address(2));
    assertThat(third.in(a().id())).isEqualTo(at(1));
    assertThat(corfu().log().read(new Address(2)))
        .isInstanceOfSatisfying(
            LogEntry.Data.class, data -> assertThat(data.text()).isEqualTo("a1"));
  }

  @Test
  default void anEntryInSeveralStreamsIsInAllOfThem() {
    a().append(bytes("only a"));
    StreamAppend.Appended both = streams().append(List.of(b().id(), a().id()), bytes("both"));

    assertThat(both.in(a().id())).isEqualTo(at(1));
    assertThat(both.in(b().id())).isEqualTo(at(0));
    assertThat(played(a())).containsExactly("0 only a", "1 both");
    assertThat(played(b())).containsExactly("0 both");
    assertThat(((StreamRead.Entry) b().read(at(0))).address()).isEqualTo(both.address());
  }

  @Test
  default void anEntryMayBeInAsManyStreamsAsTheClusterAllows() {
    List<StreamId> most =
        IntStream.range(0, 64).mapToObj(i -> StreamId.named("stream " + i)).toList();
    List<StreamId> tooMany = new ArrayList<>(most);
    tooMany.add(a().id());

    streams().append(most, bytes("everywhere"));

    assertThatThrownBy(() -> streams().append(tooMany, bytes("x")))
        .isInstanceOf(TooManyStreamsException.class)
        .hasMessageContaining("65 streams")
        .hasMessageContaining("64");
    assertThat(most).allSatisfy(id -> assertThat(streams().open(id).tail()).isEqualTo(at(1)));
    assertThat(corfu().log().tail()).isEqualTo(new Address(1));
  }

  @Test
  default void placesAreReadAtRandomAndInRanges() {
    IntStream.range(0, 50).forEach(i -> a().append(bytes("a" + i)));

    assertThat(a().read(at(17)))
        .isInstanceOfSatisfying(
            StreamRead.Entry.class, entry -> assertThat(entry.text()).isEqualTo("a17"));
    assertThat(a().read(at(50))).isEqualTo(StreamRead.Absent.ABSENT);
    assertThat(a().read(at(10), at(13)).stream().map(read -> ((StreamRead.Entry) read).text()))
        .containsExactly("a10", "a11", "a12");
    assertThat(a().read(at(48), at(1000))).hasSize(2);
    assertThat(a().tail()).isEqualTo(at(50));
  }

  @Test
  default void aStreamThatNobodyHasWrittenIsEmpty() {
    LogStream unknown = streams().open("unknown");

    assertThat(unknown.tail()).isEqualTo(at(0));
    assertThat(unknown.read(at(0))).isEqualTo(StreamRead.Absent.ABSENT);
    assertThat(unknown.read(at(0), at(9))).isEmpty();
    assertThat(played(unknown)).isEmpty();
  }

  @Test
  default void streamsWithEntriesAreListed() {
    a().append(bytes("a0"));
    a().append(bytes("a1"));
    b().append(bytes("b0"));

    assertThat(streams().list())
        .containsExactlyInAnyOrder(Map.entry(a().id(), at(2)), Map.entry(b().id(), at(1)));
  }

  @Test
  default void aListOfStreamsGoesOnBehindAnyOfThem() {
    for (int i = 0; i < 5; i++) {
      streams().open("listed " + i).append(bytes("x"));
    }
    List<Map.Entry<StreamId, StreamAddress>> all = streams().list().toList();

    for (int i = 0; i < all.size(); i++) {
      assertThat(streams().list(all.get(i).getKey()))
          .containsExactlyElementsOf(all.subList(i + 1, all.size()));
    }
  }

  @Test
  default void theReservedStreamIsNobodys() {
    assertThatThrownBy(() -> streams().open(StreamId.NONE))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
