package corfu.objects.serial.rule;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Finds the declared types that the {@link corfu.objects.serial.StandardSerializer} certainly can't
 * write and read again. If only a value can tell, the rules have no objection.
 */
public final class ValueRules {

  /** The classes that values of the JDK have after reading. */
  @SuppressWarnings("JdkObsolete") // what was a LinkedList is one again
  private static final List<Class<?>> MADE =
      Stream.concat(
              Stream.of(
                  String.class,
                  Boolean.class,
                  Character.class,
                  Byte.class,
                  Short.class,
                  Integer.class,
                  Long.class,
                  Float.class,
                  Double.class,
                  Void.class,
                  BigInteger.class,
                  BigDecimal.class,
                  UUID.class,
                  Instant.class,
                  Duration.class,
                  Optional.class,
                  ArrayList.class,
                  LinkedList.class,
                  ArrayDeque.class,
                  HashSet.class,
                  LinkedHashSet.class,
                  TreeSet.class,
                  HashMap.class,
                  LinkedHashMap.class,
                  TreeMap.class,
                  Record.class,
                  Enum.class),
              TextValue.types())
          .toList();

  /** Interfaces of the JDK that an application's values can hardly have: they are not data. */
  private static final List<String> NO_DATA =
      List.of(
          "java.util.function.",
          "java.util.stream.",
          "java.util.concurrent.",
          "java.util.Iterator",
          "java.util.ListIterator",
          "java.util.Spliterator",
          "java.util.Enumeration",
          "java.util.Comparator",
          "java.lang.Runnable",
          "java.io.",
          "java.nio.");

  private final Set<String> visited = new HashSet<>();

  private ValueRules() {}

  /** Returns why values of a type can't be written, or empty if the rules have no objection. */
  public static Optional<String> objectionTo(ValueSketch type) {
    return new ValueRules().visit(type);
  }

  /** Returns the message for a class with a final field. */
  public static String finalField(String type, String field) {
    return "%s can't be written: its field %s is final. Make it a record, or the field not final"
        .formatted(type, field);
  }

  /** Returns the message for a class that has no constructor without parameters. */
  public static String noConstructor(String type) {
    return "%s can't be written: it has no constructor without parameters. Add one, or make it a"
            .formatted(type)
        + " record";
  }

  private Optional<String> visit(ValueSketch type) {
    return switch (type.form()) {
      case PRIMITIVE, OPEN, ENUM -> Optional.empty();
      case ARRAY -> visitParts(type);
      case PLATFORM -> {
        Optional<String> objection = objectionToPlatform(type.name());
        yield objection.isPresent() ? objection : visitParts(type);
      }
      case RECORD -> visited.add(type.name()) ? visitParts(type) : Optional.empty();
      case CLASS, ABSTRACT_CLASS -> {
        if (!visited.add(type.name())) {
          yield Optional.empty();
        }
        Optional<String> field = type.finalField();
        if (field.isPresent()) {
          yield Optional.of(finalField(type.name(), field.get()));
        }
        if (type.form() == ValueSketch.Form.CLASS && !type.hasConstructor()) {
          yield Optional.of(noConstructor(type.name()));
        }
        yield visitParts(type);
      }
    };
  }

  private Optional<String> visitParts(ValueSketch type) {
    for (ValueSketch.Part part : type.parts()) {
      Optional<String> objection = visit(part.value());
      if (objection.isPresent()) {
        return part.name().isEmpty()
            ? objection
            : Optional.of("%s of %s: %s".formatted(part.name(), type.name(), objection.get()));
      }
    }
    return Optional.empty();
  }

  private static Optional<String> objectionToPlatform(String name) {
    Class<?> type;
    try {
      type = Class.forName(name, false, ClassLoader.getPlatformClassLoader());
    } catch (ClassNotFoundException | LinkageError unknown) {
      return Optional.empty(); // of another version of the JDK
    }
    if (type.isEnum() || MADE.stream().anyMatch(type::isAssignableFrom)) {
      return Optional.empty();
    }
    if (type.isInterface() && NO_DATA.stream().noneMatch(name::startsWith)) {
      return Optional.empty();
    }
    return Optional.of(
        "a %s can't be written: of the JDK's classes simple values can, enums, Optional, ArrayList,"
                .formatted(name)
            + " LinkedList, ArrayDeque, HashSet, LinkedHashSet, TreeSet, HashMap, LinkedHashMap,"
            + " TreeMap, and the interfaces of these");
  }
}
