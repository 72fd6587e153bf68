package corfu.protocol.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.protocol.AppendId;
import corfu.protocol.Backpointers;
import corfu.protocol.Endpoint;
import corfu.protocol.Entry;
import corfu.protocol.StreamHeader;
import corfu.protocol.StreamId;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Which units hold an entry. */
class ChainLayoutTest {

  private static final AppendId ID = new AppendId(1, 1);

  /** Dissertation, figure 4.4; vCorfu, figure 3. */
  private static final Layout FIGURE =
      LayoutJson.parse(
          """
          { "clusterId" : "00112233-4455-6677-8899-aabbccddeeff",
            "epoch" : 1,
            "wanted" : { "units" : 4, "replicas" : 1, "streamReplicas" : 1 },
            "sequencers" : [ "10.0.0.1:9000" ],
            "layoutServers" : { "10.0.0.1:9000" : "" },
            "logUnits" : { "10.0.1.1:9000" : "", "10.0.1.2:9000" : "",
                           "10.0.2.1:9000" : "", "10.0.2.2:9000" : "" },
            "segments" : [ {
              "start" : 0,
              "log" : [ [ "10.0.1.1:9000" ], [ "10.0.1.2:9000" ] ],
              "stream" : [ [ "10.0.2.1:9000" ], [ "10.0.2.2:9000" ] ] } ] }
          """);

  private static Endpoint unit(String host) {
    return new Endpoint(host, 9000);
  }

  private static Chain chain(String... hosts) {
    return new Chain(Stream.of(hosts).map(ChainLayoutTest::unit).toList());
  }

  /** Returns the first stream, counting from 1, whose hash has this remainder. */
  private static StreamId stream(int rest, int stripes) {
    return LongStream.iterate(1, low -> low + 1)
        .mapToObj(low -> new StreamId(0, low))
        .filter(id -> Math.floorMod(id.hash(), (long) stripes) == rest)
        .findFirst()
        .orElseThrow();
  }

  private static Entry entry(long address, StreamId... streams) {
    List<StreamHeader> headers =
        Stream.of(streams)
            .sorted()
            .map(stream -> new StreamHeader(stream, 0, Backpointers.NONE))
            .toList();
    return Entry.data(address, ID, headers, ByteBuffer.allocate(4));
  }

  @Test
  void anEntryIsOnTheLogReplicaOfItsAddressAndTheStreamReplicaOfItsStream() {
    StreamId zero = stream(0, 2);
    StreamId one = stream(1, 2);
    assertThat(FIGURE.path(entry(1, zero))).containsExactly(unit("10.0.1.2"), unit("10.0.2.1"));
    assertThat(FIGURE.path(entry(3, one))).containsExactly(unit("10.0.1.2"), unit("10.0.2.2"));
    assertThat(LayoutJson.parse(LayoutJson.pretty(FIGURE))).isEqualTo(FIGURE);
  }

  @Test
  void whatIsInNoStreamIsKeptByTheStreamReplicaOfItsAddress() {
    assertThat(FIGURE.path(entry(4))).containsExactly(unit("10.0.1.1"), unit("10.0.2.1"));
    assertThat(FIGURE.path(Entry.hole(5, ID)))
        .as("a hole has as many copies as data")
        .containsExactly(unit("10.0.1.2"), unit("10.0.2.2"));
  }

