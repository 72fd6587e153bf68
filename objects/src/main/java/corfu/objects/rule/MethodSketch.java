package corfu.objects.rule;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A method of a class.
 *
 * @param method what the mirror calls it
 * @param owner the binary name of the class that declares it
 * @param name its simple name
 * @param parameters in their order
 * @param traits what else matters
 * @param declarations what its annotations say: first those of itself, then those of what it
 *     overrides
 * @param <M> methods of the mirror
 */
public record MethodSketch<M>(
    M method,
    String owner,
    String name,
    List<ParameterSketch> parameters,
    Set<Trait> traits,
    List<List<OperationDeclaration>> declarations) {

  /** A property of a method that the rules look at. */
  public enum Trait {
    PUBLIC,
    PRIVATE,
    STATIC,
    FINAL,
    ABSTRACT,
    VOID,
    /** It overrides one of {@link Object}'s public methods. */
    OF_OBJECT
  }

  public MethodSketch {
    parameters = List.copyOf(parameters);
    traits = Set.copyOf(traits);
    declarations = List.copyOf(declarations);
  }

  boolean is(Trait trait) {
    return traits.contains(trait);
  }

  /** Its name in the log if it is given no other. */
  String signature() {
    return parameters.stream()
        .map(ParameterSketch::type)
        .collect(Collectors.joining(",", name + "(", ")"));
  }

  /** For messages: the class, too. */
  public String fullName() {
    return owner + "." + signature();
  }
}
