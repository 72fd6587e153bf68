package corfu.objects.serial.internal;

import corfu.objects.serial.InLog;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The classes that a serializer may make instances of: those that it was told of, and those that
 * these lead to. Immutable.
 */
public final class KnownTypes {

  private final Map<String, Class<?>> byName;

  private KnownTypes(Map<String, Class<?>> byName) {
    this.byName = byName;
  }

  public static KnownTypes none() {
    return new KnownTypes(Map.of());
  }

  public KnownTypes and(Collection<? extends Type> types) {
    Map<String, Class<?>> all = new TreeMap<>(byName);
    var search = new Search(all);
    types.forEach(search::visit);
    return new KnownTypes(all);
  }

  /** Null if it is not known. */
  @Nullable Class<?> named(String name) {
    return byName.get(name);
  }

  public boolean contains(Class<?> type) {
    return byName.get(type.getName()) == type;
  }

  /** The fields of a class and those above it that make up an instance, the highest class first. */
  static List<Field> fieldsOf(Class<?> type) {
    List<Field> fields = new ArrayList<>();
    for (Class<?> each = type; each != null && each != Object.class; each = each.getSuperclass()) {
      List<Field> own = new ArrayList<>();
      for (Field field : each.getDeclaredFields()) {
        int modifiers = field.getModifiers();
        if (!Modifier.isStatic(modifiers) && !Modifier.isTransient(modifiers)) {
          own.add(field);
        }
      }
      fields.addAll(0, own);
    }
    return fields;
  }

  /** Whether it is one of the JDK's. */
  static boolean isOfThePlatform(Class<?> type) {
    return type.getName().startsWith("java.") || type.getName().startsWith("javax.");
  }

  private static final class Search {

    private final Map<String, Class<?>> found;
    private final Set<Type> visited = new HashSet<>();

    Search(Map<String, Class<?>> found) {
      this.found = found;
    }

    void visit(@Nullable Type type) {
      if (type == null || !visited.add(type)) {
        return;
      }
      switch (type) {
        case Class<?> plain -> visitClass(plain);
        case ParameterizedType generic -> {
          visit(generic.getRawType());
          visitAll(generic.getActualTypeArguments());
        }
        case GenericArrayType array -> visit(array.getGenericComponentType());
        case WildcardType wildcard -> visitAll(wildcard.getUpperBounds());
        case TypeVariable<?> variable -> visitAll(variable.getBounds());
        default -> {}
      }
    }

    private void visitAll(Type[] types) {
      for (Type type : types) {
        visit(type);
      }
    }

    private void visitClass(Class<?> type) {
      if (type.isArray()) {
        visit(type.getComponentType());
      } else if (type == InLog.class) {
        return; // every serializer knows it
      } else if (!type.isPrimitive() && (type.isEnum() || !isOfThePlatform(type))) {
        if (type.isSealed()) {
          visitAll(type.getPermittedSubclasses());
        }
        found.put(type.getName(), type); // arrays of interfaces name them, too
        visitParts(type);
      }
    }

    private void visitParts(Class<?> type) {
      if (type.isRecord()) {
        for (RecordComponent component : type.getRecordComponents()) {
          visit(component.getGenericType());
        }
      } else if (!type.isEnum()) {
        fieldsOf(type).forEach(field -> visit(field.getGenericType()));
      }
    }
  }
}
