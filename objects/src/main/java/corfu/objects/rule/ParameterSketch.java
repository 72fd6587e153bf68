package corfu.objects.rule;

/**
 * A parameter of a method.
 *
 * @param type the simple name of its type, without type arguments
 * @param isKey whether it is a {@link corfu.objects.annotation.Key}
 * @param isKeys whether it is {@link corfu.objects.annotation.Keys}
 * @param mayHoldKeys whether a map or a collection could be given for it
 */
public record ParameterSketch(String type, boolean isKey, boolean isKeys, boolean mayHoldKeys) {

  boolean tellsKeys() {
    return isKey || isKeys;
  }
}
