package corfu.cli.shell;

import corfu.objects.PastObjects;
import corfu.objects.ReplicatedObjects;
import corfu.objects.type.ObjectType;
import corfu.protocol.StreamId;

/**
 * A type of objects that can be opened here.
 *
 * @param name the name that a person types
 * @param api the class or interface with the methods that can be called
 * @param type the type that opens its objects
 */
public record Kind(String name, Class<?> api, ObjectType<?> type) {

  /** Opens the present state of an object. */
  public Object open(ReplicatedObjects objects, ObjectName object) {
    return open(objects, object, type);
  }

  private static <T> Object open(ReplicatedObjects objects, ObjectName object, ObjectType<T> type) {
    return object.isNamed() ? objects.open(object.text(), type) : objects.open(object.id(), type);
  }

  /** Opens a past state of an object. */
  public Object open(PastObjects past, ObjectName object) {
    StreamId id = object.id();
    return object.isNamed() ? past.open(object.text(), type) : past.open(id, type);
  }
}
