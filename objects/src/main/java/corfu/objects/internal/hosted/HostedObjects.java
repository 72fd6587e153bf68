package corfu.objects.internal.hosted;

import corfu.objects.ObjectOptions;
import corfu.objects.internal.client.ObjectClient;
import corfu.objects.internal.client.ObjectContext;
import corfu.objects.internal.view.Catalogue;
import corfu.objects.internal.view.View;
import corfu.objects.type.ObjectType;
import corfu.protocol.StreamId;
import corfu.runtime.Corfu;
import java.util.List;

/**
 * The objects that a server plays for clients. For {@code corfu.objects.host}; applications use
 * {@link corfu.objects.ReplicatedObjects#remote}. Thread-safe.
 */
public final class HostedObjects {

  private final ObjectClient client;
  private final SnapshotWindow window;

  private HostedObjects(Corfu corfu, ObjectOptions options) {
    this.client = new ObjectClient(corfu, options, Catalogue::new);
    this.window = new SnapshotWindow(client.world(), client.pins());
  }

  /** Those of the cluster of this client. */
  public static HostedObjects over(Corfu corfu, ObjectOptions options) {
    return new HostedObjects(corfu, options);
  }

  /**
   * Opens an object; it is played when somebody asks for it.
   *
   * @param held what its values may be of, beyond what its type says
   * @param bytesMax how large it may be, as a checkpoint has it
   * @param resultBytesMax how large an answer may be
   */
  public <T> HostedObject<T> open(
      StreamId stream, ObjectType<T> type, List<Class<?>> held, long bytesMax, int resultBytesMax) {
    View<T> view =
        new View<>(
            new ObjectContext<>(
                client, stream.toString(), stream, type, client.serializerOf(type).knowing(held)));
    return new HostedObject<>(view, window, bytesMax, resultBytesMax);
  }
}
