package corfu.objects.host;

import corfu.objects.ObjectOptions;
import corfu.objects.internal.hosted.HostedObject;
import corfu.objects.internal.hosted.HostedObjects;
import corfu.runtime.Corfu;
import corfu.runtime.CorfuException;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The client that a host plays objects with, once there is something to play. Thread-safe. */
final class HostClient {

  private static final Logger LOG = LoggerFactory.getLogger(HostClient.class);

  private final Supplier<Corfu> connect;
  private final HostOptions options;
  private final ReentrantLock connecting = new ReentrantLock();
  private volatile @Nullable Corfu corfu;
  private volatile boolean isClosed;
  private @Nullable HostedObjects objects;

  HostClient(Supplier<Corfu> connect, HostOptions options) {
    this.connect = connect;
    this.options = options;
  }

  /** Opens an object; blocks while the client connects. */
  HostedObject<?> open(CallQueue.Key key) throws HostTypes.UnknownTypeException {
    List<Class<?>> held = options.types().held(key.type());
    return objects()
        .open(
            key.stream(),
            options.types().type(key.type()),
            held,
            options.bytesMax(),
            options.resultBytesMax());
  }

  private HostedObjects objects() {
    connecting.lock();
    try {
      HostedObjects opened = objects;
      if (opened == null) {
        Corfu client = connect.get();
        corfu = client;
        if (isClosed) {
          client.close();
          throw new IllegalStateException("the host is closed");
        }
        opened =
            HostedObjects.over(
                client, ObjectOptions.DEFAULT.withCheckpoints(options.checkpoints()));
        objects = opened;
      }
      return opened;
    } finally {
      connecting.unlock();
    }
  }

  void close() {
    isClosed = true;
    Corfu client = corfu;
    if (client != null) {
      try {
        client.close();
      } catch (CorfuException alreadyGone) {
        LOG.debug("the host's client", alreadyGone);
      }
    }
  }
}
