package corfu.zookeeper.simulation;

import corfu.sim.application.ApplicationContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.proto.ExistsRequest;
import org.apache.zookeeper.proto.GetChildren2Request;
import org.apache.zookeeper.proto.GetDataRequest;
import org.apache.zookeeper.proto.ReplyHeader;
import org.apache.zookeeper.proto.SetWatches;

/** The watches of a client, as ZooKeeper's own client keeps them: each fires once. */
final class ClientWatches {

  private final ApplicationContext stage;
  private final NamespaceHistory history;
  private final Map<WatchKind, Map<String, Long>> armed = new TreeMap<>(); // zxids, by paths
  private boolean isRearming;

  ClientWatches(ApplicationContext stage, NamespaceHistory history) {
    this.stage = stage;
    this.history = history;
    clear();
  }

  void clear() {
    isRearming = false;
    for (WatchKind kind : WatchKind.values()) {
      armed.put(kind, new TreeMap<>());
    }
  }

  private Map<String, Long> of(WatchKind kind) {
    return armed.getOrDefault(kind, Map.of());
  }

  /** A read has succeeded; a watch has the read's zxid, unless there is an older one. */
  void armed(Call call, ReplyHeader reply) {
    boolean isPresent = reply.getErr() == 0;
    boolean isAbsent = reply.getErr() == Code.NONODE.intValue();
    switch (call.body()) {
      case GetDataRequest read when read.getWatch() && isPresent ->
          arm(WatchKind.DATA, read.getPath(), reply);
      case ExistsRequest look when look.getWatch() && (isPresent || isAbsent) ->
          arm(isPresent ? WatchKind.DATA : WatchKind.EXIST, look.getPath(), reply);
      case GetChildren2Request list when list.getWatch() && isPresent ->
          arm(WatchKind.CHILD, list.getPath(), reply);
      case null, default -> {}
    }
  }

  private void arm(WatchKind kind, String path, ReplyHeader reply) {
    of(kind).putIfAbsent(path, reply.getZxid());
  }

  /** Returns the request that arms the watches again on another connection, if there are any. */
  Optional<SetWatches> toRearm(long lastZxid) {
    if (armed.values().stream().allMatch(Map::isEmpty)) {
      return Optional.empty();
    }
    isRearming = true;
    return Optional.of(
        new SetWatches(
            lastZxid,
            List.copyOf(of(WatchKind.DATA).keySet()),
            List.copyOf(of(WatchKind.EXIST).keySet()),
            List.copyOf(of(WatchKind.CHILD).keySet())));
  }

  /** A node that came and went meanwhile fires no watch for it to exist. */
  void rearmed(long zxid) {
    isRearming = false;
    of(WatchKind.EXIST).replaceAll((path, since) -> zxid);
    stage.count("watches armed again");
  }

  void fired(String client, WatchedEvent event) {
    List<WatchKind> kinds =
        switch (event.getType()) {
          case NodeCreated, NodeDataChanged -> List.of(WatchKind.DATA, WatchKind.EXIST);
          case NodeDeleted -> List.of(WatchKind.DATA, WatchKind.EXIST, WatchKind.CHILD);
          case NodeChildrenChanged -> List.of(WatchKind.CHILD);
          default -> List.of();
        };
    List<WatchKind> fired = new ArrayList<>();
    for (WatchKind kind : kinds) {
      Long since = of(kind).remove(event.getPath());
      if (since != null) {
        fired.add(kind);
        if (history.firstChange(event.getPath(), kind, since, history.lastZxid()).isEmpty()) {
          stage.broken("Watches", "%s: %s without a change".formatted(client, event));
        }
      }
    }
    if (fired.isEmpty() && !isRearming) {
      stage.broken("Watches", "%s: no watch was armed for %s".formatted(client, event));
    }
  }

  /** Checks that each change up to a zxid has fired the watches for it. */
  void checkNoneMissed(String client, long zxid) {
    if (isRearming) {
      return;
    }
    armed.forEach(
        (kind, paths) ->
            paths.replaceAll((path, since) -> unfired(client, kind, path, since, zxid)));
  }

  private long unfired(String client, WatchKind kind, String path, long since, long zxid) {
    history
        .firstChange(path, kind, since, zxid)
        .ifPresent(
            change ->
                stage.broken(
                    "Watches",
                    "%s saw zxid %d, but no event for change %d of %s (%s watched since %d)"
                        .formatted(client, zxid, change, path, kind, since)));
    return Math.max(since, zxid);
  }
}
