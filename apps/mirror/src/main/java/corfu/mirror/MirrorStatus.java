package corfu.mirror;

import corfu.protocol.Address;
import corfu.protocol.ClusterId;
import corfu.protocol.layout.Origin;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The status of a mirror.
 *
 * @param target the mirror
 * @param copied the log address below which every entry of the source is copied and readable
 * @param origin the source of the mirror, or empty if the cluster is not a mirror or was promoted
 * @param sourceTail the tail of the source's log, or empty if the source was not asked or is silent
 */
public record MirrorStatus(
    ClusterId target, Address copied, Optional<Origin> origin, Optional<Address> sourceTail) {

  /** Returns the number of the source's addresses that are not copied yet. */
  public OptionalLong lag() {
    return sourceTail.isPresent()
        ? OptionalLong.of(Math.max(0, sourceTail.get().value() - copied.value()))
        : OptionalLong.empty();
  }

  /** Whether it holds a consistent prefix of the source's log without missing entries. */
  public boolean isComplete() {
    return origin.isPresent() && copied.value() >= origin.get().completeFrom();
  }
}
