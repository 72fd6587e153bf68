package corfu.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.protocol.StreamAddress;
import corfu.runtime.cluster.RoleCluster;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.Streams;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Scans over ranges of streams, short and long. */
class StreamScanTest {

  private static final StreamAddress EVER = new StreamAddress(Long.MAX_VALUE);

  private final RoleCluster cluster = RoleCluster.builder().nodes(2).replicas(1).start();
  private final Corfu corfu = cluster.connect();
  private final LogStream stream = Streams.over(corfu).open("scanned");

  @AfterEach
  void stop() {
    corfu.close();
    cluster.close();
  }

  private static StreamAddress at(long streamAddress) {
    return new StreamAddress(streamAddress);
  }

  /** Appends entries, every other one in another stream. */
  private void append(int count) {
    LogStream other = Streams.over(corfu).open("other");
    List<CompletableFuture<StreamAppend.Appended>> appends = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      appends.add(stream.appendAsync(ByteBuffer.wrap(("entry " + i).getBytes(UTF_8))));
      appends.add(other.appendAsync(ByteBuffer.wrap(new byte[0])));
    }
    appends.forEach(CompletableFuture::join);
  }

  /** Returns the results of a scan: the text of an entry, or the mark below which it is trimmed. */
  private static List<String> told(Iterator<StreamRead> scan) {
    List<String> told = new ArrayList<>();
    while (scan.hasNext()) {
      told.add(
          switch (scan.next()) {
            case StreamRead.Entry entry -> entry.streamAddress() + " " + entry.text();
            case StreamRead.Trimmed(StreamAddress before) -> "trimmed before " + before;
            case StreamRead.Absent absent -> "absent";
          });
    }
    return told;
  }

  private static List<String> entries(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> i + " entry " + i).toList();
  }

  @Test
  void aLongStreamIsGivenInItsOrderThoughItsEntriesAreLookedForInPieces() {
    append(2500);

    assertThat(told(stream.scan(StreamAddress.ZERO, EVER))).isEqualTo(entries(0, 2500));
    assertThat(told(stream.scan(at(100), at(2400)))).isEqualTo(entries(100, 2400));
    assertThat(stream.read(at(1023), at(2049))).hasSize(1026);
  }

  @Test
  void aRangeEndsBeforeItsLastPlace() {
    append(4);

    assertThat(told(stream.scan(at(1), at(3)))).isEqualTo(entries(1, 3));
    assertThat(told(stream.scan(at(3), at(3)))).isEmpty();
    assertThat(told(stream.scan(at(3), at(1)))).isEmpty();
    assertThat(told(stream.scan(at(4), EVER))).isEmpty();
    Iterator<StreamRead> ended = stream.scan(at(4), EVER);
    assertThatThrownBy(ended::next).isInstanceOf(NoSuchElementException.class);
  }

  @Test
  void aScanGivesWhatWasThereWhenItBegan() {
    append(2);
    Iterator<StreamRead> scan = stream.scan(StreamAddress.ZERO, EVER);
    append(1);

    assertThat(told(scan)).hasSize(2);
  }

  @Test
  void whatWasTrimmedInTheLogIsToldOnceInFrontOfWhatComesNext() {
    append(300);
    for (int i = 250; i < 253; i++) {
      corfu.log().trim(((StreamRead.Entry) stream.read(at(i))).address());
    }
    LogStream fresh = Streams.over(corfu).open("scanned"); // has not read the entries before

    List<String> expected = new ArrayList<>(entries(0, 250));
    expected.add("trimmed before 253");
    expected.addAll(entries(253, 300));
    assertThat(told(fresh.scan(StreamAddress.ZERO, EVER))).isEqualTo(expected);
    assertThat(fresh.read(StreamAddress.ZERO, EVER))
        .hasSize(298)
        .first()
        .isEqualTo(new StreamRead.Trimmed(at(253)));
  }
}
