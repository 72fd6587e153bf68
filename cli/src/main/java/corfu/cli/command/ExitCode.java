package corfu.cli.command;

/** What a script learns from a command's exit status. */
public final class ExitCode {

  public static final int OK = 0;

  /** For none of the reasons below. */
  public static final int FAILED = 1;

  /** The command line or a configuration file is wrong. */
  public static final int USAGE = 2;

  /** Servers that were needed did not answer, or have no cluster yet; nothing was appended. */
  public static final int UNAVAILABLE = 3;

  /** An append may or may not have happened. */
  public static final int OUTCOME_UNKNOWN = 4;

  /** A disk is full; nothing was appended. */
  public static final int NO_SPACE = 5;

  /** The address has been trimmed. */
  public static final int TRIMMED = 6;

  /** The log ends before the address. */
  public static final int UNWRITTEN = 7;

  /** The servers belong to another cluster than the one that was meant. */
  public static final int WRONG_CLUSTER = 8;

  /** No replica can read the entry any more. */
  public static final int CORRUPT = 9;

  /** The entry exceeds the cluster's limit; nothing was sent. */
  public static final int TOO_LARGE = 10;

  /** The cluster serves, but can bear less than it should. */
  public static final int DEGRADED = 11;

  /** A command that does many things has done some of them; its message says which, and why. */
  public static final int PARTLY_DONE = 12;

  /** Nobody reads the command's output any more; what a shell says of a SIGPIPE. */
  public static final int OUTPUT_CLOSED = 141;

  private ExitCode() {}
}
