package corfu.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.StreamAddress;
import corfu.runtime.cluster.CountingTransport;
import corfu.runtime.cluster.RoleCluster;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.StreamReader;
import corfu.runtime.stream.Streams;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The number of requests of a reader that knows nothing of a stream with a replica of its own. */
final class ShortStreamTest {

  private final RoleCluster cluster =
      RoleCluster.builder().nodes(3).replicas(2).streamReplicas(1).start();
  private final LogStream written = Streams.over(cluster.connect()).open("orders");
  private final CountingTransport counting = new CountingTransport(cluster.transport());
  private final Corfu reader = cluster.connect(cluster.clientOptions(), way -> counting);
  private final List<StreamRead> read = new ArrayList<>();

  @AfterEach
  void stop() {
    cluster.close();
  }

  private void append(int count) {
    IntStream.range(0, count).forEach(i -> written.append(("entry " + i).getBytes(UTF_8)));
  }

  /** Returns the number of requests and of round trips for reading the whole stream. */
  private Cost cost() {
    var unused = reader.log().tail(); // it knows the layout
    var roundTrips = new AtomicLong();
    long requests = counting.requestsOf(() -> roundTrips.set(counting.roundTripsOf(this::readAll)));
    return new Cost(requests, roundTrips.get());
  }

  private record Cost(long requests, long roundTrips) {}

  private void readAll() {
    read.clear();
    readRest(Streams.over(reader).open("orders").reader());
  }

  private void readRest(StreamReader all) {
    all.sync();
    StreamRead next = all.readNext();
    while (!(next instanceof StreamRead.Absent)) {
      read.add(next);
      next = all.readNext();
    }
  }

  private List<String> texts() {
    return read.stream()
        .filter(StreamRead.Entry.class::isInstance)
        .map(entry -> ((StreamRead.Entry) entry).text())
        .toList();
  }

  @Test
  void itsEndAndItsEntriesAreTwoRequestsAtTheSameTime() {
    append(50);

    assertThat(cost()).isEqualTo(new Cost(2, 1));
    assertThat(texts()).isEqualTo(IntStream.range(0, 50).mapToObj(i -> "entry " + i).toList());
  }

  @Test
  void oneThatHasNothingTakesNoLonger() {
    assertThat(cost()).isEqualTo(new Cost(2, 1));
    assertThat(read).isEmpty();
  }

  @Test
  void whereItIsTrimmedComesWithItsEntries() {
    append(50);
    written.trim(new StreamAddress(47));

    assertThat(cost()).isEqualTo(new Cost(2, 1));
    assertThat(read.getFirst()).isEqualTo(new StreamRead.Trimmed(new StreamAddress(47)));
    assertThat(texts()).containsExactly("entry 47", "entry 48", "entry 49");
  }

  @Test
  void oneThatIsTrimmedToItsEndIsToldToBe() {
    append(5);
    written.trim(new StreamAddress(5));

    readAll();
    assertThat(read).containsExactly(new StreamRead.Trimmed(new StreamAddress(5)));
  }

  @Test
  void whatIsAppendedLaterIsReadInOnePiece() {
    append(50);
    StreamReader all = Streams.over(reader).open("orders").reader();
    readRest(all);
    append(50);

    assertThat(counting.requestsOf(() -> readRest(all))).isEqualTo(2);
    assertThat(texts()).hasSize(100).endsWith("entry 48", "entry 49");
  }
}
