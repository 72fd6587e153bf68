package corfu.roles;

/** A server's permission to answer reads. Asked on the role's thread, each time. */
@FunctionalInterface
public interface Lease {

  /** Whether the server has the permission now. */
  boolean isValid();

  /** Of a server that needs no permission: the cluster uses no leases. */
  static Lease always() {
    return () -> true;
  }
}
