package corfu.sim.world;

import corfu.protocol.message.Message;
import java.nio.ByteBuffer;
import java.util.Optional;

/** One connection of a client to a server, from the first attempt to its end. */
final class SimConnection {

  private static final long CONNECT_NANOS = 3_000_000_000L;

  /** The TCP transport's sockets wait equally long. */
  private static final long UNACKNOWLEDGED_NANOS = 15_000_000_000L;

  /** How long messages in flight on an ended connection may be delayed. */
  private static final long LINGER_NANOS_MAX = 5_000_000_000L;

  private final SimNetwork network;
  private final SimRandom chance;
  private final SimPeer client;
  private final String clientName;
  private final String serverName;
  private final long startedNanos;
  private Optional<SimListener> server = Optional.empty();
  private final Pipe toServer;
  private final Pipe toClient;
  private boolean clientEnded;

  SimConnection(SimNetwork network, SimRandom chance, SimPeer client) {
    this.network = network;
    this.chance = chance;
    this.client = client;
    this.clientName = client.life().process();
    this.serverName = client.endpoint().host();
    this.startedNanos = network.timeline().nowNanos();
    this.toServer =
        new Pipe(network, clientName, serverName, this::arrivedAtServer, this::endedAtServer);
    this.toClient =
        new Pipe(network, serverName, clientName, this::arrivedAtClient, this::endedAtClient);
    knock(0);
  }

  private void knock(int tries) {
    network
        .timeline()
        .after(
            network.delayNanos(clientName, serverName),
            () -> {
              if (!network.isCut(clientName, serverName)) {
                knocked();
              } else if (network.timeline().nowNanos() - startedNanos > CONNECT_NANOS) {
                endClient("it does not answer");
              } else {
                network
                    .timeline()
                    .after(network.retransmissionNanos(tries), () -> knock(tries + 1));
              }
            });
  }

  private void knocked() {
    server = network.listener(client.endpoint());
    if (server.isEmpty()) {
      endClient("connection refused");
    } else {
      long back = network.delayNanos(serverName, clientName);
      client.life().after(back, () -> client.connected(this));
    }
  }

  String clientName() {
    return clientName;
  }

  boolean isWith(SimListener listener) {
    return server.isPresent() && server.get() == listener;
  }

  boolean isOf(ProcessLife life) {
    return client.life() == life;
  }

  boolean isBetween(String one, String other) {
    return (clientName.equals(one) && serverName.equals(other))
        || (clientName.equals(other) && serverName.equals(one));
  }

  /** The client writes. */
  void request(Message message, long id, int version) {
    send(message, WireBytes.of(message, id, version), toServer);
  }

  /** The server writes. */
  void reply(Message message, long id, int version) {
    send(message, WireBytes.of(message, id, version), toClient);
  }

  /** Sends a frame. If the receiver can't read it, the connection ends. */
  private void send(Message message, ByteBuffer frame, Pipe way) {
    network.trace().mark(WireBytes.checksum(frame));
    if (network.flipsAByte() && WireBytes.flipAByte(frame, chance)) {
      network.trace().say(clientName, () -> "a byte is flipped, with " + serverName);
      if (WireBytes.isReadable(frame)) {
        way.send(frame); // the flipped byte is in an entry
      } else {
        reset();
      }
    } else if (!network.flipsABit() || !WireBytes.flipABit(frame, message, chance)) {
      way.send(frame);
    } else if (WireBytes.isReadable(frame)) {
      network.trace().say(clientName, () -> "a bit is flipped, with " + serverName);
      way.send(frame);
    } else {
      reset();
    }
  }

  private void arrivedAtServer(ByteBuffer frame) {
    server.ifPresent(listener -> listener.arrived(this, frame));
  }

  private void endedAtServer() {
    toClient.end();
    network.forget(this);
  }

  private void arrivedAtClient(ByteBuffer frame) {
    client.life().soon(() -> client.arrived(this, frame));
  }

  private void endedAtClient() {
    endClient("it closed the connection");
  }

  /** Tells the client that the connection has ended. */
  private void endClient(String reason) {
    if (!clientEnded) {
      clientEnded = true;
      toServer.end();
      client.life().soon(() -> client.ended(this, reason));
    }
  }

  /**
   * The client has closed the connection, or died. Its messages are still in flight. They may
   * arrive much later, after messages of the client or its next life on the next connection.
   */
  void clientGone() {
    clientEnded = true;
    leaveRequestsBehind();
  }

  private void leaveRequestsBehind() {
    if (chance.oneIn(2)) {
      toServer.end();
    } else {
      toServer.endLate(chance.oneIn(2), chance.mostlyNear(0, LINGER_NANOS_MAX));
      network.forget(this);
    }
  }

  /**
   * The server is gone. Its kernel tells the client; or the kernel is gone too, and the client
   * times out.
   */
  void serverGone() {
    if (chance.oneIn(2)) {
      toClient.end();
    } else {
      toClient.endLate(false, 0);
      long unnoticed = chance.mostlyNear(1_000_000, CONNECT_NANOS);
      network.timeline().after(unnoticed, () -> endClient("it has forgotten the connection"));
    }
    network.forget(this);
  }

  /** Returns the other end, or empty if the process is none of the ends. */
  Optional<String> neighbourOf(String process) {
    if (process.equals(clientName)) {
      return Optional.of(serverName);
    }
    return process.equals(serverName) ? Optional.of(clientName) : Optional.empty();
  }

  /**
   * A device between the ends forgets the connection. Both ends believe that it is open, but
   * nothing passes through it. It ends when the client's machine has waited too long for an
   * acknowledgement.
   */
  void forgotten() {
    network.trace().say(clientName, () -> "connection to " + serverName + " is forgotten");
    toClient.endLate(false, 0);
    toServer.endLate(false, 0);
    network
        .timeline()
        .after(
            chance.mostlyNear(100_000_000, UNACKNOWLEDGED_NANOS),
            () -> endClient("what was sent is not acknowledged"));
    network.forget(this);
  }

  /** A device between the ends breaks the connection. */
  void reset() {
    network.trace().say(clientName, () -> "connection to " + serverName + " breaks");
    toClient.endLate(false, 0);
    if (!clientEnded) {
      clientEnded = true;
      client.life().soon(() -> client.ended(this, "connection reset"));
    }
    leaveRequestsBehind();
  }
}
