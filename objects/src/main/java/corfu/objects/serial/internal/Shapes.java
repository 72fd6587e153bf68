package corfu.objects.serial.internal;

import corfu.objects.serial.SerializationException;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The shapes of the classes that are known; found out when they are needed. Thread-safe. */
public final class Shapes {

  private final KnownTypes known;
  private final ConcurrentHashMap<Class<?>, Shape> shapes = new ConcurrentHashMap<>();

  public Shapes(KnownTypes known) {
    this.known = known;
  }

  public KnownTypes known() {
    return known;
  }

  public Shape of(Class<?> type) {
    Shape shape = shapes.get(type);
    if (shape == null) {
      check(type);
      shape = shapes.computeIfAbsent(type, Shape::of);
    }
    return shape;
  }

  /** The known class of this name, as somebody wrote it. */
  Class<?> named(String name) {
    @Nullable Class<?> type = known.named(name);
    if (type == null) {
      throw new SerializationException(
          "a "
              + name
              + " was written here, which is not known: its class is missing, or has to be named"
              + " among the types that the object may hold");
    }
    return type;
  }

  void check(Class<?> type) {
    if (!known.contains(type)) {
      throw new SerializationException(
          "a "
              + type.getName()
              + " can't be written: it is no type that the operation declares, or that this leads"
              + " to. Name it among the types that the object may hold");
    }
  }

  void checkArray(Class<?> component) {
    if (!ArrayTypes.isSimple(component)) {
      check(component.isArray() ? component.getComponentType() : component);
    }
  }
}
