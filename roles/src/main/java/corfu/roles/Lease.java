package corfu.roles;

/**
 * A server's permission to answer reads: it was granted by a majority of the layout servers, and no
 * layout without the server is decided while it runs. Asked on the role's thread.
 */
@FunctionalInterface
public interface Lease {

  /** Whether what is answered now is not stale. */
  boolean isValid();

  /** For clusters that use no leases. */
  static Lease always() {
    return () -> true;
  }
}
