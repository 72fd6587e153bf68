package corfu.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.AddressSet;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Request;
import corfu.runtime.cluster.CountingTransport;
import corfu.runtime.cluster.FaultyWay;
import corfu.runtime.cluster.FaultyWay.Fate;
import corfu.runtime.cluster.HurriedWorld;
import corfu.runtime.cluster.RoleCluster;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.StreamReader;
import corfu.runtime.stream.Streams;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A reader of a long stream, one part of which is unavailable for a while. */
@Timeout(120)
final class InterruptedReaderTest {

  private static final int ENTRIES = 5_000;
  private static final int MISSING = 2_000;
  private static final int TRIES = 3;

  /** More than any call may take. */
  private static final Duration TOO_LONG = Duration.ofHours(1);

  private final RoleCluster cluster = RoleCluster.builder().nodes(1).replicas(1).start();
  private final CountingTransport counting = new CountingTransport(cluster.transport());
  private final FaultyWay way = new FaultyWay(counting);
  private final HurriedWorld world = new HurriedWorld(cluster.world());
  private final Corfu client = Corfu.connect(cluster.clientOptions(), world, way);
  private final AtomicInteger tries = new AtomicInteger();
  private final List<Integer> read = new ArrayList<>();
  private final List<Integer> readBefore =
      new ArrayList<>(); // the number of entries at each failure

  @AfterEach
  void stop() {
    client.close();
    cluster.close();
  }

  private void append() {
    LogStream written = Streams.over(cluster.connect()).open("orders");
    List<CompletableFuture<?>> appends = new ArrayList<>();
    for (int i = 0; i < ENTRIES; i++) {
      appends.add(written.appendAsync(ByteBuffer.allocate(Integer.BYTES).putInt(0, i)));
    }
    appends.forEach(CompletableFuture::join);
  }

  private static boolean asksFor(long address, Request request) {
    if (!(request instanceof LogUnitRequest.Read question)) {
      return false;
    }
    AddressSet addresses = question.addresses();
    return IntStream.range(0, addresses.count()).anyMatch(i -> addresses.at(i) == address);
  }

  /** Ends the reader's time when it has retried and has all other replies. */
  private Fate notSent() {
    if (tries.incrementAndGet() == TRIES) {
      counting.awaitReplies();
      world.pass(TOO_LONG);
    }
    return Fate.IS_NOT_SENT;
  }

  /** Reads to the end. Repairs the transport after a failure. */
  private void readAll(StreamReader reader) {
    boolean isOver = false;
    while (!isOver) {
      try {
        switch (reader.readNext()) {
          case StreamRead.Entry entry -> read.add(entry.payload().getInt(0));
          case StreamRead.Trimmed trimmed -> throw new AssertionError("nothing was trimmed");
          case StreamRead.Absent absent -> isOver = true;
        }
      } catch (UnavailableException missing) {
        readBefore.add(read.size());
        way.plan((server, request) -> Fate.ARRIVES);
      }
    }
  }

  @Test
  void goesOnWhereItWasThoughWhatFollowsHadBeenReadAlready() {
    append();
    StreamReader reader = Streams.over(client).open("orders").reader();
    reader.sync();
    way.plan((server, request) -> asksFor(MISSING, request) ? notSent() : Fate.ARRIVES);
    readAll(reader);

    assertThat(readBefore).hasSize(1).allSatisfy(count -> assertThat(count).isBetween(1, MISSING));
    assertThat(read).isEqualTo(IntStream.range(0, ENTRIES).boxed().toList());
  }
}
