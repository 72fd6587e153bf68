package corfu.roles.logunit.logfile;

/** The space that a record may use. */
public enum Purpose {
  /** Not the reserve, which is for records that make space. */
  DATA,
  /** Also the reserve: for records that make space, or that must be possible on a full disk. */
  KEEPING
}
