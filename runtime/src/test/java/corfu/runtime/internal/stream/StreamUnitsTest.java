package corfu.runtime.internal.stream;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.ClusterId;
import corfu.protocol.Endpoint;
import corfu.protocol.Epoch;
import corfu.protocol.Incarnation;
import corfu.protocol.StreamId;
import corfu.protocol.layout.Chain;
import corfu.protocol.layout.Layout;
import corfu.protocol.layout.LayoutSegment;
import corfu.protocol.layout.Member;
import corfu.protocol.layout.Wanted;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.protocol.stream.Occurrences;
import corfu.protocol.stream.Occurrences.Occurrence;
import corfu.protocol.stream.StreamQuery;
import corfu.runtime.Deadline;
import corfu.runtime.internal.rpc.Servers;
import corfu.transport.Peer;
import corfu.transport.Transport;
import corfu.world.RealWorld;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The combined answers of two heads: of a closed segment, and of the open one. */
final class StreamUnitsTest {

  private static final Endpoint OLD = new Endpoint("old", 1);
  private static final Endpoint OPEN = new Endpoint("open", 2);
  private static final StreamId STREAM = StreamId.named("a");
  private static final Occurrence OLDEST = new Occurrence(3, 0);
  private static final Occurrence IN_ITS_SEGMENT = new Occurrence(5, 1);

  /**
   * An entry on the old unit, which was dropped from the open segment after it had received the
   * entry.
   */
  private static final Occurrence STRAY = new Occurrence(12, 2);

  private final Layout layout =
      new Layout(
          new ClusterId(new UUID(1, 2)),
          new Epoch(3),
          new Wanted(1, 1),
          List.of(OPEN),
          List.of(new Member(OPEN, new Incarnation(1), false)),
          List.of(
              new Member(OLD, new Incarnation(2), false),
              new Member(OPEN, new Incarnation(3), false)),
          List.of(
              new LayoutSegment(0, 10, List.of(new Chain(List.of(OLD)))),
              new LayoutSegment(10, LayoutSegment.OPEN, List.of(new Chain(List.of(OPEN))))));
  private final RealWorld world = new RealWorld();
  private final StreamUnits units =
      new StreamUnits(
          new Servers(
              new Heads(Map.of(OLD, List.of(STRAY, IN_ITS_SEGMENT, OLDEST), OPEN, List.of())),
              Duration.ofSeconds(1)));

  /** Each head returns its entries, as many as it is asked for. */
  private record Heads(Map<Endpoint, List<Occurrence>> newestFirst) implements Transport {

    @Override
    public Peer peer(Endpoint head) {
      return new Peer() {
        @Override
        public Endpoint endpoint() {
          return head;
        }

        @Override
        public CompletableFuture<Reply> send(Request request, long timeoutNanos) {
          return CompletableFuture.completedFuture(
              answer((LogUnitRequest.FindInStreams) request, newestFirst.get(head)));
        }
      };
    }

    private static Reply answer(LogUnitRequest.FindInStreams find, List<Occurrence> newestFirst) {
      long below = find.queries().getFirst().below();
      List<Occurrence> found =
          newestFirst.stream().filter(one -> one.address() < below).limit(find.most()).toList();
      return new LogUnitReply.FoundInStreams(0, List.of(new Occurrences(0, found)));
    }

    @Override
    public void close() {}
  }

  @Test
  void anEntryOfAnotherChainThanTheUnitsOwnIsNotTold() {
    assertThat(find(64)).containsExactly(IN_ITS_SEGMENT, OLDEST);
  }

  @Test
  void whereOnlySuchOnesAreFoundItLooksFurther() {
    assertThat(find(1)).containsExactly(IN_ITS_SEGMENT);
  }

  /** A caller that gets fewer entries than it asked for believes that there are no more. */
  @Test
  void whereSomeAreStraysOlderOnesTakeTheirPlaces() {
    assertThat(find(2)).containsExactly(IN_ITS_SEGMENT, OLDEST);
    assertThat(find(3)).containsExactly(IN_ITS_SEGMENT, OLDEST);
  }

  @Test
  void butItsStreamAddressIsNotGivenAgain() {
    var ends = units.endsBelow(20, List.of(STREAM), layout, deadline());

    assertThat(ends.getFirst().end().streamAddress()).isEqualTo(3);
  }

  private List<Occurrence> find(int most) {
    var query = StreamQuery.below(STREAM, Long.MAX_VALUE);
    return units.find(List.of(query), most, layout, deadline()).getFirst().newestFirst();
  }

  private Deadline deadline() {
    return Deadline.in(world, Duration.ofSeconds(1));
  }
}
