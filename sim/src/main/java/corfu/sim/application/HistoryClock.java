package corfu.sim.application;

/** The shared clock and counters of a run's histories. */
public interface HistoryClock {

  /** Returns a moment that all clients share, later than all before. */
  long now();

  /** Counts an event for the run's report. The name of a failed event contains a comma. */
  void count(String what);
}
