package corfu.mirror;

import corfu.mirror.MirrorException.Reason;
import corfu.protocol.Address;
import corfu.protocol.layout.Layout;
import corfu.protocol.layout.Origin;
import corfu.runtime.Corfu;
import corfu.runtime.CorfuException;
import corfu.runtime.reconfiguration.ClusterHealth;
import corfu.runtime.reconfiguration.Reconfiguration;
import java.util.Optional;

/**
 * Makes a mirror a cluster of its own. That is one change of its layout: whoever still copies is
 * sealed out with it, so that nothing of the source comes any more.
 */
public final class Promotion {

  private final Corfu target;
  private final Reconfiguration changes;

  /**
   * @param target the mirror
   * @param changes of its layout
   */
  public Promotion(Corfu target, Reconfiguration changes) {
    this.target = target;
    this.changes = changes;
  }

  /**
   * Promotes the mirror if its source is silent.
   *
   * @param source to be asked whether it still serves; empty: it cannot even be connected to
   * @return where its own log begins
   * @throws MirrorException if it is no mirror, the source lives, or the mirror is incomplete
   */
  public Address unlessTheSourceLives(Optional<Corfu> source) {
    Origin origin = origin();
    source
        .flatMap(Promotion::tail)
        .ifPresent(
            tail -> {
              throw new MirrorException(
                  Reason.SOURCE_LIVES,
                  "cluster %s, which is mirrored, still serves, and its log ends at %s: stop those"
                          .formatted(origin.source(), tail)
                      + " who append there and its servers first, or promote by force and have"
                      + " two clusters that part from here");
            });
    Address copied = target.log().tail();
    if (copied.value() < origin.completeFrom()) {
      throw new MirrorException(
          Reason.INCOMPLETE,
          "the mirror ends at %s, but only from %d on it is complete: let it copy more, or promote"
                  .formatted(copied, origin.completeFrom())
              + " it by force and expect that something is missing");
    }
    return promote(origin);
  }

  /** Promotes the mirror whatever its source does, and however much it has copied. */
  public Address byForce() {
    return promote(origin());
  }

  private Origin origin() {
    Layout layout = changes.serve(target.layout());
    return layout
        .origin()
        .orElseThrow(
            () ->
                new MirrorException(
                    Reason.NO_MIRROR,
                    "cluster %s mirrors nothing: it was promoted already, or never was a mirror"
                        .formatted(layout.clusterId())));
  }

  private Address promote(Origin origin) {
    Layout known = target.layout();
    Optional<Origin> its = Optional.of(origin);
    var unused =
        changes.change(
            known,
            layout -> layout.origin().equals(its) ? layout.withOrigin(Optional.empty()) : layout,
            ClusterHealth.calm(known));
    return target.log().tail();
  }

  private static Optional<Address> tail(Corfu source) {
    try {
      return Optional.of(source.log().tail());
    } catch (CorfuException silent) {
      return Optional.empty();
    }
  }
}
