package corfu.bytes;

import corfu.protocol.Address;

/** The outcome of an append of an {@link ArrayWriter}. */
public sealed interface WriteOutcome {

  /**
   * The changes are in the log, durable, and part of {@link ArrayWriter#view}.
   *
   * @param version the first version that includes them
   */
  record Written(Address version) implements WriteOutcome {}

  /**
   * The changes have no effect, now and later: another writer took over before.
   *
   * @param by the writer that took over
   */
  record Fenced(Owner by) implements WriteOutcome {}
}
