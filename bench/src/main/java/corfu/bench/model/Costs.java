package corfu.bench.model;

/**
 * The costs of a cluster, in nanoseconds of the named resource.
 *
 * @param clientMessage a client's processor: a request and its reply
 * @param clientEntry a client's processor: one more entry in them
 * @param unitMessage a unit's processor: a request and its reply
 * @param unitEntry a unit's processor: one more entry in them
 * @param token the sequencer's processor: one request for any number of tokens
 * @param sync a disk: one sync of any size; 0 without a disk
 * @param diskByte a disk: one more byte
 * @param nicByte a network card, either way: one byte
 * @param wire the time from one machine to another
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
