package corfu.objects.serial.internal;

import corfu.objects.serial.SerializationException;
import corfu.objects.serial.rule.ValueRules;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How instances of a class are taken apart and put together: by the names of a record's components,
 * of another class's fields. Found out once; from then on it is method handles. Immutable.
 */
public final class Shape {

  private static final MethodType READS = MethodType.methodType(Object.class, Object.class);
  private static final MethodType WRITES =
      MethodType.methodType(void.class, Object.class, Object.class);
  private static final MethodType MAKES = MethodType.methodType(Object.class);
  private static final MethodType MAKES_OF = MethodType.methodType(Object.class, Object[].class);

  private final Class<?> type;
  private final List<String> fields;
  private final List<MethodHandle> getters;
  private final List<MethodHandle> setters; // of a class that is no record
  private final List<Object> defaults; // of a record; where there is none, NO_DEFAULT
  private final MethodHandle constructor;

  private static final Object NO_DEFAULT = new Object();

  private Shape(
      Class<?> type,
      List<String> fields,
      List<MethodHandle> getters,
      List<MethodHandle> setters,
      List<Object> defaults,
      MethodHandle constructor) {
    this.type = type;
    this.fields = List.copyOf(fields);
    this.getters = List.copyOf(getters);
    this.setters = List.copyOf(setters);
    this.defaults = List.copyOf(defaults);
    this.constructor = constructor;
  }

  static Shape of(Class<?> type) {
    try {
      return type.isRecord() ? ofRecord(type) : ofFields(type);
    } catch (ReflectiveOperationException e) {
      throw new SerializationException(
          "%s can't be written: %s. A module has to open its package to corfu.objects"
              .formatted(type.getName(), e.getMessage()),
          e);
    }
  }

  private static Shape ofRecord(Class<?> type) throws ReflectiveOperationException {
    var lookup = MethodHandles.privateLookupIn(type, MethodHandles.lookup());
    List<String> names = new ArrayList<>();
    List<MethodHandle> getters = new ArrayList<>();
    List<Object> defaults = new ArrayList<>();
    List<Class<?>> components = new ArrayList<>();
    for (RecordComponent component : type.getRecordComponents()) {
      names.add(component.getName());
      getters.add(lookup.unreflect(component.getAccessor()).asType(READS));
      defaults.add(defaultOf(component.getType()));
      components.add(component.getType());
    }
    MethodHandle constructor =
        lookup
            .findConstructor(type, MethodType.methodType(void.class, components))
            .asSpreader(Object[].class, components.size())
            .asType(MAKES_OF);
    return new Shape(type, names, getters, List.of(), defaults, constructor);
  }

  private static Shape ofFields(Class<?> type) throws ReflectiveOperationException {
    var lookup = MethodHandles.privateLookupIn(type, MethodHandles.lookup());
    Map<String, Field> named = new LinkedHashMap<>();
    for (Field field : KnownTypes.fieldsOf(type)) {
      if (Modifier.isFinal(field.getModifiers())) {
        throw new SerializationException(ValueRules.finalField(type.getName(), field.getName()));
      }
      String name = field.getName();
      named.put(
          named.containsKey(name) ? field.getDeclaringClass().getSimpleName() + "." + name : name,
          field);
    }
    List<MethodHandle> getters = new ArrayList<>();
    List<MethodHandle> setters = new ArrayList<>();
    for (Field field : named.values()) {
      var owner = MethodHandles.privateLookupIn(field.getDeclaringClass(), MethodHandles.lookup());
      getters.add(owner.unreflectGetter(field).asType(READS));
      setters.add(owner.unreflectSetter(field).asType(WRITES));
    }
    return new Shape(
        type, List.copyOf(named.keySet()), getters, setters, List.of(), noArguments(type, lookup));
  }

  private static MethodHandle noArguments(Class<?> type, MethodHandles.Lookup lookup)
      throws IllegalAccessException {
    try {
      return lookup.findConstructor(type, MethodType.methodType(void.class)).asType(MAKES);
    } catch (NoSuchMethodException e) {
      throw new SerializationException(ValueRules.noConstructor(type.getName()), e);
    }
  }

  /** Returns the value of a record's component that the record's writer did not have. */
  private static Object defaultOf(Class<?> type) {
    if (type == Optional.class) {
      return Optional.empty();
    } else if (type == List.class || type == Collection.class) {
      return Collections.emptyList();
    } else if (type == Set.class) {
      return Collections.emptySet();
    } else if (type == Map.class) {
      return Collections.emptyMap();
    }
    return type.isPrimitive() ? Array.get(Array.newInstance(type, 1), 0) : NO_DEFAULT;
  }

  Class<?> type() {
    return type;
  }

  public List<String> fields() {
    return fields;
  }

  boolean isRecord() {
    return type.isRecord();
  }

  public @Nullable Object get(Object instance, int field) {
    try {
      return (Object) getters.get(field).invokeExact(instance);
    } catch (Throwable failure) {
      throw failed("read " + fields.get(field) + " of", failure);
    }
  }

  void set(Object instance, int field, @Nullable Object value) {
    try {
      setters.get(field).invokeExact(instance, value);
    } catch (Throwable failure) {
      throw failed("set " + fields.get(field) + " of", failure);
    }
  }

  /** A new instance of a class that is no record, its fields as its constructor leaves them. */
  Object make() {
    try {
      return (Object) constructor.invokeExact();
    } catch (Throwable failure) {
      throw failed("make", failure);
    }
  }

  /** A new record. */
  Object make(@Nullable Object[] components) {
    try {
      return (Object) constructor.invokeExact(components);
    } catch (Throwable failure) {
      throw failed("make", failure);
    }
  }

  /** Components of a record about which nothing is known yet. */
  @Nullable Object[] defaults() {
    @Nullable Object[] components = defaults.toArray();
    for (int i = 0; i < components.length; i++) {
      if (components[i] == NO_DEFAULT) {
        components[i] = null;
      }
    }
    return components;
  }

  private SerializationException failed(String what, Throwable failure) {
    return new SerializationException(
        "can't " + what + " a " + type.getName() + ": " + failure, failure);
  }
}
