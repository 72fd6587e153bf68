package corfu.sim.application;

/** What a run tells an {@link Application}, and is told by it. */
public interface Stage extends Moments {

  /** A value that nobody has used in this run, above 0. */
  long newValue();

  /** Whether reads are up to date: without leases they may be of what was before. */
  boolean isUpToDate();

  /** Something that happens rarely did. */
  void reached(String what);

  /** Something promised is not so: the run has failed. */
  void broken(String promise, String how);

  /** Something failed that never should: the run has failed. */
  void unexpected(String where, Throwable failure);
}
