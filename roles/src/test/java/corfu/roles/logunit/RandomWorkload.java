package corfu.roles.logunit;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.AddressSet;
import corfu.protocol.AppendId;
import corfu.protocol.Entry;
import corfu.protocol.Epoch;
import corfu.protocol.Incarnation;
import corfu.protocol.StreamId;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitReply.ReadOutcome;
import corfu.protocol.message.LogUnitReply.WriteOutcome;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Progress;
import corfu.protocol.message.Reply;
import corfu.protocol.wire.FrameCodec;
import corfu.roles.logunit.options.LogUnitOptions;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

/**
 * Writes, trims, reads and seals at random, and runs the disk's work at random times. It knows the
 * possible contents of each address: one if a reply told it, several while no reply has come. It
 * checks searches in streams against them.
 */
final class RandomWorkload {

  private static final int ADDRESSES = 300;

  private final SplittableRandom random;
  private final FaultDisk disk;
  private final LogUnitOptions options;
  private final Map<Long, Set<Object>> possible = new HashMap<>();
  private final UnitDriver.StepOffload syncs = new UnitDriver.StepOffload();
  private final UnitDriver.StepOffload background = new UnitDriver.StepOffload();
  private final StreamModel streams = new StreamModel(possible);
  private UnitDriver unit;
  private long prefix;
  private long sequence;
  private long sealed;
  private Incarnation life = Incarnation.NONE;
  private boolean resetting;
  private Progress reached = Progress.NONE; // in this life
  int resets;
  int acknowledged;
  int refused;
  long compressed; // bytes in files that were compressed at the same time

  RandomWorkload(long seed, FaultDisk disk, LogUnitOptions options) {
    this.random = new SplittableRandom(seed);
    this.disk = disk;
    this.options = options;
    forget();
    open();
    drain();
  }

  private void forget() {
    prefix = 0;
    reached = Progress.NONE;
    streams.forget();
    for (long a = 0; a < ADDRESSES; a++) {
      possible.put(a, new HashSet<>(Set.of(ReadOutcome.Unwritten.UNWRITTEN)));
    }
  }

  private void open() {
    var world = new UnitDriver.StillWorld(random.nextLong());
    unit = new UnitDriver(LogUnit.open(disk, options, world, syncs, background));
    long epoch = unit.unit.epoch().value();
    assertThat(epoch).isGreaterThanOrEqualTo(sealed);
    if (resetting && !unit.unit.incarnation().equals(life)) {
      forget();
    } else if (life.isKnown()) {
      assertThat(unit.unit.incarnation()).isEqualTo(life);
    }
    assertThat(unit.unit.progress())
        .as("what others remember")
        .matches(now -> !now.isBehind(reached), "is not behind " + reached);
    resetting = false;
    life = unit.unit.incarnation();
    unit.epoch = new Epoch(epoch + 1);
    unit.send(new LogUnitRequest.Install(unit.layout(epoch + 1)));
    unit.unit.turnEnded();
  }

  private void drain() {
    while (syncs.isWaiting() || background.isWaiting()) {
      syncs.all();
      background.all();
      unit.unit.turnEnded();
    }
  }

  /** Ends early when the machine crashes. */
  void run(int requests) {
    try {
      runOn(requests);
    } catch (FaultDisk.Crashed crash) {
      // the caller knows of it
    }
  }

  private void runOn(int requests) {
    for (int i = 0; i < requests; i++) {
      request();
      if (!resetting) {
        reached = reached.and(unit.unit.progress());
      }
      if (random.nextInt(3) > 0) {
        unit.unit.turnEnded();
      }
      if (random.nextInt(2) == 0 && syncs.isWaiting()) {
        syncs.step();
      }
      if (random.nextInt(3) == 0 && background.isWaiting()) {
        background.step();
      }
    }
  }

  /** Installs a layout again if there was no space for it. */
  void finish() {
    unit.unit.turnEnded();
    drain();
    if (unit.unit.epoch().isBefore(unit.epoch)) {
      unit.send(new LogUnitRequest.Install(unit.layout(unit.epoch.value())));
      unit.unit.turnEnded();
      drain();
    }
  }

  /**
   * Makes the unit a spare, resets it while other requests are waiting, and uses it again. Ends
   * early when the machine crashes.
   */
  void reset() {
    resetting = true;
    try {
      resetNow();
    } catch (FaultDisk.Crashed crash) {
      // the caller knows of it
    }
  }

