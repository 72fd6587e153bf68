package corfu.objects.generated;

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
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Sketches a class that is there. */
final class ReflectedClass {

  private final Class<?> type;

  ReflectedClass(Class<?> type) {
    this.type = type;
  }

  /** As its annotations say. */
  ClassSketch<Method> annotated() {
    return sketch(
        methods().stream().map(method -> sketch(method, declarationsOf(method))).toList());
  }

  /** With public methods of these names as what changes it, and all others as what reads it. */
  ClassSketch<Method> plain(Set<String> mutators) {
    Set<String> missing = new HashSet<>(mutators);
    List<MethodSketch<Method>> sketches = new ArrayList<>();
    for (Method method : callableMethods()) {
      if (Modifier.isPublic(method.getModifiers())) {
        missing.remove(method.getName());
        OperationDeclaration said = new OperationDeclaration(plainKind(method, mutators), "");
        sketches.add(sketch(method, List.of(List.of(said))));
      }
    }
    if (!missing.isEmpty()) {
      throw new ObjectTypeException(
          "%s has no public method %s".formatted(type.getName(), String.join(", ", missing)));
    }
    return sketch(sketches);
  }

  private static Kind plainKind(Method method, Set<String> mutators) {
    if (!mutators.contains(method.getName())) {
      return Kind.ACCESSOR;
    }
    return method.getReturnType() == void.class ? Kind.MUTATOR : Kind.MUTATOR_ACCESSOR;
  }

  private ClassSketch<Method> sketch(List<MethodSketch<Method>> methods) {
    Set<ClassSketch.Trait> traits = EnumSet.noneOf(ClassSketch.Trait.class);
    if (Modifier.isFinal(type.getModifiers())) {
      traits.add(ClassSketch.Trait.FINAL);
    }
    if (type.isSealed()) {
      traits.add(ClassSketch.Trait.SEALED);
    }
    if (type.isInterface()) {
      traits.add(ClassSketch.Trait.INTERFACE);
    }
    try {
      Constructor<?> constructor = type.getDeclaredConstructor();
      if (Modifier.isPrivate(constructor.getModifiers())) {
        traits.add(ClassSketch.Trait.PRIVATE_CONSTRUCTOR);
      }
    } catch (NoSuchMethodException none) {
      traits.add(ClassSketch.Trait.NO_CONSTRUCTOR);
    }
    return new ClassSketch<>(type.getName(), traits, methods);
  }

  // --------------------------------------------------------------------------------- its methods

  /** Those that can be called, and those that can't be, but have annotations. */
  private List<Method> methods() {
    List<Method> methods = new ArrayList<>(callableMethods());
    Arrays.stream(type.getDeclaredMethods())
        .filter(method -> !isCallable(method) && !method.isSynthetic())
        .filter(method -> !said(method).isEmpty())
        .forEach(methods::add);
    return methods;
  }

  /** All methods that can be called on it from outside, none twice. */
  private Collection<Method> callableMethods() {
    Map<String, Method> bySignature = new HashMap<>();
    for (Class<?> each = type; each != null && each != Object.class; each = each.getSuperclass()) {
      for (Method method : each.getDeclaredMethods()) {
        if (isCallable(method)) {
          bySignature.putIfAbsent(signatureOf(method), method);
        }
      }
    }
    for (Method method : type.getMethods()) {
      if (isCallable(method) && method.getDeclaringClass() != Object.class) {
        bySignature.putIfAbsent(signatureOf(method), method);
      }
    }
    List.copyOf(bySignature.values()).stream()
        .flatMap(method -> bridgesTo(method).stream())
        .forEach(bySignature::remove);
    return bySignature.values();
  }

  /**
   * The signatures, other than its own, of what a method overrides or implements where type
   * parameters have a meaning: {@code set(T)} by {@code set(String)}.
   */
  private Set<String> bridgesTo(Method method) {
    Set<String> bridges = new LinkedHashSet<>();
    for (Class<?> each = type; each != null; each = each.getSuperclass()) {
      for (Method bridge : each.getDeclaredMethods()) {
        if (bridge.isBridge()
            && leadsTo(bridge, method)
            && !signatureOf(bridge).equals(signatureOf(method))) {
          bridges.add(signatureOf(bridge));
        }
      }
    }
    return bridges;
  }

  private static boolean leadsTo(Method bridge, Method method) {
    Class<?>[] from = bridge.getParameterTypes();
    Class<?>[] to = method.getParameterTypes();
    boolean fits = bridge.getName().equals(method.getName()) && from.length == to.length;
    for (int i = 0; fits && i < to.length; i++) {
      fits = from[i].isAssignableFrom(to[i]);
    }
    return fits;
  }

