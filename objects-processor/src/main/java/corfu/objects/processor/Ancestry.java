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

/** What classes have of our annotations: their own, or those of classes and interfaces above. */
final class Ancestry {

  /** How a class comes to be looked at. */
  enum Standing {
    /** Not at all. */
    STRANGER,
    /** Its methods have annotations. */
    ANNOTATED,
    /** Those of what it extends have some: it may be opened, as that may. */
    HEIR,
    /** Only those of interfaces have some: it is what may be behind them. */
    BEHIND
  }

  private final Model model;
  private final Set<String> annotations;
  private final Map<TypeElement, Boolean> declaring = new HashMap<>();

  /**
   * @param annotations the full names of ours
   */
  Ancestry(Model model, Set<String> annotations) {
    this.model = model;
    this.annotations = annotations;
  }

  /** The class, and those inside of it. */
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

  /** What stands for an object extends its class, and is in what we have left beside that. */
  private boolean isEmitted(TypeElement type) {
    return Optional.ofNullable(type.getEnclosingElement())
        .filter(TypeElement.class::isInstance)
        .flatMap(outer -> model.superclassOf((TypeElement) outer))
        .filter(above -> above.getQualifiedName().contentEquals(CompiledType.class.getName()))
        .isPresent();
  }
}
