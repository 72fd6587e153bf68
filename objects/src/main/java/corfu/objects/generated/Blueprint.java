package corfu.objects.generated;

import corfu.objects.rule.ClassRules;
import corfu.objects.rule.ClassSketch;
import corfu.objects.rule.Verdict;
import corfu.objects.rule.Verdict.Finding;
import corfu.objects.rule.Verdict.Planned;
import corfu.objects.type.Operation;
import corfu.objects.type.Operation.Kind;
import corfu.objects.type.Written;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which methods of a class are operations, and what the log calls them.
 *
 * @param type what users call
 * @param methods one an operation
 * @param operations in the order of the methods
 */
record Blueprint<T>(Class<T> type, List<Method> methods, List<Operation> operations) {

  private static final int MOST_TOLD = 10;

  static <T> Blueprint<T> annotated(Class<T> type) {
    return of(type, new ReflectedClass(type).annotated());
  }

  static <T> Blueprint<T> plain(Class<T> type, Set<String> mutators) {
    return of(type, new ReflectedClass(type).plain(mutators));
  }

  private static <T> Blueprint<T> of(Class<T> type, ClassSketch<Method> sketch) {
    Verdict<Method> verdict = ClassRules.verdictOn(sketch);
    if (!verdict.findings().isEmpty()) {
      throw new ObjectTypeException(textOf(verdict.findings()));
    }
    return new Blueprint<>(
        type,
        verdict.operations().stream().map(Planned::method).toList(),
        verdict.operations().stream().map(Planned::operation).toList());
  }

  private static String textOf(List<Finding<Method>> findings) {
    String text =
        findings.stream().limit(MOST_TOLD).map(Finding::message).collect(Collectors.joining("\n"));
    int more = findings.size() - MOST_TOLD;
    return more > 0 ? text + "\nand " + more + " more" : text;
  }

  /** The types of all that occurs in its operations. */
  List<Type> valueTypes() {
    List<Type> types = new ArrayList<>();
    for (Method method : methods) {
      types.addAll(List.of(method.getGenericParameterTypes()));
      types.add(method.getGenericReturnType());
    }
    return types;
  }

  /** Returns the parameters of operations that change the object: their values are written. */
  List<Written> arguments() {
    List<Written> written = new ArrayList<>();
    for (int i = 0; i < methods.size(); i++) {
      Method method = methods.get(i);
      Type[] parameters = method.getGenericParameterTypes();
      for (int j = 0; operations.get(i).kind().changes() && j < parameters.length; j++) {
        written.add(new Written(Written.parameter(j, nameOf(method)), parameters[j]));
      }
    }
    return written;
  }

  /**
   * Returns the results of accessors and mutator-accessors: their values are copied for callers.
   */
  List<Written> results() {
    List<Written> written = new ArrayList<>();
    for (int i = 0; i < methods.size(); i++) {
      Method method = methods.get(i);
      Kind kind = operations.get(i).kind();
      if (kind == Kind.ACCESSOR || kind == Kind.MUTATOR_ACCESSOR) {
        written.add(new Written(Written.result(nameOf(method)), method.getGenericReturnType()));
      }
    }
    return written;
  }

  private static String nameOf(Method method) {
    return ReflectedClass.nameOf(method);
  }
}
