package corfu.sim.workload;

import corfu.protocol.Address;
import corfu.protocol.PayloadBlocks;
import corfu.protocol.PayloadRange;
import corfu.protocol.layout.LayoutSegment;
import corfu.runtime.CorfuException;
import corfu.runtime.EntryPart;
import corfu.runtime.Log;
import corfu.runtime.LogEntry;
import corfu.sim.history.CallHistory;
import corfu.sim.history.Payloads;
import corfu.sim.history.RecordedCall;
import corfu.sim.history.RecordedCall.Call;
import corfu.sim.history.RecordedCall.Outcome;
import corfu.sim.world.SimRandom;
import corfu.sim.world.SimWorld;
import corfu.sim.world.Simulator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.LongStream;

/** One thread of an application. It makes random calls on the log and on streams, repeatedly. */
public final class LogWorkload {

  private static final int BURST_MAX = 12;
  private static final int RANGE_MAX = 30;
  private static final int TRIM_OF_COPIES_ONE_IN = 12;
  private static final int SUBSCRIBERS_ONE_IN = 6;
  private static final int PADDING_MAX = 2_000;
  private static final int LARGE_ONE_IN = 15;
  private static final int LARGE_PADDING_MAX = 40_000;
  private static final int COMPRESSIONS_ONE_IN = 5;
  private static final int PARTS_ONE_IN = 2;
  private static final int PARTS_MAX = 4;
  private static final int PART_BYTES_MAX = 10_000;
  private static final long THINK_NANOS_MAX = 300_000_000L;

  private final Simulator simulator;
  private final CallHistory history;
  private final SimWorld world;
  private final SimRandom chance;
  private final Log log;
  private final Registers registers;
  private final WorkloadProfile habits;
  private final StreamWorkload ofStreams;
  private final Subscribers subscribers;
  private final String name;
  private final BooleanSupplier over;
  private final Supplier<Optional<LayoutSegment>> beingCopied;
  private int appends;
  private long tail;

  public LogWorkload(
      Simulator simulator,
      CallHistory history,
      SimWorld world,
      Log log,
      StreamWorkload ofStreams,
      Subscribers subscribers,
      WorkloadProfile habits,
      String name,
      Supplier<Optional<LayoutSegment>> beingCopied,
      BooleanSupplier over) {
    this.simulator = simulator;
    this.history = history;
    this.world = world;
    this.chance = world.chance().split();
    this.log = log;
    this.registers = new Registers(log);
    this.habits = habits;
    this.name = name;
    this.ofStreams = ofStreams;
    this.subscribers = subscribers;
    this.beingCopied = beingCopied;
    this.over = over;
  }

  public void run() {
    while (!over.getAsBoolean()) {
      if (chance.below(100) >= habits.streamPercent()) {
        doSomething();
      } else if (habits.subscriptions() > 0 && chance.oneIn(SUBSCRIBERS_ONE_IN)) {
        subscribers.doSomething();
      } else {
        ofStreams.doSomething();
      }
      world.pause(Duration.ofNanos(chance.mostlyNear(0, THINK_NANOS_MAX)));
    }
  }

  private void doSomething() {
    Optional<LayoutSegment> copied = beingCopied.get();
    if (copied.isPresent() && chance.oneIn(TRIM_OF_COPIES_ONE_IN)) {
      trimWhatIsCopied(copied.get());
      return;
    }
    int dice = chance.below(100);
    if (dice < 30) {
      append();
    } else if (dice < 38) {
      writeRegister();
    } else if (dice < 43) {
      readRegister();
    } else if (dice < 50) {
      burst();
    } else if (dice < 70) {
      if (chance.oneIn(PARTS_ONE_IN)) {
        readParts();
      } else {
        read(nearTail());
      }
    } else if (dice < 85) {
      readRange(nearTail());
    } else if (dice < 92) {
      if (chance.oneIn(COMPRESSIONS_ONE_IN)) {
        compress();
      } else {
        askTail();
      }
    } else if (dice < 96) {
      fill();
    } else if (dice < 99) {
      trimNearTail();
    } else {
      prefixTrim(chance.oneIn(3) ? tail : chance.between(0, tail / 2)); // never beyond the tail
    }
  }

  private String nextName() {
    return name + "#" + appends++;
  }

  private byte[] payload(String payload) {
    return chance.oneIn(LARGE_ONE_IN)
        ? Payloads.of(payload, (int) chance.between(PADDING_MAX, LARGE_PADDING_MAX))
        : Payloads.of(payload, (int) chance.mostlyNear(0, PADDING_MAX));
  }

  private void append() {
    String payload = nextName();
    history.run(name, new Call.Append(payload), () -> appended(log.append(payload(payload))));
  }

  private void writeRegister() {
    String payload = Registers.written(nextName(), chance.below(Registers.COUNT));
    history.run(name, new Call.Append(payload), () -> appended(log.append(payload(payload))));
  }

