package corfu.runtime.rebuild;

import corfu.protocol.Endpoint;
import corfu.protocol.StreamId;
import corfu.protocol.layout.Chain;
import corfu.protocol.layout.Layout;
import corfu.protocol.layout.LayoutSegment;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Reply;
import corfu.protocol.stream.StreamQuery;
import corfu.protocol.stream.StreamTail;
import corfu.runtime.Deadline;
import corfu.runtime.internal.rpc.Servers;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Tells the units that join a segment where streams have been trimmed. No entry carries these
 * marks. Every serving unit knows every trim that has returned. So one of them is asked, under the
 * layout that names the joining units. Later trims reach the joining units by themselves.
 * Thread-safe.
 */
final class StreamTrimMarks {

  private final Servers servers;
  private final Layout layout;
  private final Endpoint source;
  private final List<Endpoint> joining;

  StreamTrimMarks(Servers servers, Layout layout, LayoutSegment segment) {
    this.servers = servers;
    this.layout = layout;
    this.source =
        segment.log().stream()
            .filter(chain -> !chain.isLost())
            .map(Chain::tail)
            .findFirst()
            .orElseGet(() -> segment.stream().getFirst().tail());
    Set<Endpoint> fresh = segment.units();
    fresh.removeAll(segment.serving().units());
    this.joining = List.copyOf(fresh);
  }

  /** Tells the joining units the marks of the streams in one of the {@link StreamId#PARTS}. */
  void tell(int part, Deadline deadline) {
    StreamId after = StreamId.NONE;
    boolean isMore = !joining.isEmpty();
    while (isMore) {
      var request = new LogUnitRequest.ListStreams(layout.epoch(), part, after);
      var listed = servers.ask(source, request, LogUnitReply.Streams.class, deadline);
      List<StreamId> streams = listed.tails().stream().map(StreamTail::stream).toList();
      if (!streams.isEmpty()) {
        tell(streams, deadline);
        after = streams.getLast();
      }
      isMore = listed.more() && !streams.isEmpty();
    }
  }

  private void tell(List<StreamId> streams, Deadline deadline) {
    List<StreamQuery> queries =
        streams.stream().map(stream -> StreamQuery.below(stream, Long.MAX_VALUE)).toList();
    var request = new LogUnitRequest.FindInStreams(layout.epoch(), queries, 1);
    var found = servers.ask(source, request, LogUnitReply.FoundInStreams.class, deadline).found();
    for (Endpoint unit : joining) {
      List<CompletableFuture<Reply>> told = new ArrayList<>();
      for (int i = 0; i < found.size(); i++) {
        long before = found.get(i).trimmedBefore();
        if (before > 0) {
          var trim = new LogUnitRequest.TrimStream(layout.epoch(), streams.get(i), before);
          told.add(servers.send(unit, trim, deadline));
        }
      }
      told.forEach(done -> Servers.await(unit, done, Reply.Done.class));
    }
  }
}
