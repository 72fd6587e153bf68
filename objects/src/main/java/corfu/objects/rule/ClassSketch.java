package corfu.objects.rule;

import java.util.List;
import java.util.Set;

/**
 * A class that shall be replicated.
 *
 * @param name its binary name
 * @param traits what matters of itself
 * @param methods that can be called on it from outside, none twice; and those that can't be, but
 *     are annotated
 * @param <M> methods of the mirror
 */
public record ClassSketch<M>(String name, Set<Trait> traits, List<MethodSketch<M>> methods) {

  /** A property of a class that the rules look at. */
  public enum Trait {
    FINAL,
    SEALED,
    /** It is an interface: what is behind it has to be named. */
    INTERFACE,
    /** It has no constructor without parameters. */
    NO_CONSTRUCTOR,
    /** It has one, but only for itself. */
    PRIVATE_CONSTRUCTOR
  }

  public ClassSketch {
    traits = Set.copyOf(traits);
    methods = List.copyOf(methods);
  }

  /**
   * The same as what is behind an interface, which takes the calls: the class itself may look as it
   * likes.
   */
  public ClassSketch<M> behindAnInterface() {
    return new ClassSketch<>(name, Set.of(Trait.INTERFACE), methods);
  }

  boolean is(Trait trait) {
    return traits.contains(trait);
  }
}
