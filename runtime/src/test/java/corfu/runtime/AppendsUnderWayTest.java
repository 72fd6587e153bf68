package corfu.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.protocol.Address;
import corfu.protocol.StreamAddress;
import corfu.runtime.cluster.MortalClient;
import corfu.runtime.cluster.MortalClient.LastRequest;
import corfu.runtime.cluster.RoleCluster;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.StreamEnds;
import corfu.runtime.stream.Streams;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The end of a stream for a reader: before the first in-flight append. */
@Timeout(60)
class AppendsUnderWayTest {

  private final RoleCluster cluster = RoleCluster.builder().nodes(2).replicas(2).start();
  private final Corfu corfu = cluster.connect();
  private final Streams streams = Streams.over(corfu);
  private final LogStream orders = streams.open("orders");
  private final LogStream bills = streams.open("bills");

  @AfterEach
  void stop() {
    cluster.close();
  }

  /** Appends to both streams, and dies at this request. */
  private void dieAppending(int requests, LastRequest last) {
    try (MortalClient mortal = new MortalClient(cluster)) {
      var unused = mortal.corfu().log().tail(); // it knows the layout
      mortal.diesAfter(requests, last);
      Streams its = Streams.over(mortal.corfu());
      var both = List.of(orders.id(), bills.id());
      assertThatThrownBy(() -> its.append(both, ByteBuffer.wrap(new byte[7])))
          .isInstanceOf(RuntimeException.class);
      assertThat(mortal.isDead()).isTrue();
    }
  }

  private static void append(LogStream stream) {
    stream.append("one more".getBytes(UTF_8));
  }

  private StreamEnds ends() {
    return streams.ends(List.of(orders.id()));
  }

  private StreamEnds forReader(StreamEnds ends, Address known) {
    return streams.withoutUnderWay(ends, orders.id(), known);
  }

  @Test
  void aTokenAtTheEndIsLeftOut() {
    append(orders);
    Address known = corfu.log().tail();
    dieAppending(1, LastRequest.IS_LOST);
    StreamEnds ends = ends();

    StreamEnds forReader = forReader(ends, known);

    assertThat(ends.end(orders.id())).isEqualTo(new StreamAddress(2));
    assertThat(forReader.end(orders.id())).isEqualTo(new StreamAddress(1));
    assertThat(forReader.tail()).isEqualTo(known);
    assertThat(forReader.newest(orders.id())).isEqualTo(known.value() - 1);
  }

  /** The append may be in the other stream, too, before entries that are already written there. */
  @Test
  void butNotWhereAnotherStreamGoesOnBehindIt() {
    append(orders);
    Address known = corfu.log().tail();
    dieAppending(1, LastRequest.IS_LOST);
    append(bills);
    StreamEnds ends = ends();

    assertThat(forReader(ends, known)).isSameAs(ends);
  }

  @Test
  void norWhatAHeadHolds() {
    append(orders);
    Address known = corfu.log().tail();
    dieAppending(1, LastRequest.ARRIVES);
    StreamEnds ends = ends();

    assertThat(forReader(ends, known)).isSameAs(ends);
  }

  @Test
  void whatIsKnownIsNotLookedAt() {
    append(orders);
    dieAppending(1, LastRequest.IS_LOST);
    StreamEnds ends = ends();

    assertThat(forReader(ends, ends.tail())).isSameAs(ends);
  }
}
