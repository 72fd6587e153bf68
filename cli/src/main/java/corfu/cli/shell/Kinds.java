package corfu.cli.shell;

import corfu.objects.CatalogueEntry;
import corfu.objects.ReplicatedObjects;
import corfu.objects.collection.ReplicatedCounter;
import corfu.objects.collection.ReplicatedIndexedMap;
import corfu.objects.collection.ReplicatedList;
import corfu.objects.collection.ReplicatedMap;
import corfu.objects.collection.ReplicatedQueue;
import corfu.objects.collection.ReplicatedRangeMap;
import corfu.objects.collection.ReplicatedRegister;
import corfu.objects.collection.ReplicatedSet;
import corfu.objects.collection.ReplicatedStack;
import corfu.objects.generated.ObjectTypeException;
import corfu.objects.generated.ObjectTypes;
import corfu.objects.type.ObjectType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The types of objects that can be opened: the collections, and loadable classes. */
public final class Kinds {

  private static final String MAP = "map";

  private final Map<String, Kind> collections = new LinkedHashMap<>();
  private final Map<String, Kind> loaded = new LinkedHashMap<>();
  private final ClassLoader classes;

  /**
   * @param classes the loader of classes that a person names in full
   */
  public Kinds(ClassLoader classes) {
    this.classes = classes;
    add(MAP, ReplicatedMap.class, ReplicatedMap.ofTypes(Object.class, Object.class));
    add(
        "rangemap",
        ReplicatedRangeMap.class,
        ReplicatedRangeMap.<String, Object>ofTypes(Object.class));
    add("list", ReplicatedList.class, ReplicatedList.ofTypes(Object.class));
    add("queue", ReplicatedQueue.class, ReplicatedQueue.ofTypes(Object.class));
    add("stack", ReplicatedStack.class, ReplicatedStack.ofTypes(Object.class));
    add("set", ReplicatedSet.class, ReplicatedSet.ofTypes(Object.class));
    add("register", ReplicatedRegister.class, ReplicatedRegister.ofTypes(Object.class));
    add("counter", ReplicatedCounter.class, ReplicatedCounter.type());
  }

  private void add(String name, Class<?> api, ObjectType<?> type) {
    collections.put(name, new Kind(name, api, type));
  }

  /** Returns the names of the collections. */
  public List<String> names() {
    return List.copyOf(collections.keySet());
  }

  /**
   * Returns the type that a person names: a collection, or a class.
   *
   * @throws ShellException if there is no such type
   */
  public Kind named(String name) {
    @Nullable Kind collection = collections.get(name);
    return collection != null ? collection : loaded.computeIfAbsent(name, this::load);
  }

  private Kind load(String name) {
    try {
      Class<?> type = Class.forName(name, true, classes);
      return new Kind(name, type, ObjectTypes.of(type));
    } catch (ClassNotFoundException missing) {
      throw new ShellException(
          "there is no type %s: name a collection (%s), or a class in full, with its jar in"
                  .formatted(name, String.join(", ", names()))
              + " --class-path",
          missing);
    } catch (ObjectTypeException unfit) {
      throw new ShellException(String.valueOf(unfit.getMessage()), unfit);
    }
  }

  /**
   * Returns the type that an object was changed as, even if a client once used a wrong type.
   * Returns empty if there is no such type, or if there are several.
   */
  public Optional<Kind> of(CatalogueEntry entry, ReplicatedObjects objects) {
    List<Kind> named =
        Stream.concat(collections.values().stream(), loaded.values().stream())
            .filter(kind -> entry.types().stream().anyMatch(type -> isOf(type, kind)))
            .toList();
    List<Kind> fitting =
        named.size() < 2
            ? named
            : named.stream().filter(kind -> objects.isOfType(entry.id(), kind.type())).toList();
    return fitting.size() == 1 ? Optional.of(fitting.getFirst()) : Optional.empty();
  }

  /** Whether a kind opens objects of a type. A map with indexes also opens as a map. */
  private static boolean isOf(String type, Kind kind) {
    return type.equals(kind.type().name())
        || (kind.name().equals(MAP) && type.equals(ReplicatedIndexedMap.class.getSimpleName()));
  }

  /**
   * Returns the type of an object that may not exist, by its entry of the catalogue.
   *
   * @throws ShellException if the catalogue does not name one type
   */
  public Kind of(ObjectName name, ReplicatedObjects objects, String hint) {
    Optional<CatalogueEntry> entry =
        objects.list().stream().filter(each -> each.id().equals(name.id())).findFirst();
    if (entry.isEmpty()) {
      throw new ShellException(
          "nobody has changed an object %s yet, so its type is not known. %s"
              .formatted(name, hint));
    }
    return of(entry.get(), objects)
        .orElseThrow(
            () ->
                new ShellException(
                    "%s has been changed as %s. %s"
                        .formatted(name, String.join(" and ", entry.get().types()), hint)));
  }
}
