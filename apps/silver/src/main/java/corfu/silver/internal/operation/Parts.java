package corfu.silver.internal.operation;

import corfu.protocol.StreamId;
import corfu.protocol.stream.StreamPart;
import corfu.silver.NodeId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Collects the parts of streams of one change, each stream once. For one thread. */
final class Parts {

  private final Map<StreamId, Set<Long>> parts = new LinkedHashMap<>();

  Parts with(NodeId node, Long... keys) {
    parts.computeIfAbsent(node.stream(), stream -> new LinkedHashSet<>()).addAll(List.of(keys));
    return this;
  }

  List<StreamPart> list() {
    List<StreamPart> list = new ArrayList<>(parts.size());
    parts.forEach((stream, keys) -> list.add(new StreamPart(stream, List.copyOf(keys))));
    return list;
  }

  /** Returns the parts and one stream as a whole. */
  List<StreamPart> listWithWhole(NodeId node) {
    parts.remove(node.stream());
    List<StreamPart> list = list();
    list.add(Keys.whole(node));
    return list;
  }
}
