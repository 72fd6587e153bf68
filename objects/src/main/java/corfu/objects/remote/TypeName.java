package corfu.objects.remote;

import java.util.List;

/**
 * By what a host finds the type of an object.
 *
 * @param name see {@link corfu.objects.type.ObjectType#hostedName}
 * @param held the names of the application's classes that its values may be of, in order
 */
public record TypeName(String name, List<String> held) {

  public TypeName {
    held = List.copyOf(held);
  }

  @Override
  public String toString() {
    return held.isEmpty() ? name : name + " of " + String.join(", ", held);
  }
}
