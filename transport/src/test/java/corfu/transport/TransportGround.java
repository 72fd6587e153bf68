package corfu.transport;

import corfu.protocol.ClusterId;
import corfu.protocol.Endpoint;
import corfu.world.RealWorld;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** The ground for tests of one kind of transport: creates its servers and clients. */
public abstract class TransportGround {

  protected final RealWorld world = new RealWorld();
  private final List<AutoCloseable> toClose = new ArrayList<>();

  /** A server that can be stopped. */
  public interface Server {
    Endpoint endpoint();

    /** Stops the server as a crash would: clients notice, the handler does not. */
    void stop();

    /** Listens at the same endpoint again. */
    Server restart(RequestHandler handler);
  }

  protected abstract Server start(RequestHandler handler);

  protected abstract Transport connect(
      Supplier<Optional<ClusterId>> cluster, ClientOptions options);

  /** Closes this object together with the ground. */
  protected final <T extends AutoCloseable> T closing(T closeable) {
    toClose.add(closeable);
    return closeable;
  }

  final void close() throws Exception {
    Collections.reverse(toClose);
    for (AutoCloseable closeable : toClose) {
      closeable.close();
    }
    world.close();
  }
}
