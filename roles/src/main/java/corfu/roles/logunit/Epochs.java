package corfu.roles.logunit;

import corfu.protocol.Epoch;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.Failure;
import java.util.Optional;

/**
 * Which requests are of the unit's time: those of the installed layout's epoch, unless that is
 * sealed. What is sealed or installed here is not durable yet; {@link LogUnit} writes it to the
 * {@link EpochFile}.
 */
final class Epochs {

  private Optional<Layout> layout;
  private Epoch sealed;

  Epochs(Optional<EpochFile.Content> stored) {
    this.layout = stored.map(EpochFile.Content::layout);
    this.sealed = stored.map(EpochFile.Content::sealed).orElse(Epoch.NONE);
  }

  Optional<Layout> layout() {
    return layout;
  }

  Epoch installed() {
    return layout.map(Layout::epoch).orElse(Epoch.NONE);
  }

  Epoch sealed() {
    return sealed;
  }

  /** What the unit calls its epoch in refusals. */
  Epoch current() {
    return sealed.isBefore(installed()) ? installed() : sealed;
  }

  /** Why a request of this epoch is not served, if it is not. */
  Optional<Failure> objection(Epoch epoch) {
    if (layout.isEmpty()) {
      return Optional.of(new Failure.NotBootstrapped());
    }
    if (epoch.isBefore(installed()) || epoch.compareTo(sealed) <= 0) {
      return Optional.of(new Failure.Sealed(current()));
    }
    return epoch.equals(installed())
        ? Optional.empty()
        : Optional.of(new Failure.Behind(current()));
  }

  boolean isNewer(Layout other) {
    return current().isBefore(other.epoch());
  }

  void seal(Epoch epoch) {
    sealed = sealed.isBefore(epoch) ? epoch : sealed;
  }

  void install(Layout newer) {
    layout = Optional.of(newer);
  }
}
