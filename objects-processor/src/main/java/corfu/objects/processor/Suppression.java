package corfu.objects.processor;

import java.util.Arrays;
import javax.lang.model.element.Element;
import org.jspecify.annotations.Nullable;

/** Finds {@code @SuppressWarnings("corfu")}, with which an author overrules a finding. */
final class Suppression {

  private static final String NAME = "corfu";

  private Suppression() {}

  /** Returns whether the annotation is on the element, or on an element around it. */
  static boolean covers(Element element) {
    for (@Nullable Element each = element; each != null; each = each.getEnclosingElement()) {
      @Nullable SuppressWarnings suppressed = each.getAnnotation(SuppressWarnings.class);
      if (suppressed != null && Arrays.asList(suppressed.value()).contains(NAME)) {
        return true;
      }
    }
    return false;
  }
}
