package corfu.sim.watch;

import corfu.protocol.AppendId;
import corfu.protocol.Entry;
import corfu.protocol.EntryBlocks;
import corfu.protocol.EntryKind;
import corfu.protocol.Epoch;
import corfu.protocol.Incarnation;
import corfu.protocol.PayloadRange;
import corfu.protocol.StreamId;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.Failure;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitReply.BlocksOutcome;
import corfu.protocol.message.LogUnitReply.ReadOutcome;
import corfu.protocol.message.LogUnitReply.WriteOutcome;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.sim.world.Violations;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Checks that one log unit's replies stay true through all its lives. It keeps every entry that it
 * once returned (I2, I8). An address never changes (I1). It accepts nothing under a sealed epoch
 * (I4).
 */
public final class UnitWatch implements ServerWatch {

  private final String unit;
  private final Violations findings;
  private final ClusterWatch cluster;
  private final Map<Long, Held> held = new HashMap<>();
  private final Set<Long> trimAsked = new HashSet<>();
  private final Map<StreamId, Long> streamTrimAsked = new HashMap<>();
  private final Map<Long, Map<StreamId, Long>> places = new HashMap<>(); // in streams
  private final Set<Long> trimmed = new HashSet<>();
  private final Set<Long> indexed = new HashSet<>(); // addresses that its index had in streams
  private final Set<Long> indexedEarly =
      new HashSet<>(); // the same, while a write of them was in flight
  private final Set<Request> undecided = // seals of epochs that were never decided
      Collections.newSetFromMap(new IdentityHashMap<>());
  private final Map<Long, Integer> writing = new HashMap<>(); // the number of writes in flight
  private long prefixAsked;
  private long prefixTrimmed;
  private Epoch sealed = Epoch.NONE;
  private Epoch installed = Epoch.NONE;
  private boolean diskMayBeFull;
  private boolean diskMayLie;
  private boolean diskMayFail;
  private Incarnation incarnation = Incarnation.NONE;

  /** The known contents of an address. */
  private record Held(AppendId append, EntryKind kind) {}

  public UnitWatch(String unit, Violations findings, ClusterWatch cluster) {
    this.unit = unit;
    this.findings = findings;
    this.cluster = cluster;
  }

  /** Expects that its disk may be full at times, from now on. */
  public void diskMayBeFull() {
    diskMayBeFull = true;
  }

  /**
   * Expects that its disk may corrupt its contents, from now on. The unit must report that, and
   * never return corrupted entries.
   */
  public void diskMayLie() {
    diskMayLie = true;
  }

  /** Expects that its disk may fail, from now on. */
  public void diskMayFail() {
    diskMayFail = true;
  }

  /**
   * Expects an empty disk. The unit must still honour its seals, because a new disk has a new name.
   */
  public void diskIsLost() {
    is(Incarnation.NONE);
    installed = Epoch.NONE;
  }

  /** Returns whether it has not sealed this epoch. */
  public boolean serves(Epoch epoch) {
    return sealed.isBefore(epoch);
  }

  /** Returns whether it has stored the layout of this epoch, or of a newer one. */
  public boolean knows(Epoch epoch) {
    return !installed.isBefore(epoch);
  }

  @Override
  public void asked(Request request) {
    switch (request) {
      case LogUnitRequest.Write write ->
          write.entries().forEach(entry -> writing.merge(entry.address(), 1, Integer::sum));
      case LogUnitRequest.Repair repair ->
          repair.entries().forEach(entry -> writing.merge(entry.address(), 1, Integer::sum));
      case LogUnitRequest.Seal seal when cluster.of(seal.epoch()).isEmpty() -> undecided.add(seal);
      case LogUnitRequest.Trim trim -> trim.addresses().forEach(trimAsked::add);
      case LogUnitRequest.PrefixTrim trim -> prefixAsked = Math.max(prefixAsked, trim.before());
      case LogUnitRequest.TrimStream trim ->
          streamTrimAsked.merge(trim.stream(), trim.before(), Math::max);
      default -> {}
    }
  }

  @Override
  public void died() {
    writing.clear();
    undecided.clear();
    indexed.addAll(indexedEarly);
    indexedEarly.clear();
  }

  @Override
  public void answered(Request request, Reply reply) {
    check(request, reply);
    undecided.remove(request);
    if (request instanceof LogUnitRequest.Write write) {
      write.entries().forEach(entry -> isAnswered(entry.address()));
    } else if (request instanceof LogUnitRequest.Repair repair) {
      repair.entries().forEach(entry -> isAnswered(entry.address()));
    }
  }

  private void isAnswered(long address) {
    if (writing.merge(address, -1, Integer::sum) <= 0) {
      writing.remove(address);
      if (indexedEarly.remove(address)) {
        indexed.add(address);
      }
    }
  }

  private void isIndexed(long address) {
    boolean isEarly = writing.containsKey(address) && !held.containsKey(address);
    (isEarly ? indexedEarly : indexed).add(address);
  }

