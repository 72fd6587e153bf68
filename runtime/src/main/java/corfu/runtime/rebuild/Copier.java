package corfu.runtime.rebuild;

import corfu.protocol.AddressSet;
import corfu.protocol.Endpoint;
import corfu.protocol.Entry;
import corfu.protocol.layout.Chain;
import corfu.protocol.layout.Layout;
import corfu.protocol.layout.LayoutSegment;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitReply.AddressState;
import corfu.protocol.message.LogUnitReply.ReadOutcome;
import corfu.protocol.message.LogUnitReply.WriteOutcome;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Reply;
import corfu.runtime.Deadline;
import corfu.runtime.internal.repair.ChainRepair;
import corfu.runtime.internal.rpc.RetryableException;
import corfu.runtime.internal.rpc.Servers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Copies the entries of the chain's tail to one joining unit, a piece of a segment at a time, under
 * one layout. That layout names the unit in the segment's target, so that every trim reaches the
 * unit. Thread-safe.
 */
final class Copier {

  private static final int READ_BYTES = 1 << 20;

  /** The number of addresses of a lost chain that are in memory together. */
  private static final int LOST_AT_ONCE = 64;

  private final Servers servers;
  private final ChainRepair chainRepair;
  private final Throttle throttle;
  private final Layout layout;
  private final LayoutSegment segment;
  private final AtomicLong copiedBytes;

  Copier(
      Servers servers,
      ChainRepair chainRepair,
      Throttle throttle,
      Layout layout,
      LayoutSegment segment,
      AtomicLong copiedBytes) {
    this.servers = servers;
    this.chainRepair = chainRepair;
    this.throttle = throttle;
    this.layout = layout;
    this.segment = segment;
    this.copiedBytes = copiedBytes;
  }

  /**
   * Tells all units of the segment the highest prefix trim that any of them knows.
   *
   * @return the first address that may not be trimmed
   */
  long skipWhatIsTrimmed(Deadline deadline) {
    long trimmedBefore = 0;
    for (Endpoint unit : segment.units()) {
      var request = new LogUnitRequest.AskTail(layout.epoch());
      var tail = servers.ask(unit, request, LogUnitReply.Tail.class, deadline);
      trimmedBefore = Math.max(trimmedBefore, tail.trimmedBefore());
    }
    if (trimmedBefore > 0) {
      for (Endpoint unit : segment.units()) {
        var request = new LogUnitRequest.PrefixTrim(layout.epoch(), trimmedBefore);
        servers.ask(unit, request, Reply.Done.class, deadline);
      }
    }
    return Math.max(trimmedBefore, segment.start());
  }

  /**
   * Copies the entries that the unit lacks. A log replica gets all of these addresses; a stream
   * replica gets the entries of its streams.
   *
   * @param addresses addresses of one chain
   */
  void copy(AddressSet.Strided addresses, Endpoint joining, Deadline deadline) {
    Chain chain = segment.chainOf(addresses.start());
    if (chain.isLost()) {
      copyLost(addresses, joining, deadline);
      return;
    }
    List<AddressState> there = inspect(joining, addresses, deadline);
    List<AddressState> here = inspect(chain.tail(), addresses, deadline);
    List<Long> missing = new ArrayList<>();
    List<Long> trimmed = new ArrayList<>();
    for (int i = 0; i < addresses.count(); i++) {
      long address = addresses.at(i);
      switch (here.get(i)) {
        case TRIMMED -> {
          if (there.get(i) != AddressState.TRIMMED) {
            trimmed.add(address);
          }
        }
        case DATA, HOLE -> {
          if (there.get(i) == AddressState.UNWRITTEN) {
            missing.add(address);
          }
        }
        case UNWRITTEN -> decideAndCopy(address, joining, deadline);
      }
    }
    if (!trimmed.isEmpty()) {
      var request = new LogUnitRequest.Trim(layout.epoch(), listed(trimmed));
      servers.ask(joining, request, Reply.Done.class, deadline);
    }
    copyEntries(missing, chain, joining, deadline);
  }

  /** Copies entries that no log replica holds any more. The stream replicas together hold them. */
  private void copyLost(AddressSet addresses, Endpoint joining, Deadline deadline) {
    List<AddressState> there = inspect(joining, addresses, deadline);
    List<Long> missing = new ArrayList<>();
    for (int i = 0; i < addresses.count(); i++) {
      if (there.get(i) == AddressState.UNWRITTEN) {
        missing.add(addresses.at(i));
      }
    }
    for (int low = 0; low < missing.size(); low += LOST_AT_ONCE) {
      List<Long> some = missing.subList(low, Math.min(missing.size(), low + LOST_AT_ONCE));
      List<Entry> whole = new ArrayList<>();
      long bytes = 0;
      for (var held : chainRepair.lostChain().look(some, layout, deadline).entrySet()) {
        if (!held.getValue().isComplete(layout)) {
          decideAndCopy(held.getKey(), joining, deadline);
          continue;
        }
        Entry entry = held.getValue().outcome().held().orElseThrow();
        bytes += entry.lengthBytes();
        if (segment.joining(entry).contains(joining)) {
          whole.add(entry);
        }
      }
      throttle.pass(bytes);
      if (!whole.isEmpty()) {
        write(whole, joining, deadline);
      }
    }
  }

