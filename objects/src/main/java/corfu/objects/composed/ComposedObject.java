package corfu.objects.composed;

import corfu.objects.Parts;
import corfu.objects.type.ObjectType;

/**
 * An annotated class whose objects are made of other objects. It has no state of its own: what it
 * knows is in its parts, and its methods are transactional ones that call these.
 *
 * <pre>{@code
 * class Groups extends ComposedObject {
 *   @TransactionalMethod(readOnly = true)
 *   public int size() {
 *     return part("left", SET).size() + part("right", SET).size();
 *   }
 * }
 * }</pre>
 *
 * Open it like any other object. Thread-safe.
 */
public abstract class ComposedObject {

  /**
   * A part of this object, as of the moment that the object is opened at.
   *
   * @param name the same name is the same part, for all clients
   */
  protected final <C> C part(String name, ObjectType<C> type) {
    return parts().open(name, type);
  }

  /**
   * Returns the object's parts, for operations other than {@link #part}.
   *
   * @throws IllegalArgumentException if this object was made, not opened
   */
  protected final Parts parts() {
    return Parts.of(this);
  }
}
