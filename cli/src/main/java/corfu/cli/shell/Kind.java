package corfu.cli.shell;

import corfu.objects.PastObjects;
import corfu.objects.ReplicatedObjects;
import corfu.objects.type.ObjectType;
import corfu.protocol.StreamId;

/**
 * A type of objects that can be opened here.
 *
 * @param name what a person calls it
 * @param api whose methods can be called
 * @param type how it is opened
 */
public record Kind(String name, Class<?> api, ObjectType<?> type) {

  /** Opens an object as it is. */
  public Object open(ReplicatedObjects objects, ObjectName object) {
    return open(objects, object, type);
  }

  private static <T> Object open(ReplicatedObjects objects, ObjectName object, ObjectType<T> type) {
    return object.isNamed() ? objects.open(object.text(), type) : objects.open(object.id(), type);
  }

  /** Opens an object as it was. */
  public Object open(PastObjects past, ObjectName object) {
    StreamId id = object.id();
    return object.isNamed() ? past.open(object.text(), type) : past.open(id, type);
  }
}
