package corfu.objects.processor;

import corfu.objects.rule.Verdict.Finding;
import corfu.objects.rule.Verdict.Planned;
import java.util.Optional;
import javax.annotation.processing.Messager;
import javax.lang.model.element.Element;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.TypeElement;
import javax.tools.Diagnostic;

/** Reports the errors found in a class, each at its line if that line is in the class's source. */
final class ClassDiagnostics {

  private final TypeElement type;
  private final Messager messager;
  private int count;

  ClassDiagnostics(TypeElement type, Messager messager) {
    this.type = type;
    this.messager = messager;
  }

  void report(Finding<ExecutableElement> finding) {
    report(finding.message(), finding.method().map(method -> (Element) method));
  }

  /**
   * @param at the element to report at, or empty for the class itself
   */
  void report(String message, Optional<? extends Element> at) {
    count++;
    messager.printMessage(
        Diagnostic.Kind.ERROR,
        message,
        at.filter(this::isInSource).map(Element.class::cast).orElse(type));
  }

  /** Returns whether the finding concerns an element in the class's own source. */
  boolean isOwn(Finding<ExecutableElement> finding) {
    return finding.method().map(this::isInSource).orElse(true);
  }

  boolean isOwn(Planned<ExecutableElement> operation) {
    return isInSource(operation.method());
  }

  /** Returns whether a {@code @SuppressWarnings("corfu")} covers the finding. */
  boolean isSuppressed(Finding<ExecutableElement> finding) {
    return Suppression.covers(
        finding.method().map(Element.class::cast).filter(this::isInSource).orElse(type));
  }

  /**
   * Returns whether the element is in this class's source. Findings about inherited elements are
   * reported at the class that inherits them.
   */
  private boolean isInSource(Element element) {
    for (Element each = element; each != null; each = each.getEnclosingElement()) {
      if (each.equals(type)) {
        return true;
      }
    }
    return false;
  }

  boolean isEmpty() {
    return count == 0;
  }
}
