package corfu.objects.remote;

import corfu.protocol.Endpoint;
import corfu.protocol.Epoch;
import corfu.protocol.StreamId;
import corfu.protocol.layout.Layout;
import corfu.protocol.layout.LayoutSegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The order in which clients ask servers about an object. It is the same at all clients, and begins
 * with the replicas of the object's stream. Thread-safe.
 */
public final class HostOrder {

  private final StreamId stream;
  private volatile @Nullable Known known;

  /**
   * The last computed order, and its epoch: an epoch has one layout, so the order holds for the
   * whole epoch.
   */
  private record Known(Epoch epoch, List<Endpoint> servers) {}

  /**
   * @param stream the object's
   */
  public HostOrder(StreamId stream) {
    this.stream = stream;
  }

  StreamId stream() {
    return stream;
  }

  /** All servers that may host it, the first to be asked first. */
  List<Endpoint> under(Layout layout) {
    Known last = known;
    if (last == null || !last.epoch().equals(layout.epoch())) {
      last = new Known(layout.epoch(), order(layout, stream));
      known = last;
    }
    return last.servers();
  }

  private static List<Endpoint> order(Layout layout, StreamId stream) {
    List<Endpoint> order = new ArrayList<>();
    LayoutSegment newest = layout.openSegment();
    if (!newest.stream().isEmpty()) {
      order.addAll(newest.streamChainOf(stream, newest.start()).replicas().reversed());
    }
    layout.servers().stream()
        .filter(server -> !order.contains(server))
        .sorted(Comparator.comparingLong(server -> weight(server, stream)))
        .forEach(order::add);
    return List.copyOf(order);
  }

  /** A number that spreads objects evenly, whichever servers there are. */
  private static long weight(Endpoint server, StreamId stream) {
    long mixed = stream.high() * 0x9e3779b97f4a7c15L + stream.low();
    for (int i = 0; i < server.host().length(); i++) {
      mixed = mixed * 31 + server.host().charAt(i);
    }
    mixed = (mixed + server.port()) * 0xbf58476d1ce4e5b9L;
    mixed ^= mixed >>> 29;
    mixed *= 0x94d049bb133111ebL;
    return mixed ^ mixed >>> 32;
  }
}
