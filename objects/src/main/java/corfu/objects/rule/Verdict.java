package corfu.objects.rule;

import corfu.objects.type.Operation;
import corfu.objects.type.Operation.Kind;
import java.util.List;
import java.util.Optional;

/**
 * The rules' result for a class.
 *
 * @param findings what is wrong; empty: it can be replicated
 * @param operations what can be called on it, in the order of their signatures
 * @param <M> methods of the mirror
 */
public record Verdict<M>(List<Finding<M>> findings, List<Planned<M>> operations) {

  /**
   * Something wrong.
   *
   * @param method where; empty: with the class itself
   */
  public record Finding<M>(Optional<M> method, String message) {}

  /**
   * A method that becomes an operation.
   *
   * @param name what the log calls it
   * @param keys where its keys are
   */
  public record Planned<M>(M method, String name, Kind kind, KeyPlace keys) {

    public Operation operation() {
      return new Operation(name, kind, keys.keys());
    }
  }

  public Verdict {
    findings = List.copyOf(findings);
    operations = List.copyOf(operations);
  }
}
