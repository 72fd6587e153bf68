package corfu.objects.processor;

import corfu.objects.rule.Verdict.Planned;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.ArrayType;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.IntersectionType;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.type.TypeVariable;
import javax.lang.model.type.WildcardType;

/**
 * Lists the classes that must be registered with a serializer: those that operations declare,
 * except those that it knows itself. The serializer finds the classes that these refer to.
 */
final class ValueTypes {

  private final Model model;
  private final Map<String, TypeMirror> found = new LinkedHashMap<>();
  private final Set<TypeMirror> visited = new HashSet<>();

  ValueTypes(Model model) {
    this.model = model;
  }

  List<TypeMirror> of(TypeElement type, List<Planned<ExecutableElement>> operations) {
    if (!type.getKind().isInterface() && !Model.is(type, Modifier.ABSTRACT)) {
      visit(type.asType());
    }
    for (Planned<ExecutableElement> each : operations) {
      each.method().getParameters().stream().map(VariableElement::asType).forEach(this::visit);
      visit(each.method().getReturnType());
    }
    return List.copyOf(found.values());
  }

  private void visit(TypeMirror type) {
    if (!visited.add(type)) {
      return;
    }
    switch (type.getKind()) {
      case ARRAY -> visit(((ArrayType) type).getComponentType());
      case DECLARED -> {
        add((TypeElement) ((DeclaredType) type).asElement());
        ((DeclaredType) type).getTypeArguments().forEach(this::visit);
      }
      case TYPEVAR -> visit(((TypeVariable) type).getUpperBound());
      case INTERSECTION -> ((IntersectionType) type).getBounds().forEach(this::visit);
      case WILDCARD ->
          Optional.ofNullable(((WildcardType) type).getExtendsBound()).ifPresent(this::visit);
      default -> {}
    }
  }

  private void add(TypeElement element) {
    String name = model.binaryName(element);
    if (element.getKind() == ElementKind.ENUM || !Model.isOfThePlatform(name)) {
      found.putIfAbsent(name, model.types().erasure(element.asType()));
    }
  }
}
