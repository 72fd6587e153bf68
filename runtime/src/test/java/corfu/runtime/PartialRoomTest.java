package corfu.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.Endpoint;
import corfu.protocol.StreamAddress;
import corfu.protocol.StreamId;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.protocol.message.SequencerRequest;
import corfu.runtime.cluster.FaultyWay;
import corfu.runtime.cluster.FaultyWay.Fate;
import corfu.runtime.cluster.RoleCluster;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.Streams;
import corfu.transport.Peer;
import corfu.transport.Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client that follows more streams than its log unit has room for. */
@Timeout(180)
final class PartialRoomTest {

  private static final int ROOM = 3;

  private final RoleCluster cluster = RoleCluster.builder().nodes(1).replicas(1).start();
  private final Streams written = Streams.over(cluster.connect());
  private final FaultyWay way = new FaultyWay(new SmallRoom(cluster.transport()));
  private final Corfu reader = cluster.connect(cluster.clientOptions(), other -> way);
  private final Streams streams = Streams.over(reader);
  private final Set<StreamId> followed = ConcurrentHashMap.newKeySet();
  private final BlockingQueue<String> refused = new LinkedBlockingQueue<>();
  private final BlockingQueue<String> given = new LinkedBlockingQueue<>();

  @AfterEach
  void stop() {
    reader.close();
    cluster.close();
  }

  /** Limits the streams in requests to the number for which the unit has room. */
  private final class SmallRoom implements Transport {
    private final Transport real;

    SmallRoom(Transport real) {
      this.real = real;
    }

    @Override
    public Peer peer(Endpoint endpoint) {
      Peer peer = real.peer(endpoint);
      return new Peer() {
        @Override
        public Endpoint endpoint() {
          return endpoint;
        }

        @Override
        public CompletableFuture<Reply> send(Request request, long timeoutNanos) {
          return peer.send(
              request instanceof LogUnitRequest.Follow follow ? cut(follow) : request,
              timeoutNanos);
        }
      };
    }

    private synchronized Request cut(LogUnitRequest.Follow follow) {
      follow.remove().forEach(followed::remove);
      List<StreamId> some = new ArrayList<>();
      for (StreamId stream : follow.add()) {
        if (!followed.contains(stream) && followed.size() == ROOM) {
          refused.add("refused");
          break;
        }
        followed.add(stream);
        some.add(stream);
      }
      return new LogUnitRequest.Follow(follow.epoch(), follow.follower(), some, follow.remove());
    }

    @Override
    public void close() {}
  }

  private void subscribe(String name) {
    LogStream stream = streams.open(name);
    stream.subscribe(StreamAddress.ZERO, entry -> given.add(name + " " + entry.text()));
  }

  private void append(String name, String text) {
    written.open(name).append(text.getBytes(UTF_8));
  }

  @Test
  void whatThereIsRoomForIsToldAndTheRestIsFoundInTheLog() throws InterruptedException {
    for (int i = 0; i < ROOM; i++) {
      subscribe("s" + i);
    }
    for (int i = 0; i < ROOM; i++) {
      append("s" + i, "begins");
      assertThat(given.take()).isEqualTo("s" + i + " begins");
    }
    subscribe("last");
    assertThat(refused.take()).isEqualTo("refused");

    way.plan(
        (server, request) ->
            request instanceof SequencerRequest.AskStreams ? Fate.IS_NOT_SENT : Fate.ARRIVES);
    append("last", "is read from the log");
    for (int i = 0; i < ROOM; i++) {
      append("s" + i, "is told");
      assertThat(given.take()).isEqualTo("s" + i + " is told");
    }
    way.plan((server, request) -> Fate.ARRIVES);
    assertThat(given.take()).isEqualTo("last is read from the log");
  }
}
