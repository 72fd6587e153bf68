package corfu.objects;

import corfu.objects.type.ObjectType;
import corfu.protocol.StreamId;
import corfu.runtime.Corfu;
import java.util.List;

/**
 * The objects that a server plays for clients. For {@code corfu.objects.host}; applications use
 * {@link ReplicatedObjects#remote}. Thread-safe.
 */
public final class HostedObjects {

  private final ObjectClient client;
  private final SnapshotWindow window;

  private HostedObjects(Corfu corfu, ObjectOptions options) {
    this.client = new ObjectClient(corfu, options);
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
            client, stream.toString(), stream, type, client.serializerOf(type).knowing(held));
    return new HostedObject<>(view, window, bytesMax, resultBytesMax);
  }
}
