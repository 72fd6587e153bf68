package corfu.protocol;

import java.util.Locale;

/**
 * A permission that an identity can have. No permission includes another one, except that {@link
 * #ADMINISTER} includes all. The code is its number on the wire and in the log.
 */
public enum Permission {
  /** Reads entries of streams, by any way, and the ends of streams. */
  READ(1),
  /** Gets tokens in streams, and writes entries all of whose streams are granted. */
  APPEND(2),
  /** Trims streams, and entries all of whose streams are granted. */
  TRIM(3),
  /** Reads all entries of the log, also those of no stream. */
  READ_LOG(4),
  /** Appends entries of no stream, and fills addresses with holes. */
  APPEND_LOG(5),
  /** Sees the state of the cluster: status, usage, reports, the policy, the audit log. */
  OBSERVE(6),
  /** Changes the cluster: layouts, seals, repairs, resets, compression, prefix trims. */
  OPERATE(7),
  /** Changes the policy, and has all other permissions. */
  ADMINISTER(8);

  private final byte code;

  Permission(int code) {
    this.code = (byte) code;
  }

  public byte code() {
    return code;
  }

  /** Returns whether the permission is for streams, and not for the log or the cluster. */
  public boolean isForStreams() {
    return this == READ || this == APPEND || this == TRIM;
  }

  /** Returns the name for people, for example {@code read-log}. */
  public String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * Returns the permission of a code.
   *
   * @throws IllegalArgumentException if no permission has this code
   */
  public static Permission ofCode(int code) {
    for (Permission permission : values()) {
      if (permission.code == code) {
        return permission;
      }
    }
    throw new IllegalArgumentException("no permission has code " + code);
  }

  /**
   * Returns the permission of a name that {@link #text} returns.
   *
   * @throws IllegalArgumentException if no permission has this name
   */
  public static Permission parse(String text) {
    for (Permission permission : values()) {
      if (permission.text().equals(text)) {
        return permission;
      }
    }
    throw new IllegalArgumentException(
        "no permission is called "
            + text
            + "; they are read, append, trim, read-log, append-log, observe, operate, administer");
  }
}
