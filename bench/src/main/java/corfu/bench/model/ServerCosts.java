package corfu.bench.model;

/**
 * The costs of a server with the protocol of ZooKeeper, in nanoseconds of the named resource.
 *
 * @param read its processor: a read of one of its clients
 * @param handle its processor: a write of one of its clients, beyond {@code apply}
 * @param apply its processor: a write of any client
 * @param sync a disk: one sync of any number of writes
 * @param nicByte a network card, either way: one byte
 * @param wire the time from one machine to another
 */
public record ServerCosts(
    double read, double handle, double apply, double sync, double nicByte, double wire) {

  public ServerCosts {
    if (Math.min(Math.min(read, handle), apply) < 0
        || Math.min(Math.min(sync, nicByte), wire) < 0) {
      throw new IllegalArgumentException("nothing costs less than nothing");
    }
  }
}