  private void check(Request request, Reply reply) {
    switch (request) {
      case LogUnitRequest.Write write when reply instanceof LogUnitReply.Writes writes -> {
        notSealed(write.epoch(), "a write");
        for (int i = 0; i < writes.outcomes().size(); i++) {
          wrote(write.entries().get(i), writes.outcomes().get(i));
        }
      }
      case LogUnitRequest.Repair repair when reply instanceof LogUnitReply.Writes writes -> {
        notSealed(repair.epoch(), "a repair");
        for (int i = 0; i < writes.outcomes().size(); i++) {
          repaired(repair.entries().get(i), writes.outcomes().get(i));
        }
      }
      case LogUnitRequest.Read read when reply instanceof LogUnitReply.Reads reads -> {
        for (int i = 0; i < reads.outcomes().size(); i++) {
          showed(read.addresses().at(i), reads.outcomes().get(i));
        }
      }
      case LogUnitRequest.ReadBlocks read when reply instanceof LogUnitReply.FoundBlocks found -> {
        for (int i = 0; i < found.outcomes().size(); i++) {
          showed(read.ranges().get(i), found.outcomes().get(i));
        }
      }
      case LogUnitRequest.CopyRange copy when reply instanceof LogUnitReply.Copied copied ->
          copied.records().forEach(record -> showed(record.address(), record.outcome()));
      case LogUnitRequest.Trim trim when reply instanceof Reply.Done -> {
        notSealed(trim.epoch(), "a trim");
        trim.addresses().forEach(trimmed::add);
      }
      case LogUnitRequest.PrefixTrim trim when reply instanceof Reply.Done -> {
        notSealed(trim.epoch(), "a trim");
        prefixTrimmed = Math.max(prefixTrimmed, trim.before());
      }
      case LogUnitRequest.FindInStreams find
          when reply instanceof LogUnitReply.FoundInStreams found ->
          found.found().stream()
              .flatMap(occurrences -> occurrences.newestFirst().stream())
              .forEach(occurrence -> isIndexed(occurrence.address()));
      case LogUnitRequest.ReadStream read when reply instanceof LogUnitReply.StreamEntries piece ->
          piece.entries().forEach(entry -> showed(entry.address(), entry));
      case LogUnitRequest.TrimStream trim when reply instanceof Reply.Done ->
          notSealed(trim.epoch(), "a trim");
      case LogUnitRequest.Seal seal when reply instanceof LogUnitReply.SealedAt at -> {
        is(at.incarnation());
        if (!undecided.contains(seal)) { // no client can rely on seals of undecided epochs
          sealed = sealed.isBefore(seal.epoch()) ? seal.epoch() : sealed;
        }
        sealed(at);
      }
      case LogUnitRequest.Reset reset when reply instanceof LogUnitReply.Blank blank ->
          is(blank.incarnation());
      case LogUnitRequest.Install(Layout layout) when reply instanceof Reply.Done ->
          installed = installed.isBefore(layout.epoch()) ? layout.epoch() : installed;
      default -> {}
    }
    if (reply instanceof Failure.Broken(String reason) && !diskMayBeFull && !diskMayFail) {
      findings.broken("Unit", "%s failed at %s, on a sound disk: %s", unit, request, reason);
    }
  }

  /**
   * Forgets everything but the seals if the incarnation is new: a unit that was reset may do so.
   */
  private void is(Incarnation now) {
    if (!incarnation.equals(now)) {
      incarnation = now;
      held.clear();
      indexed.clear();
      indexedEarly.clear();
      trimmed.clear();
      prefixTrimmed = 0;
    }
  }

  private void notSealed(Epoch epoch, String what) {
    if (!sealed.isBefore(epoch)) {
      findings.broken(
          "I4, epochs", "%s did %s of epoch %s after it had sealed %s", unit, what, epoch, sealed);
    }
  }

  private void sealed(LogUnitReply.SealedAt tail) {
    long highest = held.keySet().stream().mapToLong(Long::longValue).max().orElse(-1);
    if (tail.next() <= highest) {
      findings.broken(
          "I8, effects", "%s sealed with tail %s, though it holds %s", unit, tail.next(), highest);
    }
  }

  /** Notes a repaired entry. An unreadable entry is written again, which loses nothing. */
  private void repaired(Entry entry, WriteOutcome outcome) {
    if (diskMayLie && entry.isIntact() && outcome instanceof WriteOutcome.Written) {
      hold(entry);
    } else {
      wrote(entry, outcome);
    }
  }

