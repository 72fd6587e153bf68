package corfu.sim.conformance;

import static corfu.sim.conformance.OnStreams.at;
import static corfu.sim.conformance.OnStreams.bytes;
import static corfu.sim.conformance.OnStreams.played;
import static corfu.sim.conformance.OnStreams.texts;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.StreamId;
import corfu.runtime.StreamAppend;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.StreamReader;
import corfu.runtime.stream.Streams;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The entries that readers get, and their order. */
interface PlayingStreams extends OnStreams {

  @Test
  default void aReaderGivesTheEntriesOfItsStreamAloneInTheirOrder() {
    for (int i = 0; i < 30; i++) {
      a().append(bytes("a" + i));
      b().append(bytes("b" + i));
      corfu().log().append(bytes("none"));
    }

    assertThat(played(a())).isEqualTo(IntStream.range(0, 30).mapToObj(i -> i + " a" + i).toList());
    assertThat(played(Streams.over(connect()).open("b")))
        .isEqualTo(IntStream.range(0, 30).mapToObj(i -> i + " b" + i).toList());
  }

  @Test
  default void aReaderSeesWhatWasAppendedBeforeItsLastSync() {
    StreamReader reader = a().reader();
    assertThat(reader.sync()).isEqualTo(at(0));
    a().append(bytes("first"));
    assertThat(reader.readNext()).isEqualTo(StreamRead.Absent.ABSENT);
    assertThat(reader.sync()).isEqualTo(at(1));
    a().append(bytes("second"));
    assertThat(texts(reader)).containsExactly("0 first");
    assertThat(reader.sync()).isEqualTo(at(2));
    assertThat(texts(reader)).containsExactly("1 second");
    assertThat(reader.position()).isEqualTo(at(2));
  }

  @Test
  default void whoeverAppendsAllReadersSeeTheOrderOfTheLog() {
    List<CompletableFuture<StreamAppend.Appended>> appends = new ArrayList<>();
    for (int client = 0; client < 3; client++) {
      Streams own = Streams.over(connect());
      for (int i = 0; i < 200; i++) {
        List<StreamId> where = i % 3 == 0 ? List.of(a().id(), b().id()) : List.of(a().id());
        appends.add(own.appendAsync(where, bytes(client + ":" + i)));
      }
    }
    appends.forEach(CompletableFuture::join);

    for (LogStream stream : List.of(a(), b())) {
      StreamReader reader = Streams.over(connect()).open(stream.id()).reader();
      reader.sync();
      List<StreamRead.Entry> entries = reader.readRest();
      assertThat(entries).hasSize(stream.id().equals(a().id()) ? 600 : 201);
      assertThat(entries).isSortedAccordingTo((x, y) -> x.address().compareTo(y.address()));
      assertThat(entries.stream().map(StreamRead.Entry::streamAddress))
          .isEqualTo(IntStream.range(0, entries.size()).mapToObj(OnStreams::at).toList());
    }
  }

  @Test
  default void aReaderMayBeginAnywhere() {
    IntStream.range(0, 20).forEach(i -> a().append(bytes("a" + i)));
    StreamReader late = a().reader(at(18));
    late.sync();

    assertThat(texts(late)).containsExactly("18 a18", "19 a19");
    StreamReader beyond = a().reader(at(20));
    beyond.sync();
    assertThat(texts(beyond)).isEmpty();
  }

  @Test
  default void aTokenThatNobodyUsedIsSteppedOver() {
    a().append(bytes("before"));
    abandonTokens(1, a().id(), b().id());
    a().append(bytes("after"));

    assertThat(played(a())).containsExactly("0 before", "2 after");
    assertThat(a().read(at(1))).isEqualTo(StreamRead.Absent.ABSENT);
    assertThat(played(b())).isEmpty();
  }

  @Test
  default void whereAllBackpointersLeadToHolesTheStreamGoesOnAllTheSame() {
    a().append(bytes("first"));
    a().append(bytes("second"));
    abandonTokens(9, a().id());
    a().append(bytes("third"));
    abandonTokens(6, a().id());

    assertThat(played(a())).containsExactly("0 first", "1 second", "11 third");
    assertThat(a().tail()).isEqualTo(at(12));
    assertThat(a().append(bytes("fourth")).in(a().id())).isEqualTo(at(18));
    assertThat(played(a())).endsWith("18 fourth");
  }

  @Test
  default void readersAreSyncedTogether() {
    List<StreamReader> readers = new ArrayList<>();
    List<CompletableFuture<StreamAppend.Appended>> appends = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      LogStream stream = streams().open("many " + i);
      for (int j = 0; j < i % 4; j++) {
        appends.add(stream.appendAsync(bytes(i + "." + j)));
      }
      readers.add(stream.reader());
    }
    appends.forEach(CompletableFuture::join);

    assertThat(streams().sync(readers))
        .isEqualTo(IntStream.range(0, 100).mapToObj(i -> at(i % 4)).toList());
    assertThat(readers.get(7).readRest())
        .extracting(StreamRead.Entry::text)
        .containsExactly("7.0", "7.1", "7.2");
  }
}
