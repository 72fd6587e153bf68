package corfu.runtime.reconfiguration;

/**
 * A listener for the progress of a reconfiguration, called on the thread that runs it. For
 * measurements. A repeated step is reported again.
 */
@FunctionalInterface
public interface Stages {

  /** The completed steps, in this order. */
  enum Stage {
    /** The newest layout is known. */
    FOUND,

    /** All servers that the next layout concerns are sealed. */
    SEALED,

    /** A majority of the layout servers has promised, and leases have run out. */
    PREPARED,

    /** A majority of the layout servers has accepted: the next layout is decided. */
    DECIDED,

    /** The sequencer serves the next epoch. */
    STARTED,

    /** All servers that answer have the layout. */
    TOLD
  }

  void reached(Stage stage);

  /** Returns a listener that does nothing. */
  static Stages ignored() {
    return stage -> {};
  }
}
