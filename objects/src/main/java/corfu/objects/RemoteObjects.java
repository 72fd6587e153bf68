package corfu.objects;

import corfu.objects.internal.checkpoint.Checkpoints;
import corfu.objects.internal.client.ObjectContext;
import corfu.objects.internal.invoker.RemoteInvoker;
import corfu.objects.internal.remoteview.RemoteView;
import corfu.objects.internal.view.View;
import corfu.objects.remote.RemoteOptions;
import corfu.objects.remote.TypeName;
import corfu.objects.remote.ViewHosts;
import corfu.objects.serial.InLog;
import corfu.objects.type.ObjectType;
import corfu.protocol.Address;
import corfu.protocol.StreamId;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Objects that servers play for this client (dissertation, section 5.3.1). The client asks the
 * servers for the results of accessors and holds no state itself. All guarantees of a local view
 * hold: accessors are linearizable, transactions are strictly serializable, and {@code at} shows
 * the past. The client appends changes itself. Use remote objects if they are read rarely, are
 * large, or are changed often by other clients.
 *
 * <p>Three things differ from local views. Arguments of accessors and their results are serialized,
 * so their classes must be serializable. The largest frame bounds a result. {@link
 * ObjectOptions#onFailure} is not called for mutators that threw when they were applied; with
 * {@link MutatorCall#RETURNS_WHEN_CARRIED_OUT} their callers wait and receive the exception.
 *
 * <p>The client throws an operation's exception again if its class has a constructor without
 * parameters or with only a message. Otherwise it throws a {@link RemoteOperationException}.
 *
 * <p>A call throws {@link RemoteViewException} if the hosts refuse: they lack the class, may not
 * load it, or have no room for the object. Thread-safe.
 */
public final class RemoteObjects {

  private final ReplicatedObjects objects;
  private final RemoteOptions options;
  private final ViewHosts hosts;
  private final ConcurrentHashMap<Key, RemoteView<?>> views = new ConcurrentHashMap<>();

  private record Key(StreamId stream, ObjectType<?> type) {}

  RemoteObjects(ReplicatedObjects objects, ViewHosts hosts, RemoteOptions options) {
    this.objects = objects;
    this.hosts = hosts;
    this.options = options;
  }

  /** See {@link ReplicatedObjects#open(String, Class)}. */
  public <T> T open(String name, Class<T> type) {
    return open(name, objects.typeOf(type));
  }

  /** The same for a type that is described otherwise than by annotations. */
  public <T> T open(String name, ObjectType<T> type) {
    return live(view(name, objects.named(name), type));
  }

  /** See {@link ReplicatedObjects#named}. */
  StreamId named(String name) {
    return objects.named(name);
  }

  /** Opens the object of this stream. */
  public <T> T open(StreamId id, ObjectType<T> type) {
    return live(view(id.toString(), id, type));
  }

  /** All objects as they were at this address of the log, played by servers. */
  public RemotePastObjects at(Address address) {
    return new RemotePastObjects(this, address);
  }

  private <T> T live(RemoteView<T> remote) {
    return remote
        .view()
        .type()
        .replica(
            new RemoteInvoker(remote, objects.transactions(), this::openPart, objects::openPart));
  }

  /** The same objects, played by this client. */
  ReplicatedObjects local() {
    return objects;
  }

  <T> T openPart(String name, StreamId id, ObjectType<T> type) {
    return live(part(name, id, type));
  }

  <T> RemoteView<T> part(String name, StreamId id, ObjectType<T> type) {
    RemoteView<T> part = view(name, id, type);
    View<T> unused = part.view().asPart();
    return part;
  }

  @SuppressWarnings("unchecked") // a view is kept under its type
  <T> RemoteView<T> view(String name, StreamId stream, ObjectType<T> type) {
    return (RemoteView<T>)
        views.computeIfAbsent(new Key(stream, type), missing -> newView(name, stream, type));
  }

  private <T> RemoteView<T> newView(String name, StreamId stream, ObjectType<T> type) {
    Checkpoints.remember(stream, objects.client().access());
    View<T> view =
        new View<>(
            new ObjectContext<>(
                objects.client(), name, stream, type, objects.client().serializerOf(type)));
    Collection<Type> held = new ArrayList<>(type.hostedTypes());
    held.addAll(objects.client().options().types());
    TypeName typeName = new TypeName(type.hostedName(), namesOf(held));
    return new RemoteView<>(view, hosts, options, typeName);
  }

  <T> ObjectType<T> typeOf(Class<T> type) {
    return objects.typeOf(type);
  }

  private static List<String> namesOf(Collection<Type> types) {
    Set<String> names = new TreeSet<>();
    types.forEach(type -> addNames(type, names));
    return List.copyOf(names);
  }

  private static void addNames(Type type, Set<String> names) {
    switch (type) {
      case Class<?> array when array.isArray() -> addNames(array.getComponentType(), names);
      case Class<?> plain -> {
        if (!plain.isPrimitive() && !plain.getName().startsWith("java.") && plain != InLog.class) {
          names.add(plain.getName());
        }
      }
      case ParameterizedType inLog when inLog.getRawType() == InLog.class -> {} // it stays there
      case ParameterizedType generic -> {
        addNames(generic.getRawType(), names);
        for (Type argument : generic.getActualTypeArguments()) {
          addNames(argument, names);
        }
      }
      case GenericArrayType array -> addNames(array.getGenericComponentType(), names);
      default -> {} // wildcards and variables tell of no class
    }
  }
}
