package corfu.sim.application;

import java.util.function.Consumer;

/**
 * One run of an {@link Application}. All of it happens on the simulation's one thread, in turns.
 */
public interface Play {

  /**
   * A process of a client has come to life. Tried again if it fails as {@link
   * corfu.runtime.CorfuException}.
   *
   * @return what each of its threads does, until that seat is over
   */
  Consumer<Seat> enter(Seat process);

  /** Nobody does anything any more, and nothing is wrong: looks at what there is in the end. */
  void audit(Seat auditor);

  /** Says what was not as promised, once all is over. */
  void check();
}
