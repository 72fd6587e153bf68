package corfu.protocol.message;

import corfu.protocol.Incarnation;

/**
 * What a server says of its roles.
 *
 * @param logUnit of its log unit
 * @param sequencer of its sequencer
 * @param layoutServer of its layout server
 * @param unit which life of the log unit's disk this is; none without log unit
 * @param acceptor which life of the layout server's disk this is; none without layout server
 * @param detail what is wrong, for people; empty if nothing is
 */
public record Health(
    State logUnit,
    State sequencer,
    State layoutServer,
    Incarnation unit,
    Incarnation acceptor,
    String detail) {

  /** Of a server of which nothing is known. */
  public static final Health UNKNOWN =
      new Health(State.ABSENT, State.ABSENT, State.ABSENT, Incarnation.NONE, Incarnation.NONE, "");

  /** How a role is. The code is its number on the wire. */
  public enum State {
    /** The server does not have this role, or nothing is known of it. */
    ABSENT(0),
    /** It serves the newest epoch that it knows. */
    SERVING(1),
    /** It is sealed, and waits for the next layout. */
    SEALED(2),
    /** It has nothing to do: a spare, a sequencer that nobody has started. */
    IDLE(3),
    /** It has failed, and needs a restart or another disk. */
    BROKEN(4);

    private final byte code;

    State(int code) {
      this.code = (byte) code;
    }

    public byte code() {
      return code;
    }

    /**
     * The state of this code.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static State ofCode(int code) {
      return switch (code) {
        case 0 -> ABSENT;
        case 1 -> SERVING;
        case 2 -> SEALED;
        case 3 -> IDLE;
        case 4 -> BROKEN;
        default -> throw new IllegalArgumentException("no state of a role has code " + code);
      };
    }
  }
}
