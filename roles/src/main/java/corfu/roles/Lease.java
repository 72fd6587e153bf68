package corfu.roles;

import corfu.protocol.Epoch;

/**
 * A server's permission to answer reads: it was granted by a majority of the layout servers, and no
 * layout without the server is decided while it runs. Asked on the role's thread.
 */
@FunctionalInterface
public interface Lease {

  /**
   * Whether what is answered now is not stale. What layout servers of another epoch have granted
   * says nothing where the epoch has others: it is they who decide what follows it.
   *
   * @param epoch that the role serves
   */
  boolean isValidIn(Epoch epoch);

  /** For clusters that use no leases. */
  static Lease always() {
    return epoch -> true;
  }
}
