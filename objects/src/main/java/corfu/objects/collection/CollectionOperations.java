package corfu.objects.collection;

import corfu.objects.collection.internal.CollectionType;
import corfu.objects.generated.ObjectTypes;
import corfu.objects.type.Operation;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which collections have an operation of a name. Collections of one family may be views of one
 * stream: all maps; lists, queues and stacks. Those of different families are different objects.
 */
public final class CollectionOperations {

  private static final List<Set<String>> SEVERAL =
      List.of(
          Set.of("ReplicatedMap", "ReplicatedIndexedMap", "ReplicatedRangeMap"),
          Set.of("ReplicatedList", "ReplicatedQueue", "ReplicatedStack"));

  static final CollectionType.Families FAMILIES =
      new CollectionType.Families() {
        @Override
        public boolean isOfFamily(String type, String operation) {
          return CollectionOperations.isOfFamily(type, operation);
        }

        @Override
        public boolean isOfSeveralFamilies(String operation) {
          return CollectionOperations.isOfSeveralFamilies(operation);
        }
      };

  private CollectionOperations() {}

  /** Made when it is needed first. Of interfaces only: most programs use few of the types. */
  private static final class Names {
    static final Map<String, Set<String>> TYPES = typesByOperation();

    private static Map<String, Set<String>> typesByOperation() {
      Map<String, Set<String>> types = new TreeMap<>();
      List<Class<?>> all =
          List.of(
              ReplicatedMap.class,
              ReplicatedIndexedMap.class,
              ReplicatedRangeMap.class,
              ReplicatedList.class,
              ReplicatedQueue.class,
              ReplicatedStack.class,
              ReplicatedSet.class,
              ReplicatedRegister.class,
              ReplicatedCounter.class);
      for (Class<?> type : all) {
        for (Operation operation : ObjectTypes.operations(type)) {
          if (operation.kind().changes()) {
            types
                .computeIfAbsent(operation.name(), name -> new TreeSet<>())
                .add(type.getSimpleName());
          }
        }
      }
      return types;
    }
  }

  /**
   * The names of the types of collections that have an operation of this name, which changes them.
   */
  public static Set<String> typesWith(String operation) {
    return Set.copyOf(Names.TYPES.getOrDefault(operation, Set.of()));
  }

  /** Whether a collection of the same family as this type has such an operation. */
  public static boolean isOfFamily(String type, String operation) {
    return typesWith(operation).stream().anyMatch(familyOf(type)::contains);
  }

  /** Whether collections of different families have such an operation. */
  static boolean isOfSeveralFamilies(String operation) {
    return typesWith(operation).stream().map(CollectionOperations::familyOf).distinct().count() > 1;
  }

  private static Set<String> familyOf(String type) {
    return SEVERAL.stream()
        .filter(family -> family.contains(type))
        .findFirst()
        .orElseGet(() -> Set.of(type));
  }
}
