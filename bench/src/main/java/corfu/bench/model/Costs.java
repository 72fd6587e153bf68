package corfu.bench.model;

/**
 * What things cost, in nanoseconds of the one that does them.
 *
 * @param clientMessage a client's processor: a request and its reply
 * @param clientEntry a client's processor: one more entry in them
 * @param unitMessage a unit's processor: a request and its reply
 * @param unitEntry a unit's processor: one more entry in them
 * @param token the sequencer's processor: one request for tokens, however many
 * @param sync a disk: one sync, however little it is for; 0: there is no disk
 * @param diskByte a disk: one more byte in it
 * @param nicByte a network card, either way: one byte
 * @param wire from one machine to another
 */
public record Costs(
    double clientMessage,
    double clientEntry,
    double unitMessage,
    double unitEntry,
    double token,
    double sync,
    double diskByte,
    double nicByte,
    double wire) {

  public Costs {
    if (Math.min(clientMessage, clientEntry) < 0
        || Math.min(unitMessage, unitEntry) < 0
        || Math.min(Math.min(token, sync), diskByte) < 0
        || Math.min(nicByte, wire) < 0) {
      throw new IllegalArgumentException("nothing costs less than nothing");
    }
  }
}
