package corfu.roles;

import corfu.protocol.Epoch;

/**
 * A server's permission to answer reads. A majority of the layout servers has granted it, and while
 * it runs no layout without the server is decided. Called on the role's thread.
 */
@FunctionalInterface
public interface Lease {

  /**
   * Returns whether a reply given now is not stale. Grants of another epoch's layout servers count
   * only if the epoch has the same ones: an epoch's own layout servers decide the next layout.
   *
   * @param epoch the epoch that the role serves
   */
  boolean isValidIn(Epoch epoch);

  /** Returns a lease that is always valid, for clusters without leases. */
  static Lease always() {
    return epoch -> true;
  }
}
