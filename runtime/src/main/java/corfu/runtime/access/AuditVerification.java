package corfu.runtime.access;

import corfu.access.audit.AuditAnchor;
import corfu.access.audit.AuditBreak;
import java.util.List;
import java.util.Optional;

/**
 * The result of a check of the audit log's chain.
 *
 * @param records the number of records
 * @param newest the newest record, which proves all others; empty if there is none. Keep it
 *     elsewhere, and verify from it later.
 * @param breaks the first places at which the chain is broken, up to {@link #MOST_BREAKS}; empty if
 *     it is whole
 */
public record AuditVerification(
    long records, Optional<AuditAnchor> newest, List<AuditBreak> breaks) {

  /** The largest number of reported breaks. */
  public static final int MOST_BREAKS = 100;

  public AuditVerification {
    breaks = List.copyOf(breaks);
  }

  /** Returns whether the chain has no break. */
  public boolean isWhole() {
    return breaks.isEmpty();
  }
}
