package corfu.silver;

import corfu.protocol.Endpoint;
import corfu.protocol.layout.Chain;
import corfu.protocol.message.LogUnitReply;
import corfu.runtime.Corfu;
import corfu.runtime.CorfuException;
import corfu.runtime.ServerReport;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The space of a cluster for entries, each of which all replicas of a chain store. Replicas of
 * streams take more.
 *
 * @param totalBytes the bytes that are in use or free
 * @param freeBytes the bytes that are free
 */
public record ClusterSpace(long totalBytes, long freeBytes) {

  /** Returns the space of a cluster, or empty if the log units of a chain do not answer. */
  static Optional<ClusterSpace> of(Corfu corfu) {
    try {
      Map<Endpoint, LogUnitReply.Usage> usages = new HashMap<>();
      for (ServerReport report : corfu.servers()) {
        report.usage().ifPresent(usage -> usages.put(report.endpoint(), usage));
      }
      return of(corfu.layout().openSegment().log(), usages);
    } catch (CorfuException unreachable) {
      return Optional.empty();
    }
  }

  /** The fullest replica of a chain limits it. */
  static Optional<ClusterSpace> of(List<Chain> chains, Map<Endpoint, LogUnitReply.Usage> usages) {
    long total = 0;
    long free = 0;
    for (Chain chain : chains) {
      Optional<LogUnitReply.Usage> fullest =
          chain.replicas().stream()
              .flatMap(unit -> Optional.ofNullable(usages.get(unit)).stream())
              .min(Comparator.comparingLong(LogUnitReply.Usage::freeBytes));
      if (fullest.isEmpty()) {
        return Optional.empty();
      }
      long left = Math.max(0, fullest.get().freeBytes());
      free += left;
      total += left + fullest.get().fileBytes();
    }
    return Optional.of(new ClusterSpace(total, free));
  }
}
