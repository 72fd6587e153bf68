package corfu.objects.serial.internal;

import corfu.objects.serial.rule.ValueSketch;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Sketches types whose classes are there. */
public record ReflectedValue(Type type) implements ValueSketch {

  /** Null-free: the class that the type is of, or nothing where it is a parameter or wildcard. */
  private Optional<Class<?>> raw() {
    return switch (type) {
      case Class<?> plain -> Optional.of(plain);
      case ParameterizedType generic -> Optional.of((Class<?>) generic.getRawType());
      default -> Optional.empty();
    };
  }

  @Override
  public Form form() {
    return type instanceof GenericArrayType
        ? Form.ARRAY
        : raw().map(ReflectedValue::formOf).orElse(Form.OPEN);
  }

  private static Form formOf(Class<?> type) {
    if (type.isPrimitive()) {
      return Form.PRIMITIVE;
    } else if (type.isArray()) {
      return Form.ARRAY;
    } else if (KnownTypes.isOfThePlatform(type)) {
      return Form.PLATFORM;
    } else if (type.isEnum()) {
      return Form.ENUM;
    } else if (type.isRecord()) {
      return Form.RECORD;
    } else if (type.isInterface()) {
      return Form.OPEN;
    }
    return Modifier.isAbstract(type.getModifiers()) ? Form.ABSTRACT_CLASS : Form.CLASS;
  }

  @Override
  public String name() {
    return raw().map(Class::getName).orElse(type.getTypeName());
  }

  @Override
  public List<Part> parts() {
    return switch (form()) {
      case ARRAY -> List.of(unnamed(componentOf(type)));
      case RECORD ->
          Arrays.stream(raw().orElseThrow().getRecordComponents())
              .map(each -> part("component " + each.getName(), each.getGenericType()))
              .toList();
      case CLASS, ABSTRACT_CLASS ->
          fields().stream()
              .map(each -> part("field " + each.getName(), each.getGenericType()))
              .toList();
      case PLATFORM ->
          type instanceof ParameterizedType generic
              ? Arrays.stream(generic.getActualTypeArguments())
                  .map(ReflectedValue::unnamed)
                  .toList()
              : List.of();
      default -> List.of();
    };
  }

  private static Type componentOf(Type array) {
    return switch (array) {
      case GenericArrayType generic -> generic.getGenericComponentType();
      case Class<?> plain -> plain.getComponentType();
      default -> throw new IllegalStateException(array + " is no array");
    };
  }

  private static Part part(String name, Type type) {
    return new Part(name, new ReflectedValue(type));
  }

  private static Part unnamed(Type type) {
    return part("", type);
  }

  private List<Field> fields() {
    return KnownTypes.fieldsOf(raw().orElseThrow()).stream()
        .filter(field -> !field.isSynthetic())
        .filter(field -> !KnownTypes.isOfThePlatform(field.getDeclaringClass()))
        .toList();
  }

  @Override
  public Optional<String> finalField() {
    return fields().stream()
        .filter(field -> Modifier.isFinal(field.getModifiers()))
        .map(Field::getName)
        .findFirst();
  }

  @Override
  public boolean hasConstructor() {
    return Arrays.stream(raw().orElseThrow().getDeclaredConstructors())
        .mapToInt(Constructor::getParameterCount)
        .anyMatch(count -> count == 0);
  }
}
