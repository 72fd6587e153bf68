package corfu.objects.processor;

import java.util.Arrays;
import javax.lang.model.element.Element;
import org.jspecify.annotations.Nullable;

/** Where somebody knows better: {@code @SuppressWarnings("corfu")}. */
final class Suppression {

  private static final String NAME = "corfu";

  private Suppression() {}

  /** Whether it is said of an element, or of what it is in. */
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
