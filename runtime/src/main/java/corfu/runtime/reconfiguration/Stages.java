package corfu.runtime.reconfiguration;

/**
 * Is told how far a reconfiguration has come, on the thread that carries it out: for measuring.
 * Where a step had to be repeated it is told again.
 */
@FunctionalInterface
public interface Stages {

  /** What has been done, in this order. */
  enum Stage {
    /** The newest layout is known. */
    FOUND,

    /** All whom the next layout concerns are sealed. */
    SEALED,

    /** A majority of the layout servers has promised, and leases have run out. */
    PREPARED,

    /** A majority of the layout servers has accepted: the next layout is decided. */
    DECIDED,

    /** The sequencer serves the next epoch. */
    STARTED,

    /** Everybody who answers has the layout. */
    TOLD
  }

  void reached(Stage stage);

  /** Does nothing. */
  static Stages ignored() {
    return stage -> {};
  }
}
