package corfu.objects.serial.rule;

import java.util.List;
import java.util.Optional;

/**
 * A declared type of values as {@link ValueRules} see it, whichever mirror shows it: the classes
 * that are there, or a compiler's model of those that will be.
 */
public interface ValueSketch {

  /** The kind of a type. */
  enum Form {
    PRIMITIVE,
    ARRAY,
    ENUM,
    RECORD,
    /** An application's class that values are of. */
    CLASS,
    /** An application's class that only subclasses' values are of. */
    ABSTRACT_CLASS,
    /** One of the JDK's. */
    PLATFORM,
    /** Only a value will tell: an application's interface, a type parameter. */
    OPEN
  }

  Form form();

  /** Its binary name; where it has none, something for people. */
  String name();

  /** An array's component, a record's components, a class's fields, a JDK type's arguments. */
  List<Part> parts();

  /** A class's field that is final, static and transient ones aside. */
  Optional<String> finalField();

  /** Whether a class has a constructor without parameters. */
  boolean hasConstructor();

  /**
   * A part of it.
   *
   * @param name empty: there is no need to name it
   */
  record Part(String name, ValueSketch value) {}
}
