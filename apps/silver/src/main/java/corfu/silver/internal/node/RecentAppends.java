package corfu.silver.internal.node;

import java.util.LinkedHashSet;
import java.util.Set;

/** The log addresses of the last entries that this client has appended. Thread-safe. */
public final class RecentAppends {

  private static final int MOST = 16_384;

  private final Set<Long> addresses = new LinkedHashSet<>();

  /** Adds an entry. The oldest one is given up if there are too many. */
  public synchronized void add(long address) {
    if (addresses.add(address) && addresses.size() > MOST) {
      addresses.remove(addresses.iterator().next());
    }
  }

  /** Returns whether this client has appended an entry, as far as is remembered. */
  public synchronized boolean has(long address) {
    return addresses.contains(address);
  }
}
