package corfu.runtime.internal.repair;

import corfu.protocol.AddressSet;
import corfu.protocol.Endpoint;
import corfu.protocol.Entry;
import corfu.protocol.EntryKind;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.LogUnitReply.WriteOutcome;
import corfu.runtime.Deadline;
import corfu.runtime.internal.read.SlowRead;
import corfu.runtime.internal.rpc.RetryableException;
import corfu.runtime.internal.session.ClientContext;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Fills many unwritten addresses: one request carries a page of holes to a server. If the head
 * holds another entry, or anything fails, the address is left to {@link SlowRead}. Thread-safe.
 */
public final class BulkFill {

  /** The number of holes in flight at the same time; they measure 160 KiB. */
  private static final int PAGE = 4096;

  private final ClientContext context;
  private final ChainRepair chainRepair;

  public BulkFill(ClientContext context, ChainRepair chainRepair) {
    this.context = context;
    this.chainRepair = chainRepair;
  }

  /**
   * Writes holes, as far as the heads of the chains accept them.
   *
   * @param addresses addresses below the log's tail, in ascending order, whose writers have had
   *     their time
   * @param filled the receiver of the address of each hole that is now complete
   * @return the other addresses
   */
  public List<Long> fill(List<Long> addresses, Consumer<Long> filled) {
    List<Long> left = new ArrayList<>();
    for (int from = 0; from < addresses.size(); from += PAGE) {
      List<Long> page = addresses.subList(from, Math.min(addresses.size(), from + PAGE));
      Set<Long> complete = fillPage(page);
      for (long address : page) {
        if (complete.contains(address)) {
          filled.accept(address);
        } else {
          left.add(address);
        }
      }
    }
    return left;
  }

  private Set<Long> fillPage(List<Long> page) {
    List<Entry> holes =
        page.stream().map(address -> Entry.hole(address, context.ids().get())).toList();
    return context
        .retryLoop()
        .untilDone(
            "fill addresses " + page.getFirst() + " to " + page.getLast(),
            (layout, deadline) -> writeOrSettle(holes, layout, deadline));
  }

  /** Has a server settle the addresses if this client may write no holes. Readers see them then. */
  private Set<Long> writeOrSettle(List<Entry> holes, Layout layout, Deadline deadline) {
    try {
      return writeAll(holes, layout, deadline);
    } catch (RetryableException refused) {
      if (!refused.isForbidden()) {
        throw refused;
      }
      long[] addresses =
          holes.stream()
              .mapToLong(Entry::address)
              .filter(address -> !layout.isBefore(address))
              .toArray();
      if (addresses.length > 0) {
        chainRepair.settlement().settle(new AddressSet.Listed(addresses), layout, deadline);
      }
      return Set.of();
    }
  }

  /** Writes all holes, from the heads of their chains on, also after an epoch change (R3). */
  private Set<Long> writeAll(List<Entry> holes, Layout layout, Deadline deadline) {
    List<Entry> rest = new ArrayList<>();
    for (Entry hole : holes) {
      if (!layout.isBefore(hole.address()) && !layout.chainOf(hole.address()).isLost()) {
        rest.add(hole);
      }
    }
    List<Long> complete = new ArrayList<>();
    for (int register = 0; !rest.isEmpty(); register++) {
      Map<Endpoint, List<Entry>> byServer = new LinkedHashMap<>();
      for (Entry hole : rest) {
        List<Endpoint> path = layout.path(hole);
        if (register < path.size()) {
          byServer.computeIfAbsent(path.get(register), server -> new ArrayList<>()).add(hole);
        } else {
          complete.add(hole.address());
        }
      }
      rest = write(byServer, layout, deadline);
    }
    chainRepair.confirm(complete, layout, deadline);
    return new HashSet<>(complete);
  }

  /** Writes holes to these servers, and returns the holes that they now hold. */
  private List<Entry> write(Map<Endpoint, List<Entry>> byServer, Layout layout, Deadline deadline) {
    List<Entry> held = new ArrayList<>();
    EntryWrites.writeAll(
        byServer,
        context.servers(),
        layout,
        deadline,
        (server, hole, outcome) -> {
          if (holds(outcome, hole)) {
            held.add(hole);
          }
        });
    return held;
  }

  private static boolean holds(WriteOutcome outcome, Entry hole) {
    return switch (outcome) {
      case WriteOutcome.Written written -> true;
      case WriteOutcome.Overwritten(var winner, EntryKind kind) ->
          kind == EntryKind.HOLE && winner.equals(hole.id()); // from an earlier attempt
      case WriteOutcome.Trimmed trimmed -> false;
      case WriteOutcome.Corrupt corrupt -> false;
      case WriteOutcome.NoSpace full -> false;
      case WriteOutcome.Damaged damaged -> false;
    };
  }
}
