package corfu.zookeeper.machine;

/**
 * The replicated state of a translation server.
 *
 * @param incarnation its random name
 * @param address the host and port of its clients
 * @param lastVouch the number of its vouches so far
 */
public record ServerState(long incarnation, String address, long lastVouch) {

  ServerState vouched() {
    return new ServerState(incarnation, address, lastVouch + 1);
  }
}
