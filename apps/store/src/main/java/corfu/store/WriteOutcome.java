package corfu.store;

import java.util.Optional;
import java.util.OptionalLong;

/** The outcome of a change. */
public sealed interface WriteOutcome {

  /**
   * The whole change was made.
   *
   * @param version the version of everything that it wrote: its log address
   */
  record Written(long version) implements WriteOutcome {}

  /**
   * Nothing was changed, because a condition did not hold.
   *
   * @param key the key of the condition, or empty if the condition was on the whole store
   * @param version the present version, or empty if the key has no value
   */
  record Conflict(Optional<String> key, OptionalLong version) implements WriteOutcome {}
}
