package corfu.objects.host;

import corfu.objects.collection.ReplicatedCounter;
import corfu.objects.collection.ReplicatedList;
import corfu.objects.collection.ReplicatedMap;
import corfu.objects.collection.ReplicatedQueue;
import corfu.objects.collection.ReplicatedRangeMap;
import corfu.objects.collection.ReplicatedRegister;
import corfu.objects.collection.ReplicatedSet;
import corfu.objects.collection.ReplicatedStack;
import corfu.objects.generated.ObjectTypeException;
import corfu.objects.generated.ObjectTypes;
import corfu.objects.remote.TypeName;
import corfu.objects.type.ObjectType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Which types of objects a host plays: the collections; those that it was given; and classes of its
 * own class path, where they are allowed by name. Nothing else is loaded, whatever a client asks
 * for. Thread-safe.
 */
public final class HostTypes {

  /** The collections, of the JDK's values. */
  public static final HostTypes COLLECTIONS =
      new HostTypes(Map.of(), List.of(), HostTypes.class.getClassLoader());

  /** A type is made when it is first asked for: making all of them takes longer than a start. */
  private static final Map<String, Supplier<ObjectType<?>>> COLLECTION_TYPES =
      Map.of(
          ReplicatedMap.class.getName(),
          () -> ReplicatedMap.ofTypes(Object.class, Object.class),
          ReplicatedRangeMap.class.getName(),
          () -> ReplicatedRangeMap.<String, Object>ofTypes(Object.class),
          ReplicatedList.class.getName(),
          () -> ReplicatedList.ofTypes(Object.class),
          ReplicatedQueue.class.getName(),
          () -> ReplicatedQueue.ofTypes(Object.class),
          ReplicatedStack.class.getName(),
          () -> ReplicatedStack.ofTypes(Object.class),
          ReplicatedSet.class.getName(),
          () -> ReplicatedSet.ofTypes(Object.class),
          ReplicatedRegister.class.getName(),
          () -> ReplicatedRegister.ofTypes(Object.class),
          ReplicatedCounter.class.getName(),
          ReplicatedCounter::type);

  private static final String ANY = "*";

  private final Map<String, ObjectType<?>> given;
  private final List<String> allowed;
  private final ClassLoader classes;
  private final ConcurrentHashMap<String, ObjectType<?>> loaded = new ConcurrentHashMap<>();

  private HostTypes(Map<String, ObjectType<?>> given, List<String> allowed, ClassLoader classes) {
    this.given = Map.copyOf(given);
    this.allowed = List.copyOf(allowed);
    this.classes = classes;
  }

  /** The names of the collections' types. */
  static Set<String> collections() {
    return COLLECTION_TYPES.keySet();
  }

  /** These, too: those with indexes, or whatever annotations can't say. */
  public HostTypes with(ObjectType<?>... types) {
    Map<String, ObjectType<?>> all = new HashMap<>(given);
    for (ObjectType<?> type : types) {
      all.put(type.hostedName(), type);
    }
    return new HostTypes(all, allowed, classes);
  }

  /**
   * Classes, too, as objects or as what these hold.
   *
   * @param names of classes in full; with {@code *} at the end, all whose names begin like that
   */
  public HostTypes allowing(List<String> names) {
    List<String> all = new ArrayList<>(allowed);
    all.addAll(names);
    return new HostTypes(given, all, classes);
  }

  /** The same, with classes loaded from there. */
  public HostTypes loadedBy(ClassLoader loader) {
    return new HostTypes(given, allowed, loader);
  }

  /** The names of classes that it may load, as they were given. */
  public List<String> allowed() {
    return allowed;
  }

  /** A host can't play objects of a type; the message names it, and the class that is missing. */
  static final class UnknownTypeException extends Exception {
    private static final long serialVersionUID = 1L;

    UnknownTypeException(String message) {
      super(message);
    }
  }

  /** The type of this name. */
  ObjectType<?> type(TypeName name) throws UnknownTypeException {
    ObjectType<?> known = given.get(name.name());
    if (known == null) {
      known = loaded.get(name.name());
    }
    if (known != null) {
      return known;
    }
    Supplier<ObjectType<?>> collection = COLLECTION_TYPES.get(name.name());
    Supplier<ObjectType<?>> maker = collection == null ? ofClass(name.name()) : collection;
    try {
      ObjectType<?> made = maker.get();
      @Nullable ObjectType<?> first = loaded.putIfAbsent(name.name(), made);
      return first == null ? made : first;
    } catch (ObjectTypeException | LinkageError unfit) {
      throw new UnknownTypeException(
          "class %s can't be hosted: %s".formatted(name.name(), unfit.getMessage()));
    }
  }

  private Supplier<ObjectType<?>> ofClass(String name) throws UnknownTypeException {
    Class<?> type = load(name);
    return () -> ObjectTypes.of(type);
  }

  /** The classes that its values may be of. */
  List<Class<?>> held(TypeName name) throws UnknownTypeException {
    List<Class<?>> held = new ArrayList<>();
    for (String each : name.held()) {
      held.add(load(each));
    }
    return held;
  }

  private Class<?> load(String name) throws UnknownTypeException {
    if (allowed.stream().noneMatch(pattern -> matches(pattern, name))) {
      throw new UnknownTypeException(
          "it may not load class %s, as its configuration (views, classes) does not name it"
              .formatted(name));
    }
    try {
      return Class.forName(name, true, classes);
    } catch (ClassNotFoundException | LinkageError missing) {
      throw new UnknownTypeException(
          "class %s is not on its class path, or does not load: %s".formatted(name, missing));
    }
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof HostTypes types
        && types.given.equals(given)
        && types.allowed.equals(allowed)
        && types.classes.equals(classes);
  }

  @Override
  public int hashCode() {
    return 31 * given.hashCode() + allowed.hashCode();
  }

  private static boolean matches(String pattern, String name) {
    return pattern.endsWith(ANY)
        ? name.startsWith(pattern.substring(0, pattern.length() - ANY.length()))
        : name.equals(pattern);
  }
}