  private void wrote(Entry entry, WriteOutcome outcome) {
    long address = entry.address();
    if (!entry.isIntact()) {
      if (!(outcome instanceof WriteOutcome.Damaged)) {
        findings.broken("Unit", "%s took %s, which was damaged: %s", unit, entry, outcome);
      }
      return;
    }
    switch (outcome) {
      case WriteOutcome.Written written -> {
        if (indexed.contains(address) && !held.containsKey(address)) {
          isLostToIndex(address);
        }
        hold(entry);
      }
      case WriteOutcome.Overwritten(AppendId winner, EntryKind kind) -> hold(address, winner, kind);
      case WriteOutcome.Trimmed gone -> mayBeTrimmed(address);
      case WriteOutcome.NoSpace full -> {}
      case WriteOutcome.Corrupt unreadable -> isCorrupt(address, "as it told a writer");
      case WriteOutcome.Damaged damaged ->
          findings.broken("Unit", "%s calls %s damaged, which it was not", unit, entry);
    }
  }

  private void showed(long address, Entry entry) {
    if (!entry.isIntact() || entry.address() != address) {
      findings.broken("I1, write-once", "%s gave %s for address %s", unit, entry, address);
    } else {
      hold(entry);
    }
  }

  private void showed(long address, ReadOutcome outcome) {
    switch (outcome) {
      case ReadOutcome.Found(Entry entry) -> showed(address, entry);
      case ReadOutcome.Unconfirmed(Entry entry) -> showed(address, entry);
      case ReadOutcome.Unwritten unwritten -> {
        Held before = held.get(address);
        if (before != null) {
          findings.broken("I2, durability", "%s has lost %s of address %s", unit, before, address);
        }
        if (indexed.contains(address)) {
          isLostToIndex(address);
        }
        if (isTrimmed(address)) {
          findings.broken("Trim", "%s has forgotten that it trimmed %s", unit, address);
        }
      }
      case ReadOutcome.Trimmed gone -> mayBeTrimmed(address);
      case ReadOutcome.Corrupt(String detail) -> isCorrupt(address, detail);
      case ReadOutcome.Forbidden forbidden -> {}
    }
  }

  private void showed(PayloadRange range, BlocksOutcome outcome) {
    switch (outcome) {
      case BlocksOutcome.Found(EntryBlocks blocks) -> showed(range, blocks);
      case BlocksOutcome.Whole(Entry entry) -> showed(range.address(), entry);
      case BlocksOutcome.Unconfirmed unconfirmed -> {}
      case BlocksOutcome.Unwritten unwritten ->
          showed(range.address(), ReadOutcome.Unwritten.UNWRITTEN);
      case BlocksOutcome.Trimmed trimmed -> showed(range.address(), ReadOutcome.Trimmed.TRIMMED);
      case BlocksOutcome.Corrupt(String detail) -> isCorrupt(range.address(), detail);
      case BlocksOutcome.Forbidden forbidden -> {}
    }
  }

  private void showed(PayloadRange range, EntryBlocks blocks) {
    if (!blocks.isIntact() || !blocks.covers(range)) {
      findings.broken("I1, write-once", "%s gave %s for %s", unit, blocks, range);
    } else {
      hold(range.address(), blocks.id(), EntryKind.DATA);
    }
  }

  private void isCorrupt(long address, String detail) {
    if (!diskMayLie) {
      findings.broken(
          "I2, durability", "%s cannot read %s, on a sound disk: %s", unit, address, detail);
    }
  }

  /** Reports a loss: an entry that the index once returned must survive a power failure. */
  private void isLostToIndex(long address) {
    findings.broken(
        "I2, durability", "%s said that %s is in a stream, and has lost it", unit, address);
  }

  private void hold(Entry entry) {
    Map<StreamId, Long> inStreams = new HashMap<>();
    for (int i = 0; i < entry.streamCount(); i++) {
      inStreams.put(entry.stream(i).stream(), entry.stream(i).streamAddress());
    }
    places.put(entry.address(), inStreams);
    hold(entry.address(), entry.id(), entry.kind());
  }

  private void hold(long address, AppendId append, EntryKind kind) {
    Held now = new Held(append, kind);
    Held before = held.putIfAbsent(address, now);
    if (before != null && !before.equals(now)) {
      findings.broken(
          "I1, write-once", "address %s of %s held %s, now %s", address, unit, before, now);
    }
    if (isTrimmed(address)) {
      findings.broken("Trim", "%s shows address %s, which it had trimmed", unit, address);
    }
  }

  private boolean isTrimmed(long address) {
    return trimmed.contains(address) || address < prefixTrimmed;
  }

  private void mayBeTrimmed(long address) {
    if (!trimAsked.contains(address) && address >= prefixAsked && !mayBeTrimmedInStreams(address)) {
      findings.broken(
          "Trim", "%s calls address %s trimmed, which was not requested", unit, address);
    }
  }

  /** Returns whether a trim of each of its streams was requested beyond it, as far as known. */
  private boolean mayBeTrimmedInStreams(long address) {
    Map<StreamId, Long> inStreams = places.get(address);
    if (inStreams == null) {
      return !streamTrimAsked.isEmpty();
    }
    return !inStreams.isEmpty()
        && inStreams.entrySet().stream()
            .allMatch(place -> place.getValue() < streamTrimAsked.getOrDefault(place.getKey(), 0L));
  }
}
