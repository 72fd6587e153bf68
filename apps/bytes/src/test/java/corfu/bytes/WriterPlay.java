package corfu.bytes;

import corfu.protocol.StreamId;
import corfu.runtime.CorfuException;
import corfu.sim.application.ApplicationClient;
import corfu.sim.application.ApplicationContext;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BiConsumer;
import java.util.random.RandomGenerator;

/**
 * The writers of a {@link BytesPlay}: each array has one at a time, and any client takes over at
 * any moment, perhaps while the writer before is paused or has appends in flight. In the end, the
 * acknowledged changes must be those that have an effect in the model.
 */
final class WriterPlay {

  private static final int DISKS = 2;
  private static final int MOST_IN_FLIGHT = 6;
  private static final int DISK_BYTES = 2_000;
  private static final int SCATTERED = 400;

  /** A change of a writer that has ended. */
  private record Ended(
      StreamId stream, long epoch, ByteBuffer note, long invoked, WriteOutcome outcome) {}

  /** A take-over that has returned. */
  private record Taken(StreamId stream, long epoch, long returned) {}

  private final ApplicationContext stage;
  private final Map<ByteBuffer, Long> invoked;
  private final List<Ended> ended = new ArrayList<>();
  private final List<Taken> taken = new ArrayList<>();

  /**
   * @param invoked receives the moments at which changes begin, by their notes
   */
  WriterPlay(ApplicationContext stage, Map<ByteBuffer, Long> invoked) {
    this.stage = stage;
    this.invoked = invoked;
  }

  /** Returns the streams of the arrays with writers. */
  static List<StreamId> disks() {
    List<StreamId> disks = new ArrayList<>();
    for (int i = 0; i < DISKS; i++) {
      disks.add(StreamId.named("disk " + i));
    }
    return disks;
  }

  static boolean isDisk(StreamId stream) {
    return disks().contains(stream);
  }

  /** The writers of one thread of a client. */
  final class Writers {

    private final ApplicationClient seat;
    private final RandomGenerator chance;
    private final BytesStore store;
    private final BiConsumer<Long, BytesView> whenTaken;
    private final Map<StreamId, ArrayWriter> writers = new HashMap<>();

    /**
     * @param whenTaken receives the moment at which a take-over began, and the writer's first view
     */
    Writers(ApplicationClient seat, BytesStore store, BiConsumer<Long, BytesView> whenTaken) {
      this.seat = seat;
      this.chance = seat.chance();
      this.store = store;
      this.whenTaken = whenTaken;
    }

    /** Does something with one of the disks, and returns the writer's view. */
    BytesView act() {
      StreamId disk = disks().get(chance.nextInt(DISKS));
      ArrayWriter known = writers.get(disk);
      if (known == null || known.fencedBy().isPresent()) {
        return takeOver(disk).view();
      }
      if (chance.nextInt(10) == 0) {
        writers.remove(disk);
        known.release();
        stage.count("release");
      } else {
        append(known);
      }
      return known.view();
    }

    private ArrayWriter takeOver(StreamId disk) {
      writers.remove(disk);
      long begun = stage.now();
      ArrayWriter writer =
          ArrayWriter.takeOver(store.open(disk), ByteBuffer.wrap(seat.name().getBytes()));
      taken.add(new Taken(disk, writer.epoch(), stage.now()));
      whenTaken.accept(begun, writer.view());
      writers.put(disk, writer);
      if (chance.nextBoolean()) {
        writer.onFenced(by -> stage.reached("a writer heard of its successor"));
      }
      stage.count("take over");
      return writer;
    }

    private void append(ArrayWriter writer) {
      List<CompletableFuture<WriteOutcome>> appends = new ArrayList<>();
      List<ByteBuffer> notes = new ArrayList<>();
      List<Long> begun = new ArrayList<>();
      int count = 1 + chance.nextInt(MOST_IN_FLIGHT);
      for (int i = 0; i < count; i++) {
        ByteBuffer note = ByteBuffer.allocate(Long.BYTES).putLong(stage.newValue()).flip();
        long now = stage.now();
        invoked.put(note, now);
        notes.add(note);
        begun.add(now);
        appends.add(writer.append(changes(), note));
      }
      for (int i = 0; i < count; i++) {
        end(writer, notes.get(i), begun.get(i), appends.get(i));
      }
    }

    private void end(
        ArrayWriter writer, ByteBuffer note, long begun, CompletableFuture<WriteOutcome> append) {
      try {
        WriteOutcome outcome = append.join();
        ended.add(new Ended(writer.array().id(), writer.epoch(), note, begun, outcome));
        if (outcome instanceof WriteOutcome.Written written
            && writer.view().version().compareTo(written.version()) < 0) {
          stage.broken("Writer", "the view is older than an append that has ended");
        }
        stage.count(outcome instanceof WriteOutcome.Written ? "batch" : "batch of a fenced writer");
      } catch (CompletionException failed) {
        if (!(failed.getCause() instanceof CorfuException)) {
          throw failed;
        }
        stage.count("batch, failed");
      }
    }

    /** Returns changes of single bytes, which make a map of several pages. */
    private List<RangeChange> scattered() {
      List<RangeChange> changes = new ArrayList<>();
      for (int i = 0; i < SCATTERED; i++) {
        long offset = chance.nextInt(DISK_BYTES);
        ByteBuffer data = ByteBuffer.wrap(new byte[] {(byte) chance.nextInt()});
        changes.add(new RangeChange.Write(offset, data));
      }
      stage.count("scattered batch");
      return changes;
    }

    private List<RangeChange> changes() {
      if (chance.nextInt(8) == 0) {
        return scattered();
      }
      List<RangeChange> changes = new ArrayList<>();
      int count = 1 + chance.nextInt(chance.nextInt(5) == 0 ? 60 : 4);
      for (int i = 0; i < count; i++) {
        long offset = chance.nextInt(DISK_BYTES);
        byte[] data = new byte[1 + chance.nextInt(60)];
        chance.nextBytes(data);
        changes.add(
            switch (chance.nextInt(8)) {
              case 0 -> new RangeChange.Punch(offset, data.length);
              case 1 -> new RangeChange.Resize(offset);
              default -> new RangeChange.Write(offset, ByteBuffer.wrap(data));
            });
      }
      return changes;
    }
  }

  /** Compares the outcomes with the effects. */
  void check(BytesModel model) {
    Set<ByteBuffer> effective = new HashSet<>();
    for (StreamId disk : disks()) {
      for (long address : model.entriesBelow(disk, Long.MAX_VALUE)) {
        BytesModel.Content content = model.at(disk, address + 1);
        if (content.change() == address) {
          effective.add(content.note());
        }
      }
    }
    for (Ended one : ended) {
      switch (one.outcome()) {
        case WriteOutcome.Written(var version) -> {
          BytesModel.Content then = model.at(one.stream(), version.value());
          if (then.change() != version.value() - 1 || !then.note().equals(one.note())) {
            stage.broken("Writer", "an acknowledged change has no effect: " + one);
          }
        }
        case WriteOutcome.Fenced fenced -> {
          if (effective.contains(one.note())) {
            stage.broken("Writer", "a change has an effect although it was fenced: " + one);
          }
        }
      }
    }
    checkOrder();
  }

  private void checkOrder() {
    for (Taken later : taken) {
      for (Ended one : ended) {
        if (one.outcome() instanceof WriteOutcome.Written
            && one.stream().equals(later.stream())
            && one.epoch() < later.epoch()
            && one.invoked() > later.returned()) {
          stage.broken("Writer", "%s began after %s".formatted(one, later));
        }
      }
    }
  }
}
