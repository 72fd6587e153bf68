package corfu.smr;

/** A state machine has commands or checkpoints already, so it cannot be seeded with a state. */
public final class MachineNotEmptyException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  MachineNotEmptyException(String name) {
    super(
        "the state machine %s has commands or checkpoints, so it cannot be seeded; use another name"
            .formatted(name));
  }
}
