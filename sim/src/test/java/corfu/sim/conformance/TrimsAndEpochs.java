package corfu.sim.conformance;

import static corfu.sim.conformance.OnStreams.at;
import static corfu.sim.conformance.OnStreams.bytes;
import static corfu.sim.conformance.OnStreams.played;
import static corfu.sim.conformance.OnStreams.texts;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.Address;
import corfu.protocol.StreamAddress;
import corfu.runtime.LogEntry;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.StreamReader;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The rest of a stream after a trim, and its continuation in another epoch. */
interface TrimsAndEpochs extends OnStreams {

  @Test
  default void streamsGoOnInTheNextEpoch() {
    IntStream.range(0, 7).forEach(i -> a().append(bytes("a" + i)));
    StreamReader reader = a().reader();
    reader.sync();
    abandonTokens(2, a().id(), b().id());
    beginNextEpoch();

    assertThat(a().append(bytes("new")).in(a().id())).isEqualTo(at(7));
    assertThat(b().append(bytes("new")).in(b().id())).isEqualTo(at(0));
    reader.sync();
    assertThat(texts(reader)).hasSize(8).endsWith("6 a6", "7 new");
    assertThat(played(streams().open("a"))).hasSize(8);
    assertThat(played(streams().open("never"))).isEmpty();
  }

  @Test
  default void aPlaceIsNeverGivenTwiceWhateverWasTrimmed() {
    IntStream.range(0, 5).forEach(i -> a().append(bytes("a" + i)));
    corfu().log().prefixTrim(new Address(5));
    beginNextEpoch();

    StreamAddress next = a().append(bytes("new")).in(a().id());

    assertThat(next.value()).isGreaterThanOrEqualTo(5);
    StreamReader reader = a().reader();
    reader.sync();
    assertThat(reader.readRest()).extracting(StreamRead.Entry::text).containsExactly("new");
  }

  @Test
  default void whatIsTrimmedIsGoneAndTheRestIsNot() {
    IntStream.range(0, 10).forEach(i -> a().append(bytes("a" + i)));
    a().trim(at(6));

    assertThat(a().read(at(5))).isEqualTo(new StreamRead.Trimmed(at(6)));
    assertThat(a().read(at(0), at(8))).hasSize(3).startsWith(new StreamRead.Trimmed(at(6)));
    StreamReader reader = a().reader();
    reader.sync();
    assertThat(reader.readNext()).isEqualTo(new StreamRead.Trimmed(at(6)));
    assertThat(texts(reader)).containsExactly("6 a6", "7 a7", "8 a8", "9 a9");
    assertThat(corfu().log().read(new Address(5))).isEqualTo(new LogEntry.Trimmed(new Address(5)));
    assertThat(corfu().log().read(new Address(6))).isInstanceOf(LogEntry.Data.class);
  }

  @Test
  default void aStreamThatIsTrimmedToItsEndGoesOnBehindIt() {
    IntStream.range(0, 3).forEach(i -> a().append(bytes("a" + i)));
    a().trim(at(3));

    assertThat(a().tail()).isEqualTo(at(3));
    assertThat(played(a())).isEmpty();
    assertThat(a().append(bytes("next")).in(a().id())).isEqualTo(at(3));
    assertThat(played(a())).containsExactly("3 next");
  }

  @Test
  default void anAddressIsGivenBackWhenNoStreamNeedsItAnyMore() {
    Address both = streams().append(List.of(a().id(), b().id()), bytes("both")).address();
    a().trim(at(1));
    assertThat(corfu().log().read(both)).isInstanceOf(LogEntry.Data.class);
    assertThat(played(b())).containsExactly("0 both");

    b().trim(at(1));

    assertThat(corfu().log().read(both)).isEqualTo(new LogEntry.Trimmed(both));
  }
}
