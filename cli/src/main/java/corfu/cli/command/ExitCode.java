package corfu.cli.command;

/** The exit statuses of commands. */
public final class ExitCode {

  public static final int OK = 0;

  /** The command failed for another reason than those below. */
  public static final int FAILED = 1;

  /** The command line or a configuration file is wrong. */
  public static final int USAGE = 2;

  /** Needed servers did not answer, or belong to no cluster yet; nothing was appended. */
  public static final int UNAVAILABLE = 3;

  /** An append may or may not have happened. */
  public static final int OUTCOME_UNKNOWN = 4;

  /** A disk is full; nothing was appended. */
  public static final int NO_SPACE = 5;

  /** The address has been trimmed. */
  public static final int TRIMMED = 6;

  /** The log ends before the address. */
  public static final int UNWRITTEN = 7;

  /** The servers belong to another cluster than the expected one. */
  public static final int WRONG_CLUSTER = 8;

  /** No replica of the entry is readable. */
  public static final int CORRUPT = 9;

  /** The entry exceeds the cluster's limit; nothing was sent. */
  public static final int TOO_LARGE = 10;

  /** The cluster serves, but has fewer copies, spares or free bytes than it should. */
  public static final int DEGRADED = 11;

  /** The command did only a part of its work; its message says which part, and why. */
  public static final int PARTLY_DONE = 12;

  /** This client, or the checked identity, lacks a permission; nothing was done. */
  public static final int DENIED = 13;

  /** The client has used its quota; nothing was appended. */
  public static final int OVER_QUOTA = 14;

  /** The reader of the output has gone; a shell reports a SIGPIPE by the same status. */
  public static final int OUTPUT_CLOSED = 141;

  private ExitCode() {}
}
