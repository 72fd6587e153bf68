package corfu.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.Entry;
import corfu.protocol.StreamAddress;
import corfu.protocol.StreamHeader;
import corfu.runtime.cluster.CountingTransport;
import corfu.runtime.cluster.RoleCluster;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.StreamReader;
import corfu.runtime.stream.Streams;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Streams with replicas of their own that are too long for one reply. */
final class LongStreamTest {

  private static final int PIECE_BYTES = 960 << 10;
  private static final int BYTES = 4 << 10;
  private static final int MOST_APPENDS_IN_FLIGHT = 256;
  private static final int ENTRIES_A_PIECE =
      PIECE_BYTES / (Entry.HEADER_BYTES + StreamHeader.BYTES + BYTES);

  private final RoleCluster cluster =
      RoleCluster.builder().nodes(3).replicas(2).streamReplicas(1).start();
  private final Streams streams = Streams.over(cluster.connect());
  private final LogStream written = streams.open("orders");
  private final LogStream other = streams.open("others");
  private final CountingTransport counting = new CountingTransport(cluster.transport());
  private final Corfu client = cluster.connect(cluster.clientOptions(), way -> counting);
  private final List<StreamRead.Entry> read = new ArrayList<>();

  @AfterEach
  void stop() {
    cluster.close();
  }

  /**
   * Appends entries of these lengths, with entries of another stream in between. Few are in flight
   * at a time: an append that is late is repeated at another address, and leaves a hole.
   */
  private void append(List<Integer> lengths) {
    List<CompletableFuture<?>> appends = new ArrayList<>();
    for (int i = 0; i < lengths.size(); i++) {
      if (appends.size() >= MOST_APPENDS_IN_FLIGHT) {
        appends.forEach(CompletableFuture::join);
        appends.clear();
      }
      ByteBuffer payload = ByteBuffer.allocate(lengths.get(i)).putInt(0, i);
      appends.add(written.appendAsync(payload));
      appends.add(other.appendAsync(ByteBuffer.allocate(i % 300)));
    }
    appends.forEach(CompletableFuture::join);
  }

  private long requestsToReadFrom(int place) {
    var unused = client.log().tail(); // it knows the layout
    return counting.requestsOf(
        () -> {
          StreamReader reader =
              Streams.over(client).open("orders").reader(new StreamAddress(place));
          reader.sync();
          read.addAll(reader.readRest());
        });
  }

  private List<Integer> numbers() {
    return read.stream().map(entry -> entry.payload().getInt(0)).toList();
  }

  private List<Integer> lengths() {
    return read.stream().map(entry -> entry.payload().remaining()).toList();
  }

  private static List<Integer> range(int from, int to) {
    return IntStream.range(from, to).boxed().toList();
  }

  @Test
  void everyPieceIsAskedForOnce() {
    int entries = 20 * ENTRIES_A_PIECE;
    append(IntStream.range(0, entries).mapToObj(i -> BYTES).toList());

    // its end, its newest entries, and twenty pieces
    assertThat(requestsToReadFrom(0)).isEqualTo(22);
    assertThat(numbers()).isEqualTo(range(0, entries));
  }

  @Test
  void aReaderMayBeginAnywhere() {
    int entries = 5 * ENTRIES_A_PIECE;
    append(IntStream.range(0, entries).mapToObj(i -> BYTES).toList());

    requestsToReadFrom(ENTRIES_A_PIECE + 3);
    assertThat(numbers()).isEqualTo(range(ENTRIES_A_PIECE + 3, entries));
  }

  /**
   * Therefore the guess of where the next pieces begin is sometimes too low and sometimes too high.
   */
  @Test
  void entriesOfAllSizesComeOnceAndInTheirOrder() {
    Random random = new Random(7);
    List<Integer> lengths = new ArrayList<>();
    for (int part = 0; part < 40; part++) {
      int most = part % 2 == 0 ? 100 : 60_000;
      random.ints(part % 2 == 0 ? 400 : 40, 4, most).forEach(lengths::add);
    }
    append(lengths);

    requestsToReadFrom(0);
    assertThat(numbers()).isEqualTo(range(0, lengths.size()));
    assertThat(lengths()).isEqualTo(lengths);
  }

  @Test
  void whatWasAppendedMeanwhileIsFoundByTheNextSync() {
    int before = 5 * ENTRIES_A_PIECE;
    append(IntStream.range(0, before).mapToObj(i -> BYTES).toList());
    StreamReader reader = streams.open("orders").reader();
    reader.sync();
    for (int i = 0; i < 2 * ENTRIES_A_PIECE; i++) { // other pieces are in flight by then
      read.add((StreamRead.Entry) reader.readNext());
    }
    append(IntStream.range(0, 100).mapToObj(i -> BYTES).toList());

    reader.sync();
    read.addAll(reader.readRest());
    assertThat(numbers().subList(0, before)).isEqualTo(range(0, before));
    assertThat(numbers().subList(before, before + 100)).isEqualTo(range(0, 100));
    assertThat(numbers()).hasSize(before + 100);
  }
}
