package corfu.objects;

import corfu.objects.internal.invoker.PastInvoker;
import corfu.objects.internal.state.State;
import corfu.objects.internal.view.View;
import corfu.objects.type.ObjectType;
import corfu.protocol.Address;
import corfu.protocol.StreamId;
import java.util.Optional;

/**
 * All objects as they were at one address of the log: a consistent cut. Opening an object reads it
 * from the log; it then stays unchanged in memory for as long as the application holds it.
 * Thread-safe.
 */
public final class PastObjects {

  private final ReplicatedObjects objects;
  private final Address at;

  PastObjects(ReplicatedObjects objects, Address at) {
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

  /** See {@link ReplicatedObjects#open(String, Class)}; the object's mutators are refused. */
  public <T> T open(String name, Class<T> type) {
    return open(objects.view(name, objects.named(name), objects.typeOf(type)));
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
    return open(objects.view(name, id, type));
  }

  private <T> T open(View<T> view) {
    Optional<State<?>> state =
        view.type().isComposed() ? Optional.empty() : Optional.of(view.at(at));
    return view.type().replica(new PastInvoker(view, state, at, this::openPart));
  }
}
