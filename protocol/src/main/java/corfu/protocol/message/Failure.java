package corfu.protocol.message;

import corfu.protocol.ClusterId;
import corfu.protocol.Epoch;
import corfu.protocol.Permission;
import corfu.protocol.StreamId;
import java.util.Optional;

/**
 * The reason why a server did not carry out a request. Nothing has changed, except where {@link
 * Broken} says otherwise.
 */
public sealed interface Failure extends Reply {

  /**
   * The request's epoch is over. The client fetches the layout and asks again.
   *
   * @param current the server's epoch
   */
  record Sealed(Epoch current) implements Failure {}

  /**
   * The server does not know the request's epoch yet. The client installs the layout there and asks
   * again.
   *
   * @param current the server's epoch
   */
  record Behind(Epoch current) implements Failure {}

  /** The server belongs to no cluster yet. */
  record NotBootstrapped() implements Failure {}

  /** The server belongs to another cluster than the client expected. */
  record WrongCluster(ClusterId actual) implements Failure {}

  /**
   * The server does not have this role, or not in this epoch: for example, a sequencer that nobody
   * has started.
   */
  record NotServing(String reason) implements Failure {}

  /** The request breaks the protocol or a limit. A retry is useless. */
  record Refused(Cause cause, String reason) implements Failure {}

  /** The server is overloaded. It did nothing; a later retry may succeed. */
  record Overloaded(String reason) implements Failure {}

  /**
   * The server failed during the request, for example because its disk failed. Whether the request
   * had an effect is unknown.
   */
  record Broken(String reason) implements Failure {}

  /**
   * The client lacks a permission. A retry is useless until somebody grants it, or until the client
   * has {@linkplain NodeRequest.Introduce introduced} the stream's name. From version 3 of the
   * schema on; a client of an earlier version gets {@link Refused} instead.
   *
   * @param permission the missing permission
   * @param stream the stream for which it is missing, or empty if it is not for a stream
   * @param reason the missing grant, the client's identity and what to do, for people
   */
  record Forbidden(Permission permission, Optional<StreamId> stream, String reason)
      implements Failure {}

  /**
   * The client has used its quota. From version 3 of the schema on; a client of an earlier version
   * gets {@link Overloaded} instead.
   *
   * @param reason the quota and its limit, for people
   * @param waitMillis the time after which a retry may succeed, in milliseconds, 0 or more
   */
  record OverQuota(String reason, int waitMillis) implements Failure {
    public OverQuota {
      if (waitMillis < 0) {
        throw new IllegalArgumentException("a wait of " + waitMillis + " ms");
      }
    }
  }

  /** The error in a refused request. The code is its number on the wire. */
  enum Cause {
    MALFORMED(1),
    UNKNOWN_TYPE(2),
    UNSUPPORTED_VERSION(3),
    TOO_LARGE(4);

    private final byte code;

    Cause(int code) {
      this.code = (byte) code;
    }

    public byte code() {
      return code;
    }

    /**
     * Returns the cause of a code.
     *
     * @throws IllegalArgumentException if no cause has this code
     */
    public static Cause ofCode(int code) {
      return switch (code) {
        case 1 -> MALFORMED;
        case 2 -> UNKNOWN_TYPE;
        case 3 -> UNSUPPORTED_VERSION;
        case 4 -> TOO_LARGE;
        default -> throw new IllegalArgumentException("no cause of refusal has code " + code);
      };
    }
  }
}
