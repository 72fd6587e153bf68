package corfu.runtime.access;

import corfu.access.quota.QuotaTotal;
import corfu.protocol.Endpoint;
import java.util.List;

/**
 * The resources that identities with a quota use.
 *
 * @param totals the use at all servers that have answered, in the order of the identities' names
 * @param silent the servers that have not answered; their part of the use is missing
 */
public record QuotaReport(List<QuotaTotal> totals, List<Endpoint> silent) {
  public QuotaReport {
    totals = List.copyOf(totals);
    silent = List.copyOf(silent);
  }
}
