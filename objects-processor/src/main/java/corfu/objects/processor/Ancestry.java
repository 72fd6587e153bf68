package corfu.objects.processor;

import corfu.objects.generated.CompiledType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.lang.model.element.Element;
import javax.lang.model.element.TypeElement;
import javax.lang.model.util.ElementFilter;

/**
 * Finds out where a class gets Corfu's annotations from: itself, its superclasses or its
 * interfaces.
 */
final class Ancestry {

  /** The reason why the processor checks a class. */
  enum Standing {
    /** The processor does not check the class. */
    STRANGER,
    /** The class's own methods have annotations. */
    ANNOTATED,
    /**
     * A superclass, or a superinterface of an interface, has annotated methods. The class may be
     * opened as an object, as they may.
     */
    HEIR,
    /**
     * Only interfaces of the class have annotated methods. The class may be the implementation
     * behind them.
     */
    BEHIND
  }

  private final Model model;
  private final Set<String> annotations;
  private final Map<TypeElement, Boolean> declaring = new HashMap<>();

  /**
   * @param annotations the fully qualified names of Corfu's annotations
   */
  Ancestry(Model model, Set<String> annotations) {
    this.model = model;
    this.annotations = annotations;
  }

  /** Returns the class and all classes nested in it. */
  static List<TypeElement> within(TypeElement type) {
    List<TypeElement> all = new ArrayList<>();
    all.add(type);
    ElementFilter.typesIn(type.getEnclosedElements()).forEach(each -> all.addAll(within(each)));
    return all;
  }

  Standing of(TypeElement type) {
    if (declares(type)) {
      return Standing.ANNOTATED;
    }
    if (isEmitted(type)) {
      return Standing.STRANGER;
    }
    boolean hasInterface = model.interfacesOf(type).stream().anyMatch(this::declares);
    if (model.chainOf(type).stream().anyMatch(this::declares)) {
      return Standing.HEIR;
    }
    if (!hasInterface) {
      return Standing.STRANGER;
    }
    return type.getKind().isInterface() ? Standing.HEIR : Standing.BEHIND;
  }

  private boolean declares(TypeElement type) {
    return declaring.computeIfAbsent(
        type,
        unknown ->
            ElementFilter.methodsIn(type.getEnclosedElements()).stream().anyMatch(this::isOurs));
  }

  private boolean isOurs(Element method) {
    return method.getAnnotationMirrors().stream()
        .map(each -> model.elementOf(each.getAnnotationType()))
        .flatMap(Optional::stream)
        .anyMatch(each -> annotations.contains(each.getQualifiedName().toString()));
  }

  /**
   * Returns whether the processor itself wrote the class. A stand-in extends the object's class and
   * is nested in the generated object type.
   */
  private boolean isEmitted(TypeElement type) {
    return Optional.ofNullable(type.getEnclosingElement())
        .filter(TypeElement.class::isInstance)
        .flatMap(outer -> model.superclassOf((TypeElement) outer))
        .filter(above -> above.getQualifiedName().contentEquals(CompiledType.class.getName()))
        .isPresent();
  }
}
