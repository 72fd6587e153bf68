package corfu.mirror;

import corfu.protocol.Address;
import corfu.protocol.ClusterId;
import corfu.protocol.layout.Origin;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How a mirror is.
 *
 * @param target the mirror
 * @param copied everything below this address of the source is here, and can be read
 * @param origin what it mirrors; empty: nothing, it is no mirror or was promoted
 * @param sourceTail where the source's log ends; empty if the source was not asked, or is silent
 */
public record MirrorStatus(
    ClusterId target, Address copied, Optional<Origin> origin, Optional<Address> sourceTail) {

  /** How many addresses of the source are not copied yet. */
  public OptionalLong lag() {
    return sourceTail.isPresent()
        ? OptionalLong.of(Math.max(0, sourceTail.get().value() - copied.value()))
        : OptionalLong.empty();
  }

  /** Whether it holds a consistent prefix of the source's log, with all that it needs. */
  public boolean isComplete() {
    return origin.isPresent() && copied.value() >= origin.get().completeFrom();
  }
}
