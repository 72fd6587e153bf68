package corfu.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.protocol.Address;
import corfu.protocol.AddressSet;
import corfu.protocol.message.SequencerRequest;
import corfu.runtime.cluster.FaultyWay;
import corfu.runtime.cluster.OldClient;
import corfu.runtime.cluster.RoleCluster;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.StreamReader;
import corfu.runtime.stream.Streams;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Trims and fills of addresses for which no token was issued. */
final class BeyondTailTest {

  private static final long FAR = 1_000_000;

  private final RoleCluster cluster = RoleCluster.builder().nodes(3).replicas(2).start();
  private final FaultyWay way = new FaultyWay(cluster.transport());
  private final Corfu corfu = Corfu.connect(cluster.clientOptions(), cluster.world(), way);
  private final Log log = corfu.log();
  private final OldClient old = new OldClient(cluster.transport(), corfu.layout());
  private final AtomicInteger tokenRequests = new AtomicInteger();

  @AfterEach
  void stop() {
    corfu.close();
    cluster.close();
  }

  private void countTokenRequests() {
    way.plan(
        (server, request) -> {
          if (request instanceof SequencerRequest.Next
              || request instanceof SequencerRequest.NextInStreams) {
            tokenRequests.incrementAndGet();
          }
          return FaultyWay.Fate.ARRIVES;
        });
  }

  @Test
  void aTrimOfEverythingBeforeAnAddressBeyondTheTailIsRefusedAndAppendsGoOn() {
    log.append(new byte[1]);

    assertThatThrownBy(() -> log.prefixTrim(new Address(FAR)))
        .isInstanceOfSatisfying(
            BeyondTailException.class,
            refused -> assertThat(refused.tail()).isEqualTo(new Address(1)))
        .hasMessageContaining("1000000")
        .hasMessageContaining("tail 1");
    assertThat(log.read(Address.ZERO)).isInstanceOf(LogEntry.Data.class);
    assertThat(log.append(new byte[1])).isEqualTo(new Address(1));
  }

  @Test
  void anAddressBeyondTheTailIsNeitherTrimmedNorFilled() {
    log.append(new byte[1]);

    assertThatThrownBy(() -> log.trim(new Address(1))).isInstanceOf(BeyondTailException.class);
    assertThatThrownBy(() -> log.fill(new Address(1))).isInstanceOf(BeyondTailException.class);
    assertThatThrownBy(() -> log.fill(new Address(FAR))).isInstanceOf(BeyondTailException.class);

    assertThat(log.append(new byte[1])).isEqualTo(new Address(1));
  }

  @Test
  void everythingBeforeTheTailMayBeTrimmed() {
    Address before = cluster.connect().log().append(new byte[1]);

    log.prefixTrim(new Address(before.value() + 1));

    assertThat(log.read(before)).isInstanceOf(LogEntry.Trimmed.class);
  }

  @Test
  void theSequencerStepsAtOnceOverWhatAnOldClientHasTrimmedBeyondTheTail() {
    log.append(new byte[1]);
    old.prefixTrim(FAR);
    countTokenRequests();

    assertThat(log.append(new byte[1])).isEqualTo(new Address(FAR));
    assertThat(tokenRequests.get()).isLessThan(10);
    assertThat(cluster.connect().log().append(new byte[1])).isEqualTo(new Address(FAR + 1));
  }

  @Test
  void theSequencerStepsAtOnceOverARunOfHolesAndTrimmedAddresses() {
    log.append(new byte[1]);
    for (long stripe = 0; stripe < 3; stripe++) {
      long first = 1 + stripe;
      old.trim(new AddressSet.Strided(first, 3, 10_000));
    }
    LongStream.range(30_001, 30_020).forEach(old::fill);
    countTokenRequests();

    assertThat(log.append(new byte[1])).isEqualTo(new Address(30_020));
    assertThat(tokenRequests.get()).isLessThan(10);
  }

  @Test
  void anAppendToAStreamStepsOverThemToo() {
    Streams streams = Streams.over(corfu);
    streams.open("s").append(ByteBuffer.wrap(new byte[] {1}));
    old.prefixTrim(FAR);
    countTokenRequests();

    streams.open("s").append(ByteBuffer.wrap(new byte[] {2}));

    assertThat(tokenRequests.get()).isLessThan(10);
    StreamReader reader = streams.open("s").reader();
    reader.sync();
    assertThat(reader.readRest())
        .last()
        .isInstanceOfSatisfying(
            StreamRead.Entry.class,
            entry -> assertThat(entry.payload()).isEqualTo(ByteBuffer.wrap(new byte[] {2})));
  }
}
