package corfu.runtime.rebuild;

import corfu.protocol.AddressSet;
import corfu.protocol.Endpoint;
import corfu.protocol.Entry;
import corfu.protocol.layout.Layout;
import corfu.protocol.layout.LayoutSegment;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitReply.ReadOutcome;
import corfu.protocol.message.LogUnitReply.WriteOutcome;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Reply;
import corfu.runtime.Deadline;
import corfu.runtime.internal.repair.ChainRepair;
import corfu.runtime.internal.rpc.RetryableException;
import corfu.runtime.internal.rpc.Servers;
import corfu.transport.Transport;
import corfu.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Repairs a log unit's entry that its disk has damaged, from another replica (decision 22). An
 * entry on any replica is the one that its address's first register decided (docs/design.md,
 * section 4, R1). So it does not matter which replica it is read from. The read and the write
 * belong to one epoch. Thread-safe.
 */
public final class EntryRepair {

  /** The outcome of an attempt. */
  public enum Outcome {
    /** The unit can read the entry again, or no longer needs to. */
    DONE,
    /**
     * A replica that should hold the entry did not answer, or cannot read it either: retry later.
     */
    LATER,
    /**
     * No other replica holds the entry, though all would if it had ever been acknowledged or read.
     * The entry had reached this unit only.
     */
    NOBODY_HAS_IT
  }

  private final World world;
  private final Servers servers;
  private final Duration timeout;

  /**
   * @param timeout the longest time of one attempt
   */
  public EntryRepair(World world, Transport transport, Duration timeout) {
    this.world = world;
    this.servers = new Servers(transport, timeout);
    this.timeout = timeout;
  }

  /**
   * Makes one attempt.
   *
   * @param layout the layout that the unit serves
   * @param unit the log unit whose entry at the address is corrupt
   */
  public Outcome mend(Layout layout, Endpoint unit, long address) {
    if (layout.isBefore(address)) {
      return Outcome.DONE;
    }
    try {
      return mend(layout, unit, address, Deadline.in(world, timeout));
    } catch (RetryableException retryable) {
      return Outcome.LATER;
    }
  }

  private Outcome mend(Layout layout, Endpoint unit, long address, Deadline deadline) {
    LayoutSegment segment = layout.segmentOf(address);
    List<Endpoint> others = new ArrayList<>(segment.chainOf(address).replicas());
    int registers = others.size();
    others.addAll(segment.serving().streamUnits());
    others.removeIf(unit::equals);
    boolean isNowhere = !others.isEmpty();
    for (Endpoint other : others) {
      switch (read(layout, other, address, deadline)) {
        case ReadOutcome.Found(Entry entry) -> {
          return give(entry, layout, unit, deadline);
        }
        case ReadOutcome.Unconfirmed(Entry entry) -> {
          return give(entry, layout, unit, deadline);
        }
        case ReadOutcome.Trimmed trimmed -> {
          return trimOn(layout, segment, address, deadline);
        }
        case ReadOutcome.Unwritten unwritten -> {}
        case ReadOutcome.Corrupt corrupt -> isNowhere = false;
        case ReadOutcome.Forbidden forbidden -> isNowhere = false;
      }
    }
    return isNowhere && registers > 0 && segment.serving().units().contains(unit)
        ? Outcome.NOBODY_HAS_IT
        : Outcome.LATER;
  }

  /**
   * Reads the entry from one replica. A replica that does not answer may hold the entry. So nothing
   * may be concluded from its silence, but others are asked.
   */
  private ReadOutcome read(Layout layout, Endpoint from, long address, Deadline deadline) {
    try {
      var request = new LogUnitRequest.Read(layout.epoch(), AddressSet.of(address), 1);
      var reads = servers.ask(from, request, LogUnitReply.Reads.class, deadline);
      return ChainRepair.verified(reads.outcomes().getFirst(), address, from);
    } catch (RetryableException silent) {
      return new ReadOutcome.Corrupt(String.valueOf(silent.getMessage()));
    }
  }

  private Outcome give(Entry entry, Layout layout, Endpoint unit, Deadline deadline) {
    var request = new LogUnitRequest.Repair(layout.epoch(), List.of(entry));
    var writes = servers.ask(unit, request, LogUnitReply.Writes.class, deadline);
    return switch (writes.outcomes().getFirst()) {
      case WriteOutcome.Written written -> Outcome.DONE;
      case WriteOutcome.Overwritten canBeRead -> Outcome.DONE;
      case WriteOutcome.Trimmed trimmed -> Outcome.DONE;
      case WriteOutcome.NoSpace full -> Outcome.LATER;
      case WriteOutcome.Damaged onItsWay -> Outcome.LATER;
      case WriteOutcome.Corrupt ofAnotherKind -> Outcome.LATER;
    };
  }

  /** Completes a trim: one that has reached any replica reaches all of them, in their order. */
  private Outcome trimOn(Layout layout, LayoutSegment segment, long address, Deadline deadline) {
    for (Endpoint holder : segment.holdersOf(address)) {
      var request = new LogUnitRequest.Trim(layout.epoch(), AddressSet.of(address));
      servers.ask(holder, request, Reply.Done.class, deadline);
    }
    return Outcome.DONE;
  }
}