  private static boolean isCallable(Method method) {
    int modifiers = method.getModifiers();
    return !Modifier.isStatic(modifiers) && !Modifier.isPrivate(modifiers) && !method.isSynthetic();
  }

  private static String signatureOf(Method method) {
    return method.getName()
        + Arrays.stream(method.getParameterTypes())
            .map(Class::getName)
            .collect(Collectors.joining(",", "(", ")"));
  }

  private static MethodSketch<Method> sketch(
      Method method, List<List<OperationDeclaration>> declarations) {
    return new MethodSketch<>(
        method,
        method.getDeclaringClass().getName(),
        method.getName(),
        Arrays.stream(method.getParameters()).map(ReflectedClass::sketch).toList(),
        traitsOf(method),
        declarations);
  }

  /** As messages call it. */
  static String nameOf(Method method) {
    return sketch(method, List.of()).fullName();
  }

  private static ParameterSketch sketch(Parameter parameter) {
    Class<?> type = parameter.getType();
    return new ParameterSketch(
        type.getSimpleName(),
        parameter.isAnnotationPresent(Key.class),
        parameter.isAnnotationPresent(Keys.class),
        Map.class.isAssignableFrom(type)
            || Collection.class.isAssignableFrom(type)
            || type.isAssignableFrom(Map.class)
            || type.isAssignableFrom(Collection.class));
  }

  private static Set<MethodSketch.Trait> traitsOf(Method method) {
    Set<MethodSketch.Trait> traits = EnumSet.noneOf(MethodSketch.Trait.class);
    int modifiers = method.getModifiers();
    add(traits, Modifier.isPublic(modifiers), MethodSketch.Trait.PUBLIC);
    add(traits, Modifier.isPrivate(modifiers), MethodSketch.Trait.PRIVATE);
    add(traits, Modifier.isStatic(modifiers), MethodSketch.Trait.STATIC);
    add(traits, Modifier.isFinal(modifiers), MethodSketch.Trait.FINAL);
    add(traits, Modifier.isAbstract(modifiers), MethodSketch.Trait.ABSTRACT);
    add(traits, method.getReturnType() == void.class, MethodSketch.Trait.VOID);
    add(traits, isObjectMethod(method), MethodSketch.Trait.OF_OBJECT);
    return traits;
  }

  private static void add(Set<MethodSketch.Trait> traits, boolean has, MethodSketch.Trait trait) {
    if (has) {
      traits.add(trait);
    }
  }

  private static boolean isObjectMethod(Method method) {
    return Arrays.stream(Object.class.getMethods())
        .anyMatch(each -> signatureOf(each).equals(signatureOf(method)));
  }

  // ----------------------------------------------------------------------------- its annotations

  /** The method, and what it overrides: in superclasses, then in interfaces. */
  private List<List<OperationDeclaration>> declarationsOf(Method method) {
    List<List<OperationDeclaration>> all = new ArrayList<>();
    all.add(said(method));
    if (!isCallable(method)) {
      return all;
    }
    Set<String> signatures = new HashSet<>(bridgesTo(method));
    signatures.add(signatureOf(method));
    for (Class<?> each = type; each != null; each = each.getSuperclass()) {
      addDeclaration(each, signatures, all);
    }
    for (Class<?> each : interfacesOf(type)) {
      addDeclaration(each, signatures, all);
    }
    return all;
  }

  private static void addDeclaration(
      Class<?> type, Set<String> signatures, List<List<OperationDeclaration>> all) {
    Arrays.stream(type.getDeclaredMethods())
        .filter(each -> !each.isSynthetic()) // bridges have the annotations of what they lead to
        .filter(each -> signatures.contains(signatureOf(each)))
        .map(ReflectedClass::said)
        .forEach(all::add);
  }

  private static Set<Class<?>> interfacesOf(@Nullable Class<?> type) {
    Set<Class<?>> all = new LinkedHashSet<>();
    if (type != null) {
      for (Class<?> each : type.getInterfaces()) {
        all.add(each);
        all.addAll(interfacesOf(each));
      }
      all.addAll(interfacesOf(type.getSuperclass()));
    }
    return all;
  }

  private static List<OperationDeclaration> said(Method method) {
    List<OperationDeclaration> said = new ArrayList<>();
    if (method.isAnnotationPresent(Accessor.class)) {
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
