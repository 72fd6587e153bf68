package corfu.objects.internal.invoker;

import corfu.objects.type.ObjectType;
import corfu.protocol.StreamId;

/** Opens parts of a composed object, of the same moment as the object. */
@FunctionalInterface
public interface PartOpener {

  /**
   * Opens a part.
   *
   * @param name what messages call the part
   */
  <C> C openPart(String name, StreamId id, ObjectType<C> type);
}
