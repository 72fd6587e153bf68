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
 * The sum of the layout servers' grants: valid while a majority of them has granted it. Lives on
 * the server's loop.
 */
final class ServerLease implements Lease {

  private final World world;

  /**
   * The end of each grant by the world's clock, which may wrap: only differences from now are
   * compared.
   */
  private final Map<Endpoint, Long> until = new HashMap<>();

  private Collection<Endpoint> grantors = List.of();
  private Epoch newest = Epoch.NONE; // the epoch of the grantors
  private boolean granted;
  private long validUntil;

  ServerLease(World world) {
    this.world = world;
  }

  /**
   * Sets the layout servers that must grant the lease from now on; their former grants count.
   *
   * @param epoch the epoch of these layout servers
   * @param layoutServers the layout servers
   */
  void dependOn(Epoch epoch, Collection<Endpoint> layoutServers) {
    newest = epoch;
    grantors = List.copyOf(layoutServers);
    until.keySet().retainAll(grantors);
    addUp();
  }

  /** Records a grant, whose duration counts from the request. Replies may arrive in any order. */
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
