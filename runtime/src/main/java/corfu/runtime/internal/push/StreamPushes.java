package corfu.runtime.internal.push;

import corfu.protocol.Endpoint;
import corfu.protocol.Entry;
import corfu.protocol.StreamHeader;
import corfu.protocol.StreamId;
import corfu.protocol.layout.Chain;
import corfu.protocol.layout.Layout;
import corfu.protocol.layout.LayoutSegment;
import corfu.runtime.StreamAccess.Pushes;
import corfu.runtime.internal.session.ClientContext;
import corfu.runtime.internal.session.LogEntries;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * The listeners of one receiver. There is one for each log unit at which entries of the followed
 * streams become complete, whatever the number of streams. Thread-safe.
 */
final class StreamPushes implements Pushes {

  private final ClientContext context;
  private final Receiver receiver;
  private final Consumer<StreamPushes> onClose;
  private final ReentrantLock lock = new ReentrantLock();
  private final Set<StreamId> wanted = new HashSet<>();
  private final Map<Endpoint, PushConnection> connections = new HashMap<>();
  private boolean closed;

  /**
   * @param onClose the callback for the end of these pushes
   */
  StreamPushes(ClientContext context, Receiver receiver, Consumer<StreamPushes> onClose) {
    this.context = context;
    this.receiver = receiver;
    this.onClose = onClose;
  }

  @Override
  public void follow(Collection<StreamId> streams) {
    change(streams, true);
  }

  @Override
  public void unfollow(Collection<StreamId> streams) {
    change(streams, false);
  }

  private void change(Collection<StreamId> streams, boolean isWanted) {
    lock.lock();
    try {
      for (StreamId stream : streams) {
        boolean isNew = isWanted ? wanted.add(stream) : wanted.remove(stream);
        if (isNew && !isWanted) {
          connections.values().forEach(connection -> connection.change(stream, false));
        }
      }
      if (isWanted && !closed) {
        Layout layout = context.layout();
        for (Map.Entry<Endpoint, Set<StreamId>> tail : byTail(layout, streams).entrySet()) {
          PushConnection connection = connectionOf(tail.getKey());
          tail.getValue().forEach(stream -> connection.change(stream, true));
        }
      }
    } finally {
      lock.unlock();
    }
  }

  private PushConnection connectionOf(Endpoint unit) {
    PushConnection known = connections.get(unit);
    if (known != null) {
      return known;
    }
    PushConnection connection = new PushConnection(this, context, unit);
    connections.put(unit, connection);
    context.world().start("corfu-listen-" + unit, connection::run);
    return connection;
  }

  /** Returns the units at which entries of these streams become complete. */
  private static Map<Endpoint, Set<StreamId>> byTail(Layout layout, Collection<StreamId> streams) {
    Map<Endpoint, Set<StreamId>> byTail = new LinkedHashMap<>();
    LayoutSegment open = layout.openSegment();
    for (StreamId stream : streams) {
      if (open.stream().isEmpty()) {
        for (Chain chain : open.log()) {
          byTail.computeIfAbsent(chain.tail(), unit -> new HashSet<>()).add(stream);
        }
      } else {
        Endpoint tail = open.streamChainOf(stream, open.start()).tail();
        byTail.computeIfAbsent(tail, unit -> new HashSet<>()).add(stream);
      }
    }
    return byTail;
  }

  /**
   * Returns the streams to follow at a unit under a layout, from the beginning. Also starts
   * listeners for the other units that the layout needs.
   *
   * @return empty if the unit needs no listener; its listener is then removed
   */
  Set<StreamId> beginAt(Endpoint unit, Layout layout) {
    lock.lock();
    try {
      Map<Endpoint, Set<StreamId>> byTail = closed ? Map.of() : byTail(layout, wanted);
      byTail.keySet().forEach(this::connectionOf);
      Set<StreamId> streams = byTail.getOrDefault(unit, Set.of());
      if (streams.isEmpty()) {
        connections.remove(unit);
      }
      return streams;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Removes a listener whose unit has no stream to follow. Returns false if that is no longer so.
   */
  boolean endAt(Endpoint unit, PushConnection connection) {
    lock.lock();
    try {
      if (!closed && connection.hasChanges()) {
        return false;
      }
      connections.remove(unit, connection);
      return true;
    } finally {
      lock.unlock();
    }
  }

  void missed() {
    receiver.missed();
  }

  /**
   * Receives an entry that a unit has pushed. The entry is complete if the unit is the tail of its
   * log chain. For a stream with replicas of its own, the unit must be the tail of the stream's
   * chain.
   */
  void told(Entry entry, Endpoint unit, Layout layout) {
    LayoutSegment open = layout.openSegment();
    if (!open.covers(entry.address()) || entry.isHole()) {
      return; // a copy of an entry that was complete long ago
    }
    List<StreamHeader> complete = new ArrayList<>(entry.streamCount());
    for (StreamHeader header : entry.streams()) {
      Chain chain =
          open.stream().isEmpty()
              ? open.chainOf(entry.address())
              : open.streamChainOf(header.stream(), entry.address());
      if (chain.tail().equals(unit)) {
        complete.add(header);
      }
    }
    if (!complete.isEmpty()) {
      receiver.pushed(LogEntries.data(entry), complete);
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      wanted.clear();
      connections.values().forEach(PushConnection::stop);
      connections.clear();
    } finally {
      lock.unlock();
    }
    onClose.accept(this);
    receiver.closed();
  }
}
