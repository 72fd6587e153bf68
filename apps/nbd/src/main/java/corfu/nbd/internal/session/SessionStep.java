package corfu.nbd.internal.session;

/** The outcome of offering bytes to a phase of a session. */
enum SessionStep {
  /** It has processed a message, or a part of one, and may continue. */
  ADVANCED,
  /** It needs more bytes. */
  STARVED,
  /** It waits for something else than bytes; {@link ClientLink#proceed} follows. */
  BLOCKED,
  /** It has ended. */
  FINISHED
}
