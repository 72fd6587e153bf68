package corfu.smr;

/** The replica was closed before it could reply. Submitted commands may still be applied. */
public final class ReplicaClosedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ReplicaClosedException(String name) {
    super("the replica of " + name + " is closed; commands in flight may still be applied");
  }
}
