package corfu.objects;

import corfu.objects.internal.invoker.RemotePastInvoker;
import corfu.objects.internal.remoteview.RemoteView;
import corfu.objects.internal.view.View;
import corfu.objects.type.ObjectType;
import corfu.protocol.Address;
import corfu.protocol.StreamId;

/**
 * All objects as they were at one address of the log, played by servers: a consistent cut. Unlike
 * {@link PastObjects} it holds no state in this client. So history that is trimmed meanwhile can't
 * be read any more ({@link HistoryTrimmedException}). Thread-safe.
 */
public final class RemotePastObjects {

  private final RemoteObjects objects;
  private final Address at;

  RemotePastObjects(RemoteObjects objects, Address at) {
    this.objects = objects;
    this.at = at;
  }

  /**
   * The snapshot's log address: the snapshot contains all changes at lower addresses, and no
   * others.
   */
  public Address address() {
    return at;
  }

  /**
   * See {@link ReplicatedObjects#open(String, Class)}; the object's mutators are refused.
   *
   * @throws IllegalArgumentException if the log does not reach to the address
   */
  public <T> T open(String name, Class<T> type) {
    return open(name, objects.typeOf(type));
  }

  /** The same for a type that is described otherwise than by annotations. */
  public <T> T open(String name, ObjectType<T> type) {
    return open(objects.view(name, objects.named(name), type));
  }

  /** The same for an object without a name. */
  public <T> T open(StreamId id, ObjectType<T> type) {
    return open(objects.view(id.toString(), id, type));
  }

  <T> T openPart(String name, StreamId id, ObjectType<T> type) {
    return open(objects.part(name, id, type));
  }

  /** The same moment, played by this client. */
  PastObjects local() {
    return objects.local().at(at);
  }

  private <T> T open(RemoteView<T> remote) {
    View<T> view = remote.view();
    view.client().decide(view.name(), at);
    return view.type()
        .replica(new RemotePastInvoker(remote, at, this::openPart, local()::openPart));
  }
}
