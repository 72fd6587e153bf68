package corfu.objects.processor;

import corfu.objects.annotation.Accessor;
import corfu.objects.annotation.Key;
import corfu.objects.annotation.Keys;
import corfu.objects.annotation.Mutator;
import corfu.objects.annotation.MutatorAccessor;
import corfu.objects.annotation.TransactionalMethod;
import corfu.objects.rule.ClassSketch;
import corfu.objects.rule.MethodSketch;
import corfu.objects.rule.OperationDeclaration;
import corfu.objects.rule.ParameterSketch;
import corfu.objects.type.Operation.Kind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.ElementFilter;
import org.jspecify.annotations.Nullable;

/**
 * Sketches a class during its compilation. {@code ReflectedClass} makes the same sketch of it
 * later.
 */
final class ModelClass {

  private final TypeElement type;
  private final Model model;

  ModelClass(TypeElement type, Model model) {
    this.type = type;
    this.model = model;
  }

  ClassSketch<ExecutableElement> sketch() {
    return new ClassSketch<>(
        model.binaryName(type), traits(), methods().stream().map(this::sketch).toList());
  }

  private Set<ClassSketch.Trait> traits() {
    Set<ClassSketch.Trait> traits = EnumSet.noneOf(ClassSketch.Trait.class);
    add(traits, Model.is(type, Modifier.FINAL), ClassSketch.Trait.FINAL);
    add(traits, Model.is(type, Modifier.SEALED), ClassSketch.Trait.SEALED);
    add(traits, type.getKind().isInterface(), ClassSketch.Trait.INTERFACE);
    Optional<ExecutableElement> constructor = constructorOf(type);
    add(traits, constructor.isEmpty(), ClassSketch.Trait.NO_CONSTRUCTOR);
    add(
        traits,
        constructor.filter(each -> Model.is(each, Modifier.PRIVATE)).isPresent(),
        ClassSketch.Trait.PRIVATE_CONSTRUCTOR);
    return traits;
  }

  private static <E> void add(Set<E> traits, boolean has, E trait) {
    if (has) {
      traits.add(trait);
    }
  }

  /**
   * Returns the constructor without parameters, or empty if none exists or the class is an inner
   * class.
   */
  static Optional<ExecutableElement> constructorOf(TypeElement type) {
    return Model.isInner(type)
        ? Optional.empty()
        : ElementFilter.constructorsIn(type.getEnclosedElements()).stream()
            .filter(each -> each.getParameters().isEmpty())
            .findFirst();
  }

  // --------------------------------------------------------------------------------- its methods

  private List<ExecutableElement> methods() {
    List<ExecutableElement> methods = new ArrayList<>(callableMethods());
    ElementFilter.methodsIn(type.getEnclosedElements()).stream()
        .filter(method -> !isCallable(method) && !said(method).isEmpty())
        .forEach(methods::add);
    return methods;
  }

  private Collection<ExecutableElement> callableMethods() {
    Map<String, ExecutableElement> bySignature = new LinkedHashMap<>();
    for (TypeElement each : model.chainOf(type)) {
      for (ExecutableElement method : ElementFilter.methodsIn(each.getEnclosedElements())) {
        if (isCallable(method) && !isOverridden(method, bySignature.values())) {
          bySignature.putIfAbsent(model.signatureOf(method), method);
        }
      }
    }
    for (TypeElement each : model.interfacesOf(type)) {
      for (ExecutableElement method : ElementFilter.methodsIn(each.getEnclosedElements())) {
        if (isCallable(method) && !isOverridden(method, bySignature.values())) {
          bySignature.putIfAbsent(model.signatureOf(method), method);
        }
      }
    }
    return bySignature.values();
  }

  private static boolean isCallable(ExecutableElement method) {
    return !Model.is(method, Modifier.STATIC) && !Model.is(method, Modifier.PRIVATE);
  }

  private boolean isOverridden(ExecutableElement method, Collection<ExecutableElement> others) {
    return others.stream().anyMatch(other -> model.elements().overrides(other, method, type));
  }

