package corfu.nbd.internal.protocol;

/** The errors of replies. */
public enum NbdError {
  EPERM(1),
  EIO(5),
  ENOMEM(12),
  EINVAL(22),
  ENOSPC(28),
  EOVERFLOW(75),
  ENOTSUP(95),
  ESHUTDOWN(108);

  private final int code;

  NbdError(int code) {
    this.code = code;
  }

  /** Returns the code on the wire. */
  public int code() {
    return code;
  }
}