  private void readRegister() {
    Call.ReadRegister call = new Call.ReadRegister(chance.below(Registers.COUNT));
    history.run(name, call, () -> registers.read(call));
  }

  private Outcome appended(Address address) {
    tail = Math.max(tail, address.value() + 1);
    return new Outcome.Appended(address.value());
  }

  /** Makes several in-flight appends, which share round trips. */
  private void burst() {
    List<CompletableFuture<Outcome>> all = new ArrayList<>();
    for (int i = 1 + chance.below(BURST_MAX); i > 0; i--) {
      String payload = nextName();
      RecordedCall operation = history.invoke(name, new Call.Append(payload));
      all.add(
          log.appendAsync(payload(payload))
              .handle(
                  (address, failure) -> {
                    Outcome outcome =
                        failure == null ? appended(address) : history.failed(name, failure);
                    history.returned(operation, outcome);
                    return outcome;
                  }));
    }
    all.forEach(CompletableFuture::join);
  }

  private long nearTail() {
    long back = chance.oneIn(4) ? chance.between(0, tail) : chance.between(0, Math.min(tail, 10));
    return tail - back + chance.below(3);
  }

  private void read(long address) {
    history.run(
        name, new Call.Read(List.of(address)), () -> saw(List.of(log.read(new Address(address)))));
  }

  private void readParts() {
    List<PayloadRange> ranges = new ArrayList<>();
    for (int i = chance.below(PARTS_MAX); i >= 0; i--) {
      int offset = (int) chance.mostlyNear(0, LARGE_PADDING_MAX);
      ranges.add(new PayloadRange(nearTail(), offset, 1 + chance.below(PART_BYTES_MAX)));
    }
    PayloadRange first = ranges.getFirst();
    history.run(
        name,
        new Call.ReadParts(ranges),
        () ->
            sawParts(
                ranges.size() > 1
                    ? log.readParts(ranges)
                    : List.of(
                        log.read(new Address(first.address()), first.offset(), first.length()))));
  }

  private Outcome sawParts(List<EntryPart> parts) {
    if (parts.stream().anyMatch(LogWorkload::isOfDividedPayload)) {
      simulator.reached("a part of a divided payload is read");
    }
    return new Outcome.SawParts(parts.stream().map(CallHistory::part).toList());
  }

  private static boolean isOfDividedPayload(EntryPart part) {
    return part instanceof EntryPart.Data data
        && data.payloadBytes() > PayloadBlocks.LARGEST_UNDIVIDED_BYTES
        && data.bytes().hasRemaining();
  }

  private void readRange(long to) {
    long from = Math.max(0, to - chance.below(RANGE_MAX));
    List<Long> addresses = LongStream.range(from, to).boxed().toList();
    boolean asList = chance.oneIn(2);
    history.run(
        name,
        new Call.Read(addresses),
        () ->
            saw(
                asList
                    ? log.read(addresses.stream().map(Address::new).toList())
                    : log.read(new Address(from), new Address(to))));
  }

  private static Outcome saw(List<LogEntry> entries) {
    return new Outcome.Saw(entries.stream().map(CallHistory::content).toList());
  }

  private void askTail() {
    history.run(
        name,
        new Call.Tail(),
        () -> {
          long found = log.tail().value();
          tail = Math.max(tail, found);
          return new Outcome.TailAt(found);
        });
  }

  /** Has log units compress a prefix of the log. No other call may notice. */
  private void compress() {
    try {
      boolean isAny =
          log.compress(new Address(chance.between(0, tail))).stream()
              .flatMap(report -> report.progress().stream())
              .anyMatch(told -> told.storedBytes() > 0);
      if (isAny) {
        simulator.reached("a part of the log is compressed");
      }
    } catch (CorfuException unavailable) {
      simulator.reached("nobody is asked to compress");
    }
  }

  private void fill() {
    if (tail > 0) {
      long address = tail - 1 - chance.below((int) Math.min(tail, 5));
      history.run(name, new Call.Fill(address), () -> saw(List.of(log.fill(new Address(address)))));
    }
  }

  /** Trims a part of a segment that is being copied. A joining log unit must not miss the trim. */
  private void trimWhatIsCopied(LayoutSegment segment) {
    simulator.reached("what is being copied is trimmed");
    if (chance.oneIn(4)) {
      prefixTrim(chance.between(segment.start(), segment.end()));
    } else {
      trim(chance.between(segment.start(), segment.end() - 1));
    }
  }

  /** Trims near the tail; the log refuses to trim beyond it. */
  private void trimNearTail() {
    if (tail > 0) {
      trim(Math.min(nearTail(), tail - 1));
    }
  }

  private void trim(long address) {
    history.run(
        name,
        new Call.Trim(address, address + 1),
        () -> {
          log.trim(new Address(address));
          return new Outcome.Trimmed();
        });
  }

  private void prefixTrim(long before) {
    history.run(
        name,
        new Call.Trim(0, before),
        () -> {
          log.prefixTrim(new Address(before));
          return new Outcome.Trimmed();
        });
  }
}
