package corfu.runtime.internal.repair;

import corfu.protocol.AddressSet;
import corfu.protocol.Endpoint;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitReply.ReadOutcome;
import corfu.protocol.message.LogUnitRequest;
import corfu.runtime.Deadline;
import corfu.runtime.internal.rpc.Servers;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads addresses whose log chain is lost, so that no first register decides (docs/design.md,
 * section 4, R7). The entry on any stream replica counts; if no replica holds one, the address is a
 * hole. Only holes are still written there, so it does not matter which client asks at what time.
 * Thread-safe.
 */
public final class LostChain {

  private static final int READ_BYTES = 1 << 20;

  private final Servers servers;

  LostChain(Servers servers) {
    this.servers = servers;
  }

  /**
   * The content of one address on all stream replicas together.
   *
   * @param holders the replicas that hold the outcome
   */
  public record Held(ReadOutcome outcome, List<Endpoint> holders) {

    private static Held nothing() {
      return new Held(ReadOutcome.Unwritten.UNWRITTEN, List.of());
    }

    private Held and(ReadOutcome other, Endpoint holder) {
      if (other instanceof ReadOutcome.Unwritten) {
        return this;
      }
      if (outcome instanceof ReadOutcome.Unwritten || other instanceof ReadOutcome.Trimmed) {
        return new Held(other, List.of(holder)); // a replica's trim is always right
      }
      if (outcome instanceof ReadOutcome.Trimmed || other.held().isEmpty()) {
        return this;
      }
      List<Endpoint> more = new ArrayList<>(holders);
      more.add(holder);
      return outcome.held().isEmpty() ? new Held(other, List.of(holder)) : new Held(other, more);
    }

    /** Returns whether all registers that the entry has in this layout hold it. */
    public boolean isComplete(Layout layout) {
      return outcome.held().isPresent()
          && Set.copyOf(holders).containsAll(layout.path(outcome.held().get()));
    }
  }

  Held look(long address, Layout layout, Deadline deadline) {
    return look(List.of(address), layout, deadline).getOrDefault(address, Held.nothing());
  }

  /** Returns the content of these addresses, all of which lie in one segment. */
  public Map<Long, Held> look(List<Long> addresses, Layout layout, Deadline deadline) {
    Map<Long, Held> held = new LinkedHashMap<>();
    addresses.forEach(address -> held.put(address, Held.nothing()));
    for (Endpoint unit : layout.segmentOf(addresses.getFirst()).serving().streamUnits()) {
      int done = 0;
      while (done < addresses.size()) {
        List<Long> rest = addresses.subList(done, addresses.size());
        long[] asked = rest.stream().mapToLong(Long::longValue).toArray();
        var request =
            new LogUnitRequest.Read(layout.epoch(), new AddressSet.Listed(asked), READ_BYTES);
        var reads = servers.ask(unit, request, LogUnitReply.Reads.class, deadline);
        for (ReadOutcome outcome : reads.outcomes()) {
          long address = addresses.get(done++);
          ReadOutcome there = ChainRepair.verified(outcome, address, unit);
          held.computeIfPresent(address, (key, before) -> before.and(there, unit));
        }
      }
    }
    return held;
  }
}
