package corfu.objects.rule;

import corfu.objects.type.Operation;
import java.util.List;
import java.util.Optional;

/** Which argument tells what keys a call is about. */
public sealed interface KeyPlace {

  /** None: it is about the whole object. */
  record None() implements KeyPlace {}

  /** This argument is the key. */
  record One(int argument) implements KeyPlace {}

  /** This argument is a map with the keys, or a collection of them. */
  record Several(int argument) implements KeyPlace {}

  /** As operations want it. */
  default Optional<Operation.Keys> keys() {
    return switch (this) {
      case None none -> Optional.empty();
      case One one -> Optional.of(Operation.Keys.argument(one.argument()));
      case Several several -> Optional.of(Operation.Keys.elementsOf(several.argument()));
    };
  }

  /** The first parameter that says so. */
  static KeyPlace among(List<ParameterSketch> parameters) {
    for (int i = 0; i < parameters.size(); i++) {
      if (parameters.get(i).isKey()) {
        return new One(i);
      }
      if (parameters.get(i).isKeys()) {
        return new Several(i);
      }
    }
    return new None();
  }
}
