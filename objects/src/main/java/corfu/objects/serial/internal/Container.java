package corfu.objects.serial.internal;

import corfu.objects.serial.SerializationException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Collections and maps of the JDK. Any other list, set or map is read as an immutable one, in the
 * same order. The codes are in the bytes, and never change.
 */
public enum Container {
  LIST(0),
  ARRAY_LIST(1),
  LINKED_LIST(2),
  ARRAY_DEQUE(3),
  SET(4),
  HASH_SET(5),
  LINKED_HASH_SET(6),
  TREE_SET(7),
  MAP(8),
  HASH_MAP(9),
  LINKED_HASH_MAP(10),
  TREE_MAP(11);

  private static final Container[] ALL = values(); // by their codes

  private final int code;

  Container(int code) {
    this.code = code;
  }

  int code() {
    return code;
  }

  /** Null if the value is no container. */
  static @Nullable Container of(Object value) {
    return switch (value) {
      case Collection<?> collection -> ofCollection(collection);
      case Map<?, ?> map -> ofMap(map);
      default -> null;
    };
  }

  private static @Nullable Container ofCollection(Collection<?> value) {
    Class<?> type = value.getClass();
    if (type == ArrayList.class) {
      return ARRAY_LIST;
    } else if (type == LinkedList.class) {
      return LINKED_LIST;
    } else if (type == ArrayDeque.class) {
      return ARRAY_DEQUE;
    } else if (type == HashSet.class) {
      return HASH_SET;
    } else if (type == LinkedHashSet.class) {
      return LINKED_HASH_SET;
    } else if (value instanceof List<?>) {
      return LIST;
    } else if (value instanceof SortedSet<?> sorted && type == TreeSet.class) {
      refuseComparator(sorted.comparator(), type);
      return TREE_SET;
    }
    return value instanceof Set<?> ? SET : null;
  }

  private static Container ofMap(Map<?, ?> value) {
    Class<?> type = value.getClass();
    if (type == HashMap.class) {
      return HASH_MAP;
    } else if (type == LinkedHashMap.class) {
      return LINKED_HASH_MAP;
    } else if (value instanceof SortedMap<?, ?> sorted && type == TreeMap.class) {
      refuseComparator(sorted.comparator(), type);
      return TREE_MAP;
    }
    return MAP;
  }

  private static void refuseComparator(@Nullable Object comparator, Class<?> type) {
    if (comparator != null) {
      throw new SerializationException(
          "a " + type.getSimpleName() + " with a comparator of its own can't be written");
    }
  }

  public static Container coded(int code) {
    if (code < 0 || code >= ALL.length) {
      throw new SerializationException(
          "a collection of kind " + code + " is not known: a newer version wrote it");
    }
    return ALL[code];
  }

  public boolean isMap() {
    return this == MAP || this == HASH_MAP || this == LINKED_HASH_MAP || this == TREE_MAP;
  }

  /** Whether it hashes, or compares, its elements or its keys. */
  boolean isHashed() {
    return switch (this) {
      case LIST, ARRAY_LIST, LINKED_LIST, ARRAY_DEQUE -> false;
      default -> true;
    };
  }

  /** Whether the order of its elements is a part of it, or the same for equal ones. */
  boolean isOrdered() {
    return this != SET && this != HASH_SET && this != MAP && this != HASH_MAP;
  }

  /** An empty one to be filled; what is put in shows in what {@code sealed} makes of it. */
  @SuppressWarnings("JdkObsolete") // what was a LinkedList is one again
  Collection<@Nullable Object> newCollection() {
    return switch (this) {
      case LINKED_LIST -> new LinkedList<>();
      case ARRAY_DEQUE -> new ArrayDeque<>();
      case HASH_SET -> new HashSet<>();
      case SET, LINKED_HASH_SET -> new LinkedHashSet<>();
      case TREE_SET -> new TreeSet<>();
      default -> new ArrayList<>();
    };
  }

  Map<@Nullable Object, @Nullable Object> newMap() {
    return switch (this) {
      case HASH_MAP -> new HashMap<>();
      case TREE_MAP -> new TreeMap<>();
      default -> new LinkedHashMap<>();
    };
  }

  /**
   * Returns the collection that readers receive: unmodifiable if it is a {@link #LIST} or a {@link
   * #SET}.
   */
  Collection<@Nullable Object> sealed(Collection<@Nullable Object> filled) {
    return switch (this) {
      case LIST -> Collections.unmodifiableList((List<@Nullable Object>) filled);
      case SET -> Collections.unmodifiableSet((Set<@Nullable Object>) filled);
      default -> filled;
    };
  }

  Map<@Nullable Object, @Nullable Object> sealed(Map<@Nullable Object, @Nullable Object> filled) {
    if (this == MAP) {
      return Collections.unmodifiableMap(filled);
    }
    return filled;
  }
}