  @Test
  void whatIsInSeveralStreamsGoesThroughTheirChainsInAscendingOrder() {
    LayoutSegment segment =
        new LayoutSegment(
            10,
            LayoutSegment.OPEN,
            new ChainLayout(
                List.of(chain("a", "b")), List.of(chain("s", "t"), chain("t", "u"), chain("v"))));
    StreamId first = stream(2, 3);
    StreamId second = StreamId.named("somewhere in between");
    StreamId last = new StreamId(-1, -1); // as an unsigned number the highest
    assertThat(first).isLessThan(second);
    List<Endpoint> path = segment.path(entry(12, last, second, first));

    assertThat(path).startsWith(unit("a"), unit("b"), unit("v")).doesNotHaveDuplicates();
    assertThat(path)
        .containsSubsequence(
            segment.streamChainOf(last, 12).replicas().stream()
                .filter(unit -> !segment.streamChainOf(second, 12).replicas().contains(unit))
                .filter(unit -> !segment.streamChainOf(first, 12).replicas().contains(unit))
                .toList());
    assertThat(path).containsAll(segment.streamChainOf(second, 12).replicas());
  }

  @Test
  void withoutStreamReplicasAnEntryIsOnItsLogChainOnly() {
    LayoutSegment segment =
        new LayoutSegment(0, LayoutSegment.OPEN, List.of(chain("a"), chain("b", "c")));
    assertThat(segment.path(entry(1, stream(0, 2)))).containsExactly(unit("b"), unit("c"));
    assertThatThrownBy(() -> segment.streamChainOf(StreamId.NONE, 1))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aTrimConcernsAllWhoMayHoldTheAddressThoseToComeLast() {
    LayoutSegment segment =
        new LayoutSegment(
                0,
                100,
                new ChainLayout(List.of(chain("a"), chain("b")), List.of(chain("s"), chain("t"))))
            .withTarget(
                Optional.of(
                    new ChainLayout(
                        List.of(chain("a", "c"), chain("b", "c")), List.of(chain("u")))));
    assertThat(segment.holdersOf(1))
        .containsExactly(unit("b"), unit("s"), unit("t"), unit("c"), unit("u"));
    assertThat(segment.units()).hasSize(6);
    StreamId any = stream(0, 2);
    assertThat(segment.joiningAt(1)).containsExactly(unit("c"));
    assertThat(segment.joining(entry(1, any))).containsExactly(unit("c"), unit("u"));
  }

  @Test
  void aUnitHoldsEitherTheLogOrStreams() {
    assertThatThrownBy(() -> new ChainLayout(List.of(chain("a", "b")), List.of(chain("b"))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("b:9000");
  }

  @Test
  void onlyALogChainMayBeLostAndOnlyWhereStreamsHaveWhatItHad() {
    Chain lost = new Chain(List.of());
    assertThatThrownBy(() -> new ChainLayout(List.of(chain("a"), lost)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new ChainLayout(List.of(chain("a")), List.of(lost)))
        .isInstanceOf(IllegalArgumentException.class);
    ChainLayout arrangement =
        new ChainLayout(List.of(chain("a"), lost), List.of(chain("s"), chain("t")));
    assertThatThrownBy(() -> new LayoutSegment(0, LayoutSegment.OPEN, arrangement))
        .isInstanceOf(IllegalArgumentException.class);
    LayoutSegment segment = new LayoutSegment(0, 10, arrangement);
    assertThat(segment.path(entry(1, stream(1, 2)))).containsExactly(unit("t"));
    assertThat(segment.holdersOf(1)).containsExactly(unit("s"), unit("t"));
  }

  @Test
  void whereverSegmentsAreDividedStreamsKeepTheirChains() {
    ChainLayout arrangement =
        new ChainLayout(
            List.of(chain("a"), chain("b"), chain("c")), List.of(chain("s"), chain("t")));
    LayoutSegment one = new LayoutSegment(0, LayoutSegment.OPEN, arrangement);
    LayoutSegment other = new LayoutSegment(7, LayoutSegment.OPEN, arrangement.turned(0, 7));
    for (long address = 7; address < 20; address++) {
      assertThat(other.chainOf(address)).isEqualTo(one.chainOf(address));
      assertThat(other.path(entry(address))).isEqualTo(one.path(entry(address)));
      assertThat(other.path(entry(address, stream(1, 2))))
          .isEqualTo(one.path(entry(address, stream(1, 2))));
    }
  }
}
