package corfu.disk;

/** The choice for a disk that another server writes. */
public enum IfInUse {
  /** Leave it alone. */
  REFUSE,
  /** Take it over: whatever the other server still sends has no effect. */
  TAKE_OVER
}
