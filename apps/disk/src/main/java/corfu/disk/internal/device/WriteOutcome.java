package corfu.disk.internal.device;

import corfu.protocol.Address;

public sealed interface WriteOutcome {
  record Written(Address version) implements WriteOutcome {}

  record Fenced(Owner by) implements WriteOutcome {}
}
