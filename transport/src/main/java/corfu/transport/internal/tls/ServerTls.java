package corfu.transport.internal.tls;

import corfu.transport.tls.TlsCredentials;
import corfu.transport.tls.TlsMode;
import corfu.world.Loop;
import corfu.world.World;
import io.netty.channel.EventLoop;
import java.util.function.LongSupplier;

/**
 * The TLS of one server.
 *
 * @param credentials the certificates and rules
 * @param gate admits handshakes
 * @param tasks runs the expensive steps of handshakes
 * @param nanoTime the clock
 */
public record ServerTls(
    TlsCredentials credentials, HandshakeGate gate, Loop tasks, LongSupplier nanoTime) {

  public static ServerTls of(World world, TlsCredentials credentials, EventLoop loop, int port) {
    return new ServerTls(
        credentials,
        new HandshakeGate(loop, world::nanoTime),
        world.loop("corfu-tls-" + port),
        world::nanoTime);
  }

  public boolean isRequired() {
    return credentials.mode() == TlsMode.REQUIRED;
  }
}