  private MethodSketch<ExecutableElement> sketch(ExecutableElement method) {
    return new MethodSketch<>(
        method,
        model.binaryName(Model.classOf(method)),
        method.getSimpleName().toString(),
        method.getParameters().stream().map(this::sketch).toList(),
        traitsOf(method),
        declarationsOf(method));
  }

  private ParameterSketch sketch(VariableElement parameter) {
    return new ParameterSketch(
        model.simpleName(parameter.asType()),
        parameter.getAnnotation(Key.class) != null,
        parameter.getAnnotation(Keys.class) != null,
        mayBe(parameter.asType(), Map.class) || mayBe(parameter.asType(), Collection.class));
  }

  private boolean mayBe(TypeMirror declared, Class<?> other) {
    TypeElement element = model.elements().getTypeElement(other.getName());
    TypeMirror erased = model.types().erasure(declared);
    TypeMirror wanted = model.types().erasure(element.asType());
    return !erased.getKind().isPrimitive()
        && (model.types().isSubtype(erased, wanted) || model.types().isSubtype(wanted, erased));
  }

  private Set<MethodSketch.Trait> traitsOf(ExecutableElement method) {
    Set<MethodSketch.Trait> traits = EnumSet.noneOf(MethodSketch.Trait.class);
    add(traits, Model.is(method, Modifier.PUBLIC), MethodSketch.Trait.PUBLIC);
    add(traits, Model.is(method, Modifier.PRIVATE), MethodSketch.Trait.PRIVATE);
    add(traits, Model.is(method, Modifier.STATIC), MethodSketch.Trait.STATIC);
    add(traits, Model.is(method, Modifier.FINAL), MethodSketch.Trait.FINAL);
    add(traits, Model.is(method, Modifier.ABSTRACT), MethodSketch.Trait.ABSTRACT);
    add(traits, method.getReturnType().getKind() == TypeKind.VOID, MethodSketch.Trait.VOID);
    add(traits, isObjectMethod(method), MethodSketch.Trait.OF_OBJECT);
    return traits;
  }

  private boolean isObjectMethod(ExecutableElement method) {
    TypeElement object = model.elements().getTypeElement("java.lang.Object");
    return ElementFilter.methodsIn(object.getEnclosedElements()).stream()
        .filter(each -> Model.is(each, Modifier.PUBLIC))
        .anyMatch(each -> model.signatureOf(each).equals(model.signatureOf(method)));
  }

  // ----------------------------------------------------------------------------- its annotations

  private List<List<OperationDeclaration>> declarationsOf(ExecutableElement method) {
    List<List<OperationDeclaration>> all = new ArrayList<>();
    all.add(said(method));
    if (isCallable(method)) {
      Set<TypeElement> above = new LinkedHashSet<>(model.chainOf(type));
      above.addAll(model.interfacesOf(type));
      for (TypeElement each : above) {
        ElementFilter.methodsIn(each.getEnclosedElements()).stream()
            .filter(other -> isOverridden(other, List.of(method)))
            .map(ModelClass::said)
            .forEach(all::add);
      }
    }
    return all;
  }

  private static List<OperationDeclaration> said(ExecutableElement method) {
    List<OperationDeclaration> said = new ArrayList<>();
    if (method.getAnnotation(Accessor.class) != null) {
      said.add(new OperationDeclaration(Kind.ACCESSOR, ""));
    }
    @Nullable Mutator mutator = method.getAnnotation(Mutator.class);
    if (mutator != null) {
      said.add(new OperationDeclaration(Kind.MUTATOR, mutator.value()));
    }
    @Nullable MutatorAccessor both = method.getAnnotation(MutatorAccessor.class);
    if (both != null) {
      said.add(new OperationDeclaration(Kind.MUTATOR_ACCESSOR, both.value()));
    }
    @Nullable TransactionalMethod transaction = method.getAnnotation(TransactionalMethod.class);
    if (transaction != null) {
      boolean readOnly = transaction.readOnly();
      said.add(
          new OperationDeclaration(readOnly ? Kind.READ_ONLY_TRANSACTION : Kind.TRANSACTION, ""));
    }
    return said;
  }
}
