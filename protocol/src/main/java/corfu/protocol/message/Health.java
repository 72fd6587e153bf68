package corfu.protocol.message;

import corfu.protocol.Incarnation;

/**
 * A server's report on its roles.
 *
 * @param logUnit the state of its log unit
 * @param sequencer the state of its sequencer
 * @param layoutServer the state of its layout server
 * @param unit the life of the log unit's disk, or {@link Incarnation#NONE} without a log unit
 * @param acceptor the life of the layout server's disk, or {@link Incarnation#NONE} without a
 *     layout server
 * @param detail a description of the fault, for people; empty if there is none
 */
public record Health(
    State logUnit,
    State sequencer,
    State layoutServer,
    Incarnation unit,
    Incarnation acceptor,
    String detail) {

  /** The health of a server about which nothing is known. */
  public static final Health UNKNOWN =
      new Health(State.ABSENT, State.ABSENT, State.ABSENT, Incarnation.NONE, Incarnation.NONE, "");

  /** The state of a role. The code is its number on the wire. */
  public enum State {
    /** The server does not have this role, or its state is unknown. */
    ABSENT(0),
    /** The role serves the newest epoch that it knows. */
    SERVING(1),
    /** The role is sealed and waits for the next layout. */
    SEALED(2),
    /** The role has no work: a spare, or a sequencer that nobody has started. */
    IDLE(3),
    /** The role has failed and needs a restart or another disk. */
    BROKEN(4);

    private final byte code;

    State(int code) {
      this.code = (byte) code;
    }

    public byte code() {
      return code;
    }

    /**
     * Returns the state of a code.
     *
     * @throws IllegalArgumentException if no state has this code
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
