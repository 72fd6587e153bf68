package corfu.zookeeper.differential;

import corfu.zookeeper.wire.Packet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The order of watch events. If a session ends, ZooKeeper deletes its ephemeral nodes in the order
 * of a hash table, so events of the same zxid have no order that a client can rely on.
 */
final class EventOrder {

  private EventOrder() {}

  /** Returns the events with each run of equal zxids sorted. Events without a zxid stay. */
  static List<Packet> comparable(List<Packet> events) {
    List<Packet> ordered = new ArrayList<>();
    int start = 0;
    while (start < events.size()) {
      int end = start + 1;
      long zxid = events.get(start).zxid();
      while (zxid > 0 && end < events.size() && events.get(end).zxid() == zxid) {
        end++;
      }
      events.subList(start, end).stream()
          .sorted(Comparator.comparing(Packet::body, Arrays::compare))
          .forEach(ordered::add);
      start = end;
    }
    return ordered;
  }
}
