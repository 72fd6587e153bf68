package corfu.smr;

/** Every replica's state machine refused a command; the state is unchanged. */
public final class CommandFailedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  CommandFailedException(Command command, RuntimeException cause) {
    super(
        "command %d of the entry at address %s failed: %s"
            .formatted(command.index(), command.address(), cause.getMessage()),
        cause);
  }
}
