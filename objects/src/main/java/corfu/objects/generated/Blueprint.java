package corfu.objects.generated;

import corfu.objects.annotation.Accessor;
import corfu.objects.annotation.Key;
import corfu.objects.annotation.Keys;
import corfu.objects.annotation.Mutator;
import corfu.objects.annotation.MutatorAccessor;
import corfu.objects.annotation.TransactionalMethod;
import corfu.objects.type.Operation;
import corfu.objects.type.Operation.Kind;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which methods of a class are operations, and what the log calls them.
 *
 * @param type what users call
 * @param state what is behind it
 * @param methods one an operation
 * @param operations in the order of the methods
 */
record Blueprint<T>(
    Class<T> type, Class<?> state, List<Method> methods, List<Operation> operations) {

  /** What is said of a method: its kind, and its name in the log if it is given one. */
  private record Said(Kind kind, String name) {}

  static <T> Blueprint<T> annotated(Class<T> type, Class<?> state) {
    Map<Method, Said> said = new LinkedHashMap<>();
    for (Method method : methodsOf(type)) {
      Optional<Said> what = annotationsOf(method, type);
      if (what.isPresent()) {
        said.put(method, what.get());
      } else if (isObjectMethod(method)) {
        said.put(method, new Said(Kind.ACCESSOR, ""));
      } else if (Modifier.isPublic(method.getModifiers())) {
        throw new ObjectTypeException(
            "%s does not say what it does to the object: annotate it with @Accessor, @Mutator,"
                    .formatted(nameOf(method))
                + " @MutatorAccessor or @TransactionalMethod, or make it other than public."
                + " Where no method has annotations, name those that change the object");
      }
    }
    return checked(type, state, said);
  }

  static <T> Blueprint<T> plain(Class<T> type, Set<String> mutators) {
    Map<Method, Said> said = new LinkedHashMap<>();
    Set<String> missing = new HashSet<>(mutators);
    for (Method method : methodsOf(type)) {
      if (Modifier.isPublic(method.getModifiers())) {
        missing.remove(method.getName());
        said.put(method, new Said(plainKind(method, mutators), ""));
      }
    }
    if (!missing.isEmpty()) {
      throw new ObjectTypeException(
          "%s has no public method %s".formatted(type.getName(), String.join(", ", missing)));
    }
    return checked(type, type, said);
  }

  private static Kind plainKind(Method method, Set<String> mutators) {
    if (!mutators.contains(method.getName())) {
      return Kind.ACCESSOR;
    }
    return method.getReturnType() == void.class ? Kind.MUTATOR : Kind.MUTATOR_ACCESSOR;
  }

  // --------------------------------------------------------------------------------- the methods

  /** All methods that can be called on it from outside, none twice, in an order of their own. */
  private static List<Method> methodsOf(Class<?> type) {
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
    return bySignature.values().stream()
        .sorted(Comparator.comparing(Blueprint::signatureOf))
        .toList();
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

  private static boolean isObjectMethod(Method method) {
    return Arrays.stream(Object.class.getMethods())
        .anyMatch(each -> signatureOf(each).equals(signatureOf(method)));
  }

  private static Optional<Said> annotationsOf(Method method, Class<?> type) {
    List<Said> said = new ArrayList<>();
    for (Method each : declarationsOf(method, type)) {
      if (each.isAnnotationPresent(Accessor.class)) {
        said.add(new Said(Kind.ACCESSOR, ""));
      }
      @Nullable Mutator mutator = each.getAnnotation(Mutator.class);
      if (mutator != null) {
        said.add(new Said(Kind.MUTATOR, mutator.value()));
      }
      @Nullable MutatorAccessor both = each.getAnnotation(MutatorAccessor.class);
      if (both != null) {
        said.add(new Said(Kind.MUTATOR_ACCESSOR, both.value()));
      }
      @Nullable TransactionalMethod transaction = each.getAnnotation(TransactionalMethod.class);
      if (transaction != null) {
        boolean readOnly = transaction.readOnly();
        said.add(new Said(readOnly ? Kind.READ_ONLY_TRANSACTION : Kind.TRANSACTION, ""));
      }
      if (said.size() > 1) {
        throw new ObjectTypeException(nameOf(each) + " has more than one of our annotations");
      }
      if (!said.isEmpty()) {
        return Optional.of(said.getFirst());
      }
    }
    return Optional.empty();
  }

  /** The method, and what it overrides: in superclasses, then in interfaces. */
  private static List<Method> declarationsOf(Method method, Class<?> type) {
    List<Method> all = new ArrayList<>();
    all.add(method);
    for (Class<?> each = type; each != null; each = each.getSuperclass()) {
      addDeclaration(each, method, all);
    }
    for (Class<?> each : interfacesOf(type)) {
      addDeclaration(each, method, all);
    }
    return all;
  }

  private static void addDeclaration(Class<?> type, Method method, List<Method> all) {
    Arrays.stream(type.getDeclaredMethods())
        .filter(each -> signatureOf(each).equals(signatureOf(method)))
        .forEach(all::add);
  }

  private static Set<Class<?>> interfacesOf(@Nullable Class<?> type) {
    Set<Class<?>> all = new HashSet<>();
    if (type != null) {
      for (Class<?> each : type.getInterfaces()) {
        all.add(each);
        all.addAll(interfacesOf(each));
      }
      all.addAll(interfacesOf(type.getSuperclass()));
    }
    return all;
  }

  // ------------------------------------------------------------------------------ what is checked

  private static <T> Blueprint<T> checked(Class<T> type, Class<?> state, Map<Method, Said> said) {
    if (Modifier.isFinal(type.getModifiers())) {
      throw new ObjectTypeException(
          type.getName() + " is final, so nothing can be put in its place; make it not final");
    }
    List<Operation> operations = new ArrayList<>();
    Map<String, Method> names = new HashMap<>();
    said.forEach(
        (method, what) -> {
          check(method, what.kind());
          String name = what.name().isEmpty() ? shortSignature(method) : what.name();
          @Nullable Method other = names.putIfAbsent(name, method);
          if (other != null) {
            throw new ObjectTypeException(
                "%s and %s would both be called %s in the log: name one of them in its annotation"
                    .formatted(nameOf(other), nameOf(method), name));
          }
          operations.add(new Operation(name, what.kind(), keysOf(method)));
        });
    if (operations.isEmpty()) {
      throw new ObjectTypeException(type.getName() + " has no methods that could be called");
    }
    return new Blueprint<>(type, state, List.copyOf(said.keySet()), List.copyOf(operations));
  }

  private static void check(Method method, Kind kind) {
    if (Modifier.isFinal(method.getModifiers())) {
      throw new ObjectTypeException(
          nameOf(method) + " is final, so calls of it can't be taken; make it not final");
    }
    if (kind == Kind.MUTATOR && method.getReturnType() != void.class) {
      throw new ObjectTypeException(
          nameOf(method) + " returns something: make it a @MutatorAccessor, or void");
    }
    if (kind == Kind.ACCESSOR && method.getReturnType() == void.class) {
      throw new ObjectTypeException(
          nameOf(method) + " is an @Accessor and returns nothing; is it a @Mutator?");
    }
  }

  private static String shortSignature(Method method) {
    return method.getName()
        + Arrays.stream(method.getParameterTypes())
            .map(Class::getSimpleName)
            .collect(Collectors.joining(",", "(", ")"));
  }

  private static Optional<Operation.Keys> keysOf(Method method) {
    Parameter[] parameters = method.getParameters();
    for (int i = 0; i < parameters.length; i++) {
      if (parameters[i].isAnnotationPresent(Key.class)) {
        int place = i;
        return Optional.of(arguments -> Collections.singletonList(arguments[place]));
      }
      if (parameters[i].isAnnotationPresent(Keys.class)) {
        int place = i;
        return Optional.of(arguments -> keysIn(arguments[place]));
      }
    }
    return Optional.empty();
  }

  private static List<@Nullable Object> keysIn(@Nullable Object argument) {
    return switch (argument) {
      case Map<?, ?> map -> new ArrayList<@Nullable Object>(map.keySet());
      case Collection<?> elements -> new ArrayList<@Nullable Object>(elements);
      case null, default -> List.of();
    };
  }

  private static String nameOf(Method method) {
    return method.getDeclaringClass().getName() + "." + shortSignature(method);
  }

  /** The types of all that may be written of it. */
  List<Type> valueTypes() {
    List<Type> types = new ArrayList<>();
    types.add(state);
    for (int i = 0; i < methods.size(); i++) {
      types.addAll(List.of(methods.get(i).getGenericParameterTypes()));
      types.add(methods.get(i).getGenericReturnType());
    }
    return types;
  }
}
