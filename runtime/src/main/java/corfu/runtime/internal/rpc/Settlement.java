package corfu.runtime.internal.rpc;

import corfu.protocol.AddressSet;
import corfu.protocol.Endpoint;
import corfu.protocol.StreamId;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.NodeRequest;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.runtime.Deadline;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Asks servers to finish what this client may not finish itself: entries, holes and trims that
 * others have begun, and ends of streams (docs/design.md, section 9). Thread-safe.
 */
public final class Settlement {

  /** The most servers to ask. Any one can do it. */
  private static final int MOST_ASKED = 3;

  private final Servers servers;

  public Settlement(Servers servers) {
    this.servers = servers;
  }

  /**
   * Has the addresses decided.
   *
   * @throws RetryableException if no asked server did it
   */
  public void settle(AddressSet addresses, Layout layout, Deadline deadline) {
    List<Endpoint> first =
        layout.isBefore(addresses.at(0)) ? List.of() : holders(addresses, layout);
    ask(new NodeRequest.Settle(addresses), first, layout, deadline);
  }

  private static List<Endpoint> holders(AddressSet addresses, Layout layout) {
    return layout.segmentOf(addresses.at(0)).holdersOf(addresses.at(0));
  }

  /**
   * Has the sequencer told where these streams end.
   *
   * @throws RetryableException if no asked server did it
   */
  public void settleStreams(List<StreamId> streams, Layout layout, Deadline deadline) {
    ask(new NodeRequest.SettleStreams(streams), layout.sequencers(), layout, deadline);
  }

  /** Asks the servers that have the work near, then others. */
  private void ask(Request request, List<Endpoint> first, Layout layout, Deadline deadline) {
    List<Endpoint> order = new ArrayList<>(first);
    layout.servers().stream().filter(server -> !first.contains(server)).forEach(order::add);
    Optional<RetryableException> failure = Optional.empty();
    for (Endpoint server : order.subList(0, Math.min(order.size(), MOST_ASKED))) {
      try {
        servers.ask(server, request, Reply.Done.class, deadline);
        return;
      } catch (RetryableException refused) {
        failure = Optional.of(failure.orElse(refused));
      }
    }
    throw failure.orElseThrow();
  }
}
