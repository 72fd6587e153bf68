package corfu.runtime.internal.repair;

import corfu.protocol.AddressSet;
import corfu.protocol.Endpoint;
import corfu.protocol.layout.Chain;
import corfu.protocol.layout.Layout;
import corfu.protocol.layout.LayoutSegment;
import corfu.protocol.message.LogUnitRequest;
import corfu.runtime.Deadline;
import corfu.runtime.internal.rpc.Servers;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Tells log replicas which entries are complete, where streams have replicas of their own. A reader
 * of such an entry then need not complete it again (docs/design.md, section 4). Nobody waits for
 * these messages, and a lost one does no harm. Thread-safe.
 */
final class Confirmations {

  private final Servers servers;

  Confirmations(Servers servers) {
    this.servers = servers;
  }

  void tell(List<Long> addresses, Layout layout, Deadline deadline) {
    Map<Chain, List<Long>> byChain = new LinkedHashMap<>();
    for (long address : addresses) {
      LayoutSegment segment = layout.segmentOf(address);
      if (!segment.stream().isEmpty()) {
        byChain.computeIfAbsent(segment.chainOf(address), chain -> new ArrayList<>()).add(address);
      }
    }
    byChain.forEach(
        (chain, some) -> {
          long[] told = some.stream().mapToLong(Long::longValue).toArray();
          var message = new LogUnitRequest.Complete(layout.epoch(), new AddressSet.Listed(told));
          for (Endpoint replica : chain.replicas()) {
            var unused = servers.send(replica, message, deadline);
          }
        });
  }
}
