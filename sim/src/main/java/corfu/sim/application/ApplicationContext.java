package corfu.sim.application;

/** The interface between a run and its {@link Application}. */
public interface ApplicationContext extends HistoryClock {

  /** Returns a value above 0 that was not used in this run. */
  long newValue();

  /** Returns whether reads are linearizable. Without leases they may return an earlier state. */
  boolean isUpToDate();

  /** Counts a rare event. */
  void reached(String what);

  /** Reports a broken guarantee: the run has failed. */
  void broken(String promise, String how);

  /** Reports an unexpected exception: the run has failed. */
  void unexpected(String where, Throwable failure);
}
