package corfu.access;

/** The outcome of a command, the same on every server. */
public sealed interface PolicyOutcome {

  /**
   * The policy has changed.
   *
   * @param version the log address behind the command
   */
  record Changed(long version) implements PolicyOutcome {}

  /** The policy already was as the command says. */
  record Unchanged(String reason) implements PolicyOutcome {}

  /** The command is refused, and nothing has changed. */
  record Refused(String reason) implements PolicyOutcome {}
}
