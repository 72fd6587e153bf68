package corfu.cli.status;

import corfu.protocol.Endpoint;
import corfu.protocol.layout.Chain;
import corfu.protocol.layout.LayoutSegment;
import corfu.protocol.message.NodeReply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The copy of a segment to its target log units.
 *
 * @param from the sources of the copy
 * @param to the destinations; empty if log units only leave
 * @param progress the reported progress, or empty before the start
 */
public record SegmentCopy(
    LayoutSegment segment,
    Set<Endpoint> from,
    Set<Endpoint> to,
    Optional<NodeReply.Rebuild> progress) {

  public static List<SegmentCopy> in(ClusterStatus view) {
    Map<Long, NodeReply.Rebuild> told = view.progress();
    List<SegmentCopy> all = new ArrayList<>();
    for (LayoutSegment segment : view.layout().segments()) {
      if (segment.hasTarget()) {
        all.add(of(segment, Optional.ofNullable(told.get(segment.start()))));
      }
    }
    return all;
  }

  private static SegmentCopy of(LayoutSegment segment, Optional<NodeReply.Rebuild> progress) {
    Set<Endpoint> from = new LinkedHashSet<>();
    Set<Endpoint> to = new LinkedHashSet<>();
    long period =
        (long) segment.stripes() * segment.target().map(aim -> aim.log().size()).orElse(1);
    long end = Math.min(segment.end(), segment.start() + period);
    for (long address = segment.start(); address < end; address++) {
      List<Endpoint> joining = segment.joiningAt(address);
      if (!joining.isEmpty()) {
        from.addAll(sources(segment, segment.chainOf(address)));
        to.addAll(joining);
      }
    }
    Set<Endpoint> toStreams = new LinkedHashSet<>();
    segment.target().ifPresent(aim -> toStreams.addAll(aim.streamUnits()));
    segment.serving().streamUnits().forEach(toStreams::remove);
    if (!toStreams.isEmpty()) {
      segment.log().forEach(chain -> from.addAll(sources(segment, chain)));
      to.addAll(toStreams);
    }
    return new SegmentCopy(segment, from, to, progress);
  }

  /** Returns the sources of a chain: its tail, or the stream replicas if the chain is lost. */
  private static List<Endpoint> sources(LayoutSegment segment, Chain log) {
    return log.isLost() ? segment.serving().streamUnits() : List.of(log.tail());
  }

  long addresses() {
    return segment.end() - segment.start();
  }

  /** Returns the number of copied addresses. */
  long done() {
    return progress.map(now -> now.copiedTo() - segment.start()).orElse(0L);
  }

  int percent() {
    return (int) (100 * done() / addresses());
  }

  /** Returns the number of bytes that the present run has copied. */
  long bytes() {
    return progress.map(NodeReply.Rebuild::bytes).orElse(0L);
  }

  long bytesPerSecond() {
    return progress
        .filter(now -> now.elapsedMillis() > 0)
        .map(now -> now.bytes() * 1000 / now.elapsedMillis())
        .orElse(0L);
  }

  /** Returns the expected remaining time at the present speed, or empty if no copy has begun. */
  public static Optional<Duration> timeLeft(List<SegmentCopy> all) {
    double done = 0;
    double millis = 0;
    double left = 0;
    for (SegmentCopy one : all) {
      left += one.addresses() - one.done();
      if (one.progress.isPresent()) {
        done += one.done();
        millis += one.progress.get().elapsedMillis();
      }
    }
    return done == 0
        ? Optional.empty()
        : Optional.of(Duration.ofMillis((long) (left * millis / done)));
  }

  public static int percentOf(List<SegmentCopy> all) {
    double done = all.stream().mapToDouble(SegmentCopy::done).sum();
    double total = all.stream().mapToDouble(SegmentCopy::addresses).sum();
    return total == 0 ? 100 : (int) (100 * done / total);
  }
}
