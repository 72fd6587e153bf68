package corfu.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.StreamAddress;
import corfu.runtime.cluster.RoleCluster;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.StreamReader;
import corfu.runtime.stream.Streams;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** A reader that falls behind a trim learns that it has lost entries. */
@ParameterizedClass
@ValueSource(ints = {0, 1})
@Timeout(180)
final class ReaderBehindTrimTest {

  private final RoleCluster cluster;
  private final Corfu corfu;
  private final Corfu other;
  private final LogStream written;
  private final StreamReader reader;

  ReaderBehindTrimTest(int streamReplicas) {
    cluster = RoleCluster.builder().nodes(2).replicas(1).streamReplicas(streamReplicas).start();
    corfu = cluster.connect();
    other = cluster.connect();
    written = Streams.over(corfu).open("orders");
    reader = Streams.over(other).open("orders").reader();
  }

  @AfterEach
  void stop() {
    corfu.close();
    other.close();
    cluster.close();
  }

  private void readOneOf(int entries) {
    written.append(new byte[] {0});
    reader.sync();
    assertThat(reader.readRest()).hasSize(1);
    for (int i = 1; i < entries; i++) {
      written.append(new byte[] {(byte) i});
    }
  }

  @Test
  void whereOthersFollow() {
    readOneOf(10);
    written.trim(new StreamAddress(8));

    reader.sync();

    assertThat(reader.readNext()).isEqualTo(new StreamRead.Trimmed(new StreamAddress(8)));
    assertThat(reader.readRest())
        .extracting(StreamRead.Entry::streamAddress)
        .containsExactly(new StreamAddress(8), new StreamAddress(9));
  }

  @Test
  void whereNothingIsLeft() {
    readOneOf(3);
    written.trim(new StreamAddress(3));

    reader.sync();

    assertThat(reader.readNext()).isEqualTo(new StreamRead.Trimmed(new StreamAddress(3)));
    assertThat(reader.readNext()).isInstanceOf(StreamRead.Absent.class);
    written.append(new byte[] {3});
    reader.sync();
    assertThat(reader.readRest()).hasSize(1);
  }

  @Test
  void whereNothingIsLeftAndAnEpochHasBegun() {
    readOneOf(3);
    written.trim(new StreamAddress(3));
    cluster.changeEpoch(corfu);

    reader.sync();

    assertThat(reader.readNext()).isEqualTo(new StreamRead.Trimmed(new StreamAddress(3)));
    assertThat(reader.readNext()).isInstanceOf(StreamRead.Absent.class);
  }
}
