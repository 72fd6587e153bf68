package corfu.objects.internal.client;

import corfu.objects.CatalogueState;
import corfu.objects.CheckpointPolicy;
import corfu.objects.internal.state.WholeState;
import corfu.objects.serial.Serializer;
import corfu.objects.type.ObjectType;
import corfu.objects.type.Operation;
import corfu.objects.type.Snapshots;
import corfu.protocol.StreamId;

/**
 * An object as one client opened it: the stream it is in, its type, and how its values are written.
 * All that plays or changes the object shares one context. Immutable; two contexts are never equal.
 *
 * @param <T> the object's type
 */
public final class ObjectContext<T> {

  private final ObjectClient client;
  private final String name;
  private final StreamId stream;
  private final ObjectType<T> type;
  private final Serializer serializer;
  private final Snapshots<T> snapshots;
  private final UpdateCodec codec;

  /**
   * @param name what messages call the object
   */
  public ObjectContext(
      ObjectClient client,
      String name,
      StreamId stream,
      ObjectType<T> type,
      Serializer serializer) {
    this.client = client;
    this.name = name;
    this.stream = stream;
    this.type = type;
    this.serializer = serializer;
    this.snapshots = type.snapshots().orElseGet(() -> new WholeState<>(serializer));
    this.codec = new UpdateCodec(name, stream, type, serializer);
  }

  public ObjectClient client() {
    return client;
  }

  public String name() {
    return name;
  }

  public StreamId stream() {
    return stream;
  }

  public ObjectType<T> type() {
    return type;
  }

  public Serializer serializer() {
    return serializer;
  }

  public Snapshots<T> snapshots() {
    return snapshots;
  }

  /** Returns the codec for the object's changes in the log. */
  public UpdateCodec codec() {
    return codec;
  }

  public Operation operation(int place) {
    return type.operations().get(place);
  }

  /** Returns whether this is the catalogue of all objects. */
  public boolean isCatalogue() {
    return type == CatalogueState.TYPE;
  }

  /** Returns when checkpoints of the object are written. */
  public CheckpointPolicy checkpoints() {
    CheckpointPolicy objects = client.options().checkpoints();
    return isCatalogue() ? TypeCatalogue.checkpoints(objects) : objects;
  }

  @Override
  public String toString() {
    return name + " as " + type.name();
  }
}
