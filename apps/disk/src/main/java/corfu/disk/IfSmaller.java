package corfu.disk;

/** The choice for a disk that would lose its end. */
public enum IfSmaller {
  /** Leave it as it is. */
  REFUSE,
  /** Cut its end off. Older versions keep theirs. */
  SHRINK
}
