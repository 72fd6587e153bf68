package corfu.store;

import java.util.Optional;
import java.util.OptionalLong;

/** What became of a change. */
public sealed interface WriteOutcome {

  /**
   * All of it has happened.
   *
   * @param version of all that it wrote: its place in the log
   */
  record Written(long version) implements WriteOutcome {}

  /**
   * Nothing of it has happened: something was not as expected.
   *
   * @param key which; empty: that nothing at all had changed
   * @param version that it has instead; empty: it has no value
   */
  record Conflict(Optional<String> key, OptionalLong version) implements WriteOutcome {}
}