  private void resetNow() {
    write();
    trim();
    read();
    Epoch next = unit.epoch.next();
    unit.send(new LogUnitRequest.Install(unit.foreign(next.value())));
    while (unit.unit.epoch().isBefore(next)) {
      unit.unit.turnEnded();
      if (!step()) {
        return; // there was no space, or the disk is gone
      }
    }
    unit.epoch = next;
    List<Reply> replies = unit.send(new LogUnitRequest.Reset(next));
    boolean sealing = random.nextBoolean();
    if (sealing) {
      unit.send(new LogUnitRequest.Seal(next));
    }
    do {
      unit.unit.turnEnded();
    } while (step());
    if (!replies.isEmpty() && replies.getFirst() instanceof LogUnitReply.Blank(Incarnation now)) {
      assertThat(unit.unit.incarnation()).isEqualTo(now);
      forget();
      life = now;
      resets++;
    } else {
      assertThat(unit.unit.incarnation()).as("after %s", replies).isEqualTo(life);
    }
    unit.epoch = unit.unit.epoch().next();
    unit.send(new LogUnitRequest.Install(unit.layout(unit.epoch.value())));
    finish();
  }

  /** Runs one piece of the disk's work, if there is any. */
  private boolean step() {
    if (syncs.isWaiting() && (random.nextBoolean() || !background.isWaiting())) {
      syncs.step();
      return true;
    }
    if (background.isWaiting()) {
      background.step();
      return true;
    }
    return false;
  }

  /**
   * Crashes the machine or the process, perhaps again during the unit's start. Then the unit starts
   * with the remaining content.
   */
  void crash(boolean wholeMachine) {
    for (int again = random.nextInt(3); again >= 0; again--) {
      syncs.forget();
      background.forget();
      if (wholeMachine) {
        disk.crash(random);
      } else {
        disk.killProcess();
      }
      disk.crashAt = again > 0 ? disk.effects + 1 + random.nextInt(12) : Integer.MAX_VALUE;
      try {
        open();
        drain();
      } catch (FaultDisk.Crashed crash) {
        continue;
      }
    }
    verify();
  }

  void closeAndReopen() {
    unit.unit.close();
    syncs.forget();
    background.forget();
    open();
    drain();
    verify();
  }

  /** Checks that every address has one of its possible contents, which is certain from now on. */
  void verify() {
    for (long a = 0; a < ADDRESSES; a++) {
      ReadOutcome outcome = readNow(a);
      assertThat(possible.get(a)).as("address %d", a).contains(outcome);
      possible.put(a, new HashSet<>(Set.of(outcome)));
    }
    verifyStreams();
  }

  private void verifyStreams() {
    List<Reply> replies = findInStreams();
    finish();
    assertThat(replies).hasOnlyElementsOfType(LogUnitReply.FoundInStreams.class).hasSize(1);
    streams.verifyEnds((LogUnitReply.FoundInStreams) replies.getFirst());
  }

  /** Searches all entries of all streams, and checks the answer when it comes. */
  private List<Reply> findInStreams() {
    StreamModel.Asked asked = streams.ask();
    List<Reply> replies = new ArrayList<>();
    unit.unit.handle(
        new LogUnitRequest.FindInStreams(unit.epoch, StreamModel.QUERIES, ADDRESSES),
        reply -> {
          replies.add(reply);
          if (reply instanceof LogUnitReply.FoundInStreams found) {
            streams.answered(asked, found);
          }
        });
    return replies;
  }

  private void compress() {
    unit.unit.handle(
        new LogUnitRequest.Compress(random.nextLong(ADDRESSES)),
        reply -> compressed = Math.max(compressed, compressedBytes(reply)));
  }

  private static long compressedBytes(Reply reply) {
    return reply instanceof LogUnitReply.Compressed progress ? progress.plainBytes() : 0;
  }

  private void trimStream() {
    StreamId stream = StreamModel.STREAMS.get(random.nextInt(StreamModel.STREAMS.size()));
    StreamModel.Trim trim = streams.trim(stream, random.nextInt(ADDRESSES));
    unit.unit.handle(
        new LogUnitRequest.TrimStream(unit.epoch, stream, trim.before()),
        reply -> {
          if (reply == Reply.Done.DONE) {
            streams.trimmed(trim);
          }
        });
  }

  private ReadOutcome readNow(long address) {
    List<Reply> replies =
        unit.send(new LogUnitRequest.Read(unit.epoch, AddressSet.of(address), 1 << 20));
    finish();
    assertThat(replies).hasOnlyElementsOfType(LogUnitReply.Reads.class).hasSize(1);
    return ((LogUnitReply.Reads) replies.getFirst()).outcomes().getFirst();
  }

  private void request() {
    switch (random.nextInt(23)) {
      case 22 -> compress();
      case 20 -> findInStreams();
      case 21 -> trimStream();
      case 0, 1, 2 -> trim();
      case 3 -> prefixTrim();
      case 4, 5, 6, 7 -> read();
      case 8 -> seal();
      default -> write();
    }
  }

