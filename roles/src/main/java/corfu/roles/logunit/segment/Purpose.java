package corfu.roles.logunit.segment;

/** The space that a record may take. */
public enum Purpose {
  /** Not the reserve: others need it for making space. */
  DATA,
  /** Also the reserve: what makes space, or has to be possible when there is none. */
  KEEPING
}
