package corfu.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.AppendId;
import corfu.protocol.ClusterId;
import corfu.protocol.Entry;
import corfu.protocol.Epoch;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.Reply;
import corfu.protocol.message.SequencerReply;
import corfu.protocol.message.SequencerRequest;
import corfu.transport.ScriptedServer;
import corfu.world.RealWorld;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The time at which large replies leave. */
class LargeRepliesTest {

  private static final ClusterId CLUSTER = new ClusterId(new UUID(1, 2));
  private static final SequencerRequest REQUEST = new SequencerRequest.AskTail(new Epoch(1));
  private static final int GUARD_SECONDS = 30;

  private final CountDownLatch firstIsThere = new CountDownLatch(1);
  private final AtomicBoolean wasThereInTime = new AtomicBoolean();
  private final AtomicInteger requests = new AtomicInteger();

  private Reply answer() {
    if (requests.incrementAndGet() == 1) {
      Entry entry = Entry.data(1, new AppendId(1, 1), ByteBuffer.allocate(256 << 10));
      return new LogUnitReply.Reads(List.of(new LogUnitReply.ReadOutcome.Found(entry)));
    }
    try {
      wasThereInTime.set(firstIsThere.await(GUARD_SECONDS, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return new SequencerReply.Tail(7);
  }

  @Test
  void oneIsOnItsWayWhileTheServerWorksOnTheNextOfTheSameTurn() throws IOException {
    var scripted = new ScriptedServer((request, reply) -> reply.accept(answer())).in(CLUSTER);
    try (RealWorld world = new RealWorld();
        TcpServer server = TcpServer.bind(world, "127.0.0.1", 0, TcpServerOptions.DEFAULT)) {
      server.serve(scripted);
      try (RawClient client = new RawClient(server.endpoint()).greet()) {
        byte[] first = RawClient.bytes(REQUEST, 2);
        byte[] second = RawClient.bytes(REQUEST, 3);
        client.send(
            ByteBuffer.allocate(first.length + second.length).put(first).put(second).array());

        assertThat(client.receive().message()).isInstanceOf(LogUnitReply.Reads.class);
        firstIsThere.countDown();
        assertThat(client.receive().message()).isEqualTo(new SequencerReply.Tail(7));
        assertThat(wasThereInTime).isTrue();
      }
    }
  }
}