  private List<AddressState> inspect(Endpoint unit, AddressSet addresses, Deadline deadline) {
    var request = new LogUnitRequest.Inspect(layout.epoch(), addresses);
    return servers.ask(unit, request, LogUnitReply.States.class, deadline).states();
  }

  private static AddressSet listed(List<Long> addresses) {
    return new AddressSet.Listed(addresses.stream().mapToLong(Long::longValue).toArray());
  }

  /**
   * Decides an unwritten address, without a wait: no writer writes to a closed segment any more.
   */
  private void decideAndCopy(long address, Endpoint joining, Deadline deadline) {
    switch (chainRepair.decide(address, layout, deadline)) {
      case ChainRepair.Decision.Holds(Entry entry) -> {
        if (segment.joining(entry).contains(joining)) {
          write(List.of(entry), joining, deadline);
        }
      }
      case ChainRepair.Decision.Gone gone -> {} // the joining unit was told, too
    }
  }

  /**
   * Completes an entry before it is copied. The next arrangement may be read in any order, so no
   * entry may be half done in the old one.
   */
  private void carryOn(long address, Deadline deadline) {
    var unused = chainRepair.carryOn(address, layout, deadline);
  }

  private void copyEntries(List<Long> missing, Chain chain, Endpoint joining, Deadline deadline) {
    int copied = 0;
    while (copied < missing.size()) {
      List<Long> rest = missing.subList(copied, missing.size());
      var request = new LogUnitRequest.Read(layout.epoch(), listed(rest), READ_BYTES);
      var reads = servers.ask(chain.tail(), request, LogUnitReply.Reads.class, deadline);
      List<Entry> entries = new ArrayList<>();
      long bytes = 0;
      for (int i = 0; i < reads.outcomes().size(); i++) {
        long address = rest.get(i);
        ReadOutcome outcome = ChainRepair.verified(reads.outcomes().get(i), address, chain.tail());
        if (outcome instanceof ReadOutcome.Corrupt) {
          outcome = chainRepair.readAnywhere(address, chain.replicas(), layout, deadline);
        }
        if (outcome instanceof ReadOutcome.Unconfirmed) {
          carryOn(address, deadline);
        }
        if (outcome.held().isPresent()) {
          Entry entry = outcome.held().get();
          bytes += entry.lengthBytes();
          if (segment.joining(entry).contains(joining)) {
            entries.add(entry);
          }
        } else if (outcome instanceof ReadOutcome.Corrupt(String detail)) {
          throw RetryableException.server(chain.tail(), false, "cannot copy: " + detail);
        } else if (outcome instanceof ReadOutcome.Forbidden) {
          throw ChainRepair.forbidden(address, chain.tail());
        } // a trim since then has reached the joining unit, too
      }
      throttle.pass(bytes);
      if (!entries.isEmpty()) {
        write(entries, joining, deadline);
      }
      copied += reads.outcomes().size();
    }
  }

  private void write(List<Entry> entries, Endpoint joining, Deadline deadline) {
    var request = new LogUnitRequest.Write(layout.epoch(), entries);
    var writes = servers.ask(joining, request, LogUnitReply.Writes.class, deadline);
    for (int i = 0; i < entries.size(); i++) {
      Entry entry = entries.get(i);
      switch (writes.outcomes().get(i)) {
        case WriteOutcome.Written written -> copiedBytes.addAndGet(entry.lengthBytes());
        case WriteOutcome.Overwritten(var winner, var kind) -> {
          if (!winner.equals(entry.id()) || kind != entry.kind()) {
            throw new IllegalStateException(
                "address "
                    + entry.address()
                    + " holds "
                    + entry
                    + " in its chain, but another entry of "
                    + winner
                    + " at "
                    + joining
                    + ", a joining unit: the chain property is broken, please report this");
          }
        }
        case WriteOutcome.Corrupt held -> {} // this entry; the unit will have it repaired
        case WriteOutcome.Trimmed trimmed -> {} // since it was read
        case WriteOutcome.NoSpace full ->
            throw RetryableException.server(
                joining,
                false,
                "the log unit at " + joining + " cannot join, because its disk is full");
        case WriteOutcome.Damaged damaged ->
            throw RetryableException.server(
                joining, false, "an entry was damaged in transit to " + joining);
      }
    }
  }
}
