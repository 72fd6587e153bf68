package corfu.sim.application;

/** What histories of a run have in common. */
public interface Moments {

  /** A moment that all clients share, later than all before. */
  long now();

  /** Something was done; how often is in the run's report. What went wrong has a comma in it. */
  void count(String what);
}
