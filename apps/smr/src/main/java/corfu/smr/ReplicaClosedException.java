package corfu.smr;

/** The replica was closed before it could answer; what was submitted may yet be carried out. */
public final class ReplicaClosedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ReplicaClosedException(String name) {
    super("the replica of " + name + " is closed; commands under way may yet be carried out");
  }
}
