package corfu.protocol.message;

import corfu.protocol.ClusterId;
import corfu.protocol.Epoch;

/**
 * Why a server did not do what it was asked. Nothing has been changed, except where {@link Broken}
 * says otherwise.
 */
public sealed interface Failure extends Reply {

  /**
   * The request's epoch is over. Fetch the layout and ask again.
   *
   * @param current the server's epoch
   */
  record Sealed(Epoch current) implements Failure {}

  /**
   * The request's epoch is one that the server has not been told of. Install the layout there and
   * ask again.
   *
   * @param current the server's epoch
   */
  record Behind(Epoch current) implements Failure {}

  /** The server belongs to no cluster yet. */
  record NotBootstrapped() implements Failure {}

  /** The server belongs to another cluster than the client expected. */
  record WrongCluster(ClusterId actual) implements Failure {}

  /**
   * The server does not have this role, or not in this epoch: for example a sequencer that nobody
   * has started.
   */
  record NotServing(String reason) implements Failure {}

  /** The request breaks the protocol or a limit; asking again is useless. */
  record Refused(Cause cause, String reason) implements Failure {}

  /** The server took on too much; it did nothing, and later it may. */
  record Overloaded(String reason) implements Failure {}

  /**
   * The server failed at it, for example because its disk did. Whether the request had an effect is
   * not known.
   */
  record Broken(String reason) implements Failure {}

  /** What was wrong with a refused request. The code is its number on the wire. */
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
     * The cause of this code.
     *
     * @throws IllegalArgumentException if there is none
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
