package corfu.node;

import corfu.protocol.Endpoint;
import corfu.protocol.Epoch;
import corfu.roles.Lease;
import corfu.world.World;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What layout servers have granted, added up: valid while a majority of them has granted it. Lives
 * on the server's loop.
 */
final class ServerLease implements Lease {

  private final World world;

  /** By the world's clock, which may wrap: only differences from now are compared. */
  private final Map<Endpoint, Long> until = new HashMap<>();

  private Collection<Endpoint> grantors = List.of();
  private Epoch newest = Epoch.NONE; // whose layout servers they are
  private boolean granted;
  private long validUntil;

  ServerLease(World world) {
    this.world = world;
  }

  /**
   * Who must grant it from now on; what they have granted before counts.
   *
   * @param epoch whose layout servers they are
   */
  void dependOn(Epoch epoch, Collection<Endpoint> layoutServers) {
    newest = epoch;
    grantors = List.copyOf(layoutServers);
    until.keySet().retainAll(grantors);
    addUp();
  }

  /**
   * Granted for so long, counted from the moment when it was asked for. Answers may come in any
   * order.
   */
  void granted(Endpoint by, long askedNanos, long nanos) {
    if (grantors.contains(by)) {
      until.merge(by, askedNanos + nanos, (a, b) -> a - b > 0 ? a : b);
      addUp();
    }
  }

  private void addUp() {
    long now = world.nanoTime();
    List<Long> remaining = new ArrayList<>();
    until.values().forEach(end -> remaining.add(end - now));
    remaining.sort((a, b) -> Long.compare(b, a));
    int majority = grantors.size() / 2 + 1;
    granted = remaining.size() >= majority;
    validUntil = granted ? now + remaining.get(majority - 1) : now;
  }

  @Override
  public boolean isValidIn(Epoch epoch) {
    return epoch.equals(newest) && isValid();
  }

  boolean isValid() {
    return granted && validUntil - world.nanoTime() > 0;
  }
}
