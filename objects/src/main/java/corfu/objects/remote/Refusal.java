package corfu.objects.remote;

/** Why a host does not carry a call out. The code is its number in answers, and never changes. */
public enum Refusal {
  /** The host lacks the type, or a class of its values, or may not load it. */
  UNKNOWN_TYPE(1),
  /** The type has no such operation there, or the arguments are not read. */
  UNKNOWN_OPERATION(2),
  /** The object needs more memory than the host gives to all it hosts. */
  OBJECT_TOO_LARGE(3),
  /** The operation's result is larger than an answer may be. */
  RESULT_TOO_LARGE(4),
  /** The operation's result can't be written. */
  RESULT_CANNOT_TRAVEL(5),
  /** An operation of the object does not return at the host, and others wait for it. */
  STUCK(6),
  /**
   * The host can't do it just now: it does not reach the log, or has not got to the end in time.
   */
  NOT_NOW(7),
  /** The host is still playing what is in the log, and gets on: it is worth asking again. */
  PLAYING(8);

  private final int code;

  Refusal(int code) {
    this.code = code;
  }

  int code() {
    return code;
  }

  /** Whether it is the host's fault of the moment, so that somebody else may well do it. */
  public boolean mayPass() {
    return this == STUCK || this == NOT_NOW || this == PLAYING;
  }
}
