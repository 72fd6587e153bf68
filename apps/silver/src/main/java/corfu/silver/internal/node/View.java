package corfu.silver.internal.node;

import corfu.protocol.stream.Condition;
import corfu.protocol.stream.StreamPart;
import corfu.runtime.AsOf;
import corfu.silver.NodeId;
import corfu.silver.internal.inode.Inode;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The states that an operation looks at. Either they are as this client last saw them, or they
 * include everything that had ended before the operation. For one thread.
 */
public final class View {

  private final Nodes nodes;
  private final boolean isNew;
  private final Trust trust;
  private boolean isTrusted = true; // as long as memory knew every state for certain
  private final Map<NodeId, Played> seen = new HashMap<>();

  private View(Nodes nodes, boolean isNew, Trust trust) {
    this.nodes = nodes;
    this.isNew = isNew;
    this.trust = trust;
  }

  /** Returns a view that may be old. Its condition tells whether it was. */
  static View known(Nodes nodes, Trust trust) {
    return new View(nodes, false, trust);
  }

  /** Returns a view of the newest states. */
  static View newest(Nodes nodes) {
    return new View(nodes, true, Trust.NONE);
  }

  /** Returns whether the states include everything that had ended before the view was made. */
  boolean isNew() {
    return isNew || isTrusted;
  }

  /** Returns the state of a node, or empty if it does not exist. */
  public Optional<Inode> get(NodeId id) {
    return seen.computeIfAbsent(id, this::look).inode();
  }

  private Played look(NodeId id) {
    if (isNew) {
      return nodes.newest(id);
    }
    Optional<Played> trusted = nodes.trusted(id, trust);
    if (trusted.isPresent()) {
      return trusted.get();
    }
    Optional<Played> known = nodes.known(id);
    isTrusted &= known.isEmpty();
    return known.orElseGet(() -> nodes.newest(id));
  }

  /** Looks at several nodes with one question. */
  public void lookAt(Collection<NodeId> ids) {
    List<NodeId> unseen = ids.stream().filter(id -> !seen.containsKey(id)).toList();
    if (isNew && unseen.size() > 1) {
      var ends = nodes.ends(unseen, List.of());
      unseen.forEach(id -> seen.put(id, nodes.play(id, ends)));
    }
  }

  /** Returns the condition that these parts are still as the view has seen them. */
  Optional<Condition> condition(List<StreamPart> reads) {
    return reads.isEmpty()
        ? Optional.empty()
        : Optional.of(new Condition(oldest().snapshot(), reads));
  }

  AsOf asOf() {
    return seen.isEmpty() ? AsOf.DECIDED : oldest().asOf();
  }

  private Played oldest() {
    return seen.values().stream()
        .min((one, other) -> Long.compare(one.snapshot(), other.snapshot()))
        .orElseThrow(() -> new IllegalStateException("a condition without a look at a node"));
  }
}
