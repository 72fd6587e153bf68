package corfu.objects.processor;

import corfu.objects.rule.Verdict.Planned;
import corfu.objects.serial.rule.ValueRules;
import corfu.objects.type.Operation.Kind;
import corfu.objects.type.Written;
import java.util.List;
import java.util.Optional;
import javax.lang.model.element.Element;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.TypeMirror;

/**
 * Checks whether the standard serializer can write the values of a class: the arguments of its
 * mutators, its results and its state.
 *
 * <p>{@code @SuppressWarnings("corfu")} switches the check off, because another serializer may be
 * in use.
 */
final class ValueCheck {

  private final Model model;
  private final ClassDiagnostics findings;

  ValueCheck(Model model, ClassDiagnostics findings) {
    this.model = model;
    this.findings = findings;
  }

  void check(TypeElement type, List<Planned<ExecutableElement>> operations) {
    for (Planned<ExecutableElement> each : operations) {
      ExecutableElement method = each.method();
      checkArguments(each);
      boolean returns = each.kind() == Kind.ACCESSOR || each.kind() == Kind.MUTATOR_ACCESSOR;
      if (returns && isPlain(type)) {
        check(Written.result(model.fullName(method)), method.getReturnType(), method);
      }
    }
    if (isPlain(type)) {
      checkState(type);
    }
  }

  /** Checks only the arguments. A class behind an interface may save its state in its own way. */
  void checkArguments(List<Planned<ExecutableElement>> operations) {
    operations.forEach(this::checkArguments);
  }

  private void checkArguments(Planned<ExecutableElement> operation) {
    ExecutableElement method = operation.method();
    List<? extends VariableElement> parameters = method.getParameters();
    for (int i = 0; operation.kind().changes() && i < parameters.size(); i++) {
      VariableElement parameter = parameters.get(i);
      check(Written.parameter(i, model.fullName(method)), parameter.asType(), parameter);
    }
  }

  /**
   * Returns whether results and state are checked. A class behind an interface may return values
   * that need no copy.
   */
  private static boolean isPlain(TypeElement type) {
    return !type.getKind().isInterface() && !Model.is(type, Modifier.ABSTRACT);
  }

  private void checkState(TypeElement type) {
    String state = Written.state(model.binaryName(type)) + ": ";
    for (VariableElement field : ModelValue.fieldsOf(type, model)) {
      String name = field.getSimpleName().toString();
      if (Model.is(field, Modifier.FINAL)) {
        report(state + ValueRules.finalField(model.binaryName(type), name), field);
      } else {
        check(
            state + "field %s of %s".formatted(name, model.binaryName(type)),
            field.asType(),
            field);
      }
    }
  }

  private void check(String what, TypeMirror type, Element at) {
    ValueRules.objectionTo(new ModelValue(type, model))
        .ifPresent(objection -> report(what + ": " + objection, at));
  }

  private void report(String message, Element at) {
    if (!Suppression.covers(at)) {
      findings.report(message, Optional.of(at));
    }
  }
}
