package corfu.cli.shell;

import corfu.objects.type.Operation;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The methods of a type, which a person can call with typed values. */
final class Methods {

  private final Kind kind;

  Methods(Kind kind) {
    this.kind = kind;
  }

  /** A method and its arguments; the smaller the distance, the better they fit. */
  private record Fit(Method method, List<@Nullable Object> arguments, int distance) {}

  /**
   * Returns the names of the methods that can be called; methods with functions as parameters
   * cannot.
   */
  List<String> names() {
    return new ArrayList<>(
        all()
            .filter(
                method ->
                    Arrays.stream(method.getParameterTypes()).allMatch(ArgumentMatcher::canBeTyped))
            .map(Method::getName)
            .collect(Collectors.toCollection(TreeSet::new)));
  }

  /** Returns the methods as text, one a line. */
  List<String> described() {
    List<String> lines = new ArrayList<>();
    for (Operation operation : kind.type().operations()) {
      lines.add("%-40s %s".formatted(operation.name(), wordFor(operation.kind())));
    }
    return lines;
  }

  private static String wordFor(Operation.Kind kind) {
    return switch (kind) {
      case ACCESSOR -> "reads";
      case MUTATOR -> "changes";
      case MUTATOR_ACCESSOR -> "changes, and returns a result";
      case TRANSACTION -> "a transaction";
      case READ_ONLY_TRANSACTION -> "a transaction that only reads";
    };
  }

  private Stream<Method> all() {
    return Arrays.stream(kind.api().isInterface() ? kind.api().getMethods() : declared())
        .filter(method -> !Modifier.isStatic(method.getModifiers()) && !method.isSynthetic())
        .filter(method -> method.getDeclaringClass() != Object.class);
  }

  private Method[] declared() {
    List<Method> methods = new ArrayList<>(List.of(kind.api().getMethods()));
    Arrays.stream(kind.api().getDeclaredMethods())
        .filter(method -> !Modifier.isPrivate(method.getModifiers()))
        .filter(method -> !Modifier.isPublic(method.getModifiers()))
        .forEach(methods::add);
    return methods.toArray(Method[]::new);
  }

  /** A result; {@code isVoid} if the method has none. */
  record Result(boolean isVoid, @Nullable Object value) {}

  /**
   * Calls a method.
   *
   * @throws Throwable the method's own exception
   */
  Result call(Object object, String name, List<Value> arguments) throws Throwable {
    Fit fit = find(name, arguments);
    fit.method.setAccessible(true);
    try {
      @Nullable Object value = fit.method.invoke(object, fit.arguments.toArray());
      return new Result(fit.method.getReturnType() == void.class, value);
    } catch (InvocationTargetException thrown) {
      throw thrown.getCause() == null ? thrown : thrown.getCause();
    }
  }

  private Fit find(String name, List<Value> arguments) {
    List<Method> named = all().filter(method -> method.getName().equals(name)).toList();
    if (named.isEmpty()) {
      throw new ShellException(
          "a %s has no method %s; it has %s"
              .formatted(kind.name(), name, String.join(", ", names())));
    }
    return named.stream()
        .map(method -> fit(method, arguments))
        .flatMap(Optional::stream)
        .min(Comparator.comparingInt(Fit::distance))
        .orElseThrow(
            () ->
                new ShellException(
                    "%s does not fit %s: there is %s"
                        .formatted(
                            name,
                            arguments.isEmpty()
                                ? "without arguments"
                                : arguments.stream().map(Value::text).toList(),
                            named.stream().map(Methods::signature).distinct().toList())));
  }

  private static String signature(Method method) {
    return Arrays.stream(method.getParameterTypes())
        .map(Class::getSimpleName)
        .collect(Collectors.joining(", ", method.getName() + "(", ")"));
  }

  private static Optional<Fit> fit(Method method, List<Value> values) {
    Class<?>[] types = method.getParameterTypes();
    if (types.length != values.size()) {
      return Optional.empty();
    }
    @Nullable Object[] arguments = new @Nullable Object[types.length];
    int distance = 0;
    for (int i = 0; i < types.length; i++) {
      Optional<ArgumentMatcher.Fitting> fitting = ArgumentMatcher.as(types[i], values.get(i));
      if (fitting.isEmpty()) {
        return Optional.empty();
      }
      arguments[i] = fitting.get().value();
      distance += fitting.get().distance();
    }
    return Optional.of(new Fit(method, Arrays.asList(arguments), distance));
  }
}
