package corfu.mirror;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.node.EmbeddedCluster;
import corfu.protocol.Address;
import corfu.protocol.Endpoint;
import corfu.protocol.StreamId;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.protocol.message.SequencerRequest;
import corfu.runtime.Corfu;
import corfu.runtime.LogEntry;
import corfu.runtime.reconfiguration.Reconfiguration;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.StreamReader;
import corfu.runtime.stream.Streams;
import corfu.transport.Peer;
import corfu.transport.Transport;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * A mirror dies at each of its requests in turn. Before the next run, the target is reconfigured
 * and read. Readers always see a prefix of the source, and finally all of it.
 */
class KilledMirrorTest {

  private static final StreamId A = StreamId.named("a");
  private static final StreamId B = StreamId.named("b");
  private static final int ENTRIES = 12;

  /** It dies there. */
  private static final class Killed extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** Lets so many requests that change something through. */
  private record Doomed(Transport way, AtomicInteger left) implements Transport {

    @Override
    public Peer peer(Endpoint server) {
      Peer peer = way.peer(server);
      return new Peer() {
        @Override
        public Endpoint endpoint() {
          return server;
        }

        @Override
        public CompletableFuture<Reply> send(Request request, long nanos) {
          dieIfDue(request);
          return peer.send(request, nanos);
        }

        @Override
        public Exchange begin(Request request, long nanos) {
          dieIfDue(request);
          return peer.begin(request, nanos);
        }
      };
    }

    private void dieIfDue(Request request) {
      boolean changes =
          request instanceof LogUnitRequest.Write || request instanceof SequencerRequest.Adopt;
      if (changes && left.getAndDecrement() <= 0) {
        throw new Killed();
      }
    }

    @Override
    public void close() {}
  }

  @Test
  void itDiesAnywhereAndTheNextOneGoesOn() {
    int most = ENTRIES * 3; // more than it takes
    for (int steps = 0; steps < most; steps++) {
      try (EmbeddedCluster here = EmbeddedCluster.builder().nodes(2).replicas(2).start();
          EmbeddedCluster there = EmbeddedCluster.builder().nodes(3).replicas(2).start()) {
        dieAfter(steps, here, there);
      }
    }
  }

  private static void dieAfter(int steps, EmbeddedCluster here, EmbeddedCluster there) {
    Corfu source = here.connect();
    fill(here, source);
    var changes =
        new Reconfiguration(
            there.world(), there.transport(), Duration.ofSeconds(2), Duration.ofSeconds(5));
    AtomicInteger left = new AtomicInteger(Integer.MAX_VALUE);
    Corfu doomed =
        Corfu.connect(there.clientOptions(), there.world(), new Doomed(there.transport(), left));
    Mirror mirror = Mirror.open(source, doomed, changes, MirrorOptions.DEFAULT.withMaxPiece(5));
    left.set(steps);
    boolean isKilled = false;
    try {
      copyAll(mirror);
    } catch (Killed killed) {
      isKilled = true;
    }
    assertThat(isKilled || steps > ENTRIES).isTrue();

    Corfu reader = there.connect();
    check(source, reader);
    changes.renew(reader.layout()); // what the heads hold can be seen now
    check(source, reader);
    Corfu another = there.connect();
    copyAll(Mirror.open(source, another, changes, MirrorOptions.DEFAULT));
    check(source, reader);
    assertThat(texts(reader, A)).isEqualTo(texts(source, A));
    assertThat(texts(reader, B)).isEqualTo(texts(source, B));
    doomed.close();
  }

  private static void fill(EmbeddedCluster here, Corfu source) {
    Streams streams = Streams.over(source);
    for (int i = 0; i < ENTRIES; i++) {
      ByteBuffer payload = ByteBuffer.wrap(("entry " + i).getBytes(UTF_8));
      switch (i % 4) {
        case 0 -> streams.append(List.of(A, B), payload);
        case 1 -> streams.append(List.of(A), payload);
        case 2 -> source.log().append(payload);
        default -> AbandonedToken.fill(here, source);
      }
    }
  }

  private static void copyAll(Mirror mirror) {
    while (mirror.step() > 0) {
      // until nothing is left
    }
  }

  /** Checks that readers see a prefix, in the log and in all streams alike. */
  private static void check(Corfu source, Corfu reader) {
    Address tail = reader.log().tail();
    List<LogEntry> mirrored = reader.log().read(new Address(0), tail);
    assertThat(mirrored).isEqualTo(source.log().read(new Address(0), tail));
    for (StreamId stream : List.of(A, B)) {
      long wanted =
          mirrored.stream()
              .filter(
                  entry ->
                      entry instanceof LogEntry.Data data
                          && data.streams().stream().anyMatch(in -> in.stream().equals(stream)))
              .count();
      assertThat(texts(reader, stream)).hasSize((int) wanted);
    }
  }

  private static List<String> texts(Corfu corfu, StreamId stream) {
    StreamReader reader = Streams.over(corfu).open(stream).reader();
    reader.sync();
    return reader.readRest().stream().map(StreamRead.Entry::text).toList();
  }
}