  private void write() {
    List<Entry> entries = new ArrayList<>();
    int count = 1 + random.nextInt(6);
    for (int i = 0; i < count; i++) {
      long address = prefix + random.nextLong(Math.max(1, ADDRESSES - prefix));
      AppendId id = new AppendId(1, sequence++);
      byte[] payload = new byte[random.nextInt(random.nextInt(10) == 0 ? 20_000 : 600)];
      if (random.nextBoolean()) {
        random.nextBytes(payload);
      }
      Entry entry =
          random.nextInt(6) == 0
              ? Entry.hole(address, id)
              : Entry.data(
                  address, id, StreamModel.some(random, address), ByteBuffer.wrap(payload));
      entries.add(entry);
      possible.get(address).add(new ReadOutcome.Found(entry));
      streams.written(entry);
    }
    unit.unit.handle(
        new LogUnitRequest.Write(unit.epoch, entries), reply -> written(entries, reply));
  }

  private void written(List<Entry> entries, Reply reply) {
    if (reply instanceof LogUnitReply.Writes(List<WriteOutcome> outcomes)) {
      for (int i = 0; i < entries.size(); i++) {
        written(entries.get(i), outcomes.get(i));
      }
    }
  }

  private void written(Entry entry, WriteOutcome outcome) {
    Set<Object> here = possible.get(entry.address());
    var found = new ReadOutcome.Found(entry);
    switch (outcome) {
      case WriteOutcome.Written w -> {
        assertThat(here).contains(found);
        here.removeIf(o -> !o.equals(found) && o != ReadOutcome.Trimmed.TRIMMED);
        streams.acknowledged(entry);
        acknowledged++;
      }
      case WriteOutcome.Overwritten(AppendId winner, var kind) -> {
        assertThat(winner).isNotEqualTo(entry.id());
        here.removeIf(
            o -> o instanceof ReadOutcome.Found(Entry e) ? !e.id().equals(winner) : o != TRIMMED);
        assertThat(here).isNotEmpty();
      }
      case WriteOutcome.Trimmed t -> here.retainAll(Set.of(TRIMMED));
      case WriteOutcome.NoSpace n -> {
        here.remove(found);
        refused++;
      }
      case WriteOutcome.Corrupt c -> throw new AssertionError("nothing damaged " + entry);
      case WriteOutcome.Damaged d -> throw new AssertionError("nobody damaged " + entry);
    }
    assertThat(here).as("address %d after %s", entry.address(), outcome).isNotEmpty();
  }

  private static final Object TRIMMED = ReadOutcome.Trimmed.TRIMMED;

  private void trim() {
    long[] addresses = LongStream.generate(this::anyAddress).limit(1 + random.nextInt(8)).toArray();
    for (long address : addresses) {
      possible.get(address).add(TRIMMED);
    }
    unit.unit.handle(
        new LogUnitRequest.Trim(unit.epoch, new AddressSet.Listed(addresses)),
        reply -> {
          if (reply == Reply.Done.DONE) {
            for (long address : addresses) {
              possible.put(address, new HashSet<>(Set.of(TRIMMED)));
            }
          }
        });
  }

  private long anyAddress() {
    return random.nextLong(ADDRESSES);
  }

  private void prefixTrim() {
    long before = Math.min(ADDRESSES - 50, prefix + random.nextInt(12));
    prefix = Math.max(prefix, before);
    for (long a = 0; a < before; a++) {
      possible.get(a).add(TRIMMED);
    }
    unit.unit.handle(
        new LogUnitRequest.PrefixTrim(unit.epoch, before),
        reply -> {
          for (long a = 0; a < before && reply == Reply.Done.DONE; a++) {
            possible.put(a, new HashSet<>(Set.of(TRIMMED)));
          }
        });
  }

  private void read() {
    var addresses = new AddressSet.Strided(random.nextLong(ADDRESSES - 20), 1, 20);
    unit.unit.handle(
        new LogUnitRequest.Read(unit.epoch, addresses, 100_000),
        reply -> {
          if (FrameCodec.copyOf(reply) instanceof LogUnitReply.Reads(List<ReadOutcome> outcomes)) {
            for (int i = 0; i < outcomes.size(); i++) {
              seen(addresses.at(i), outcomes.get(i));
            }
          }
        });
  }

  /** Records a shown outcome: it stays, or the address is trimmed. */
  private void seen(long address, ReadOutcome outcome) {
    Set<Object> here = possible.get(address);
    assertThat(here).as("address %d", address).contains(outcome);
    if (outcome != ReadOutcome.Unwritten.UNWRITTEN) {
      here.removeIf(o -> !o.equals(outcome) && o != TRIMMED);
    }
    if (outcome == TRIMMED) {
      here.retainAll(Set.of(TRIMMED));
    }
  }

  private void seal() {
    Epoch old = unit.epoch;
    unit.unit.handle(
        new LogUnitRequest.Seal(old),
        reply -> {
          if (reply instanceof LogUnitReply.SealedAt) {
            sealed = Math.max(sealed, old.value());
          }
        });
    unit.epoch = old.next();
    unit.send(new LogUnitRequest.Install(unit.layout(old.value() + 1)));
  }
}
