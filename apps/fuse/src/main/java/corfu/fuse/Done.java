package corfu.fuse;

/** The value of a request that succeeds without one. */
public enum Done {
  DONE
}
