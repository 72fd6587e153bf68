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
 * Turns a mirror into an independent cluster, by one change of its layout. The change also seals
 * runs out that still copy, so that no further entry of the source arrives.
 */
public final class Promotion {

  private final Corfu target;
  private final Reconfiguration changes;

  /**
   * @param target the mirror
   * @param changes the means to change the mirror's layout
   */
  public Promotion(Corfu target, Reconfiguration changes) {
    this.target = target;
    this.changes = changes;
  }

  /**
   * Promotes the mirror if its source is silent.
   *
   * @param source the source, which is asked whether it still serves; empty if it refuses
   *     connections
   * @return the log address at which the mirror's own log begins
   * @throws MirrorException if the target is not a mirror, the source serves, or the mirror is
   *     incomplete
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

  /** Promotes the mirror without a check of its source or of its entries. */
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
