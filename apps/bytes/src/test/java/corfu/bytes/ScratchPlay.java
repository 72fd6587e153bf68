package corfu.bytes;

import corfu.protocol.StreamId;
import corfu.runtime.AppendOutcomeUnknownException;
import corfu.runtime.CorfuException;
import corfu.sim.application.ApplicationClient;
import corfu.sim.application.ApplicationContext;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.random.RandomGenerator;

/**
 * Writers of an array whose overwritten bytes are trimmed all the time. Each write fills a block
 * with a value of its own. A block holds the value of a write unless another one that began later
 * has been acknowledged.
 */
final class ScratchPlay {

  private static final StreamId SCRATCH = StreamId.named("scratch");
  private static final int BLOCKS = 8;
  private static final int BLOCK_BYTES = 64;

  /** Much is trimmed and moved in little time. */
  private static final ReclaimOptions OPTIONS =
      ReclaimOptions.DEFAULT.withSlackBytes(500).withMoveBytes(4 << 10);

  /** A write of a block; until it has ended, it has ended in the far future. */
  private static final class Write {

    final int block;
    final long invoked;
    long ended = Long.MAX_VALUE;
    boolean isAcknowledged;
    boolean isWithoutEffect;

    Write(int block, long invoked) {
      this.block = block;
      this.invoked = invoked;
    }
  }

  private final ApplicationContext stage;
  private final Map<Long, Write> writes = new HashMap<>(); // by their values

  ScratchPlay(ApplicationContext stage) {
    this.stage = stage;
  }

  /** The writer and the reclaimer of one thread of a client. */
  final class Writers {

    private final RandomGenerator chance;
    private final BytesStore store;
    private Optional<ArrayWriter> writer = Optional.empty();
    private Optional<SpaceReclaimer> reclaimer = Optional.empty();

    Writers(ApplicationClient seat, BytesStore store) {
      this.chance = seat.chance();
      this.store = store;
    }

    void act() {
      if (writer.isEmpty() || writer.get().fencedBy().isPresent()) {
        reclaimer.ifPresent(SpaceReclaimer::close);
        writer = Optional.empty();
        ArrayWriter taken = ArrayWriter.takeOver(store.open(SCRATCH), ByteBuffer.allocate(0));
        writer = Optional.of(taken);
        reclaimer = Optional.of(SpaceReclaimer.of(taken, OPTIONS, List.of()));
      }
      ArrayWriter known = writer.get();
      for (int i = 0; i < 5; i++) {
        write(known);
      }
      if (chance.nextBoolean() && reclaimer.get().step()) {
        stage.count("reclaim");
      }
      read(known.view());
    }

    private void write(ArrayWriter to) {
      int count = 1 + chance.nextInt(3);
      List<RangeChange> changes = new ArrayList<>();
      List<Write> together = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        int block = (chance.nextInt(BLOCKS / count) * count) + i; // each once
        long value = stage.newValue();
        Write write = new Write(block, stage.now());
        writes.put(value, write);
        together.add(write);
        ByteBuffer data = ByteBuffer.allocate(BLOCK_BYTES);
        while (data.hasRemaining()) {
          data.putLong(value);
        }
        changes.add(new RangeChange.Write((long) block * BLOCK_BYTES, data.flip()));
      }
      try {
        WriteOutcome outcome = to.append(changes, ByteBuffer.allocate(0)).join();
        for (Write write : together) {
          write.ended = stage.now();
          write.isAcknowledged = outcome instanceof WriteOutcome.Written;
          write.isWithoutEffect = outcome instanceof WriteOutcome.Fenced;
        }
      } catch (CompletionException failed) {
        if (!(failed.getCause() instanceof CorfuException)) {
          throw failed;
        }
        boolean mayHappen = failed.getCause() instanceof AppendOutcomeUnknownException;
        together.forEach(write -> write.isWithoutEffect = !mayHappen);
      }
    }

    private void read(BytesView view) {
      if (writer.get().fencedBy().isPresent()) {
        return; // its successor may have trimmed what it sees
      }
      long begun = stage.now();
      try {
        check("a writer", view, view.version().value(), begun, false);
      } catch (VersionForgottenException trimmed) {
        stage.count("read after a trim"); // by a successor of which it has not heard
      }
    }
  }

  /** Checks the newest version that a new client reads. */
  void audit(BytesStore store) {
    long begun = stage.now();
    BytesView view = store.open(SCRATCH).newest();
    check("a new client", view, view.version().value(), begun, true);
  }

  private void check(String who, BytesView view, long version, long begun, boolean isNewest) {
    ByteBuffer read = view.read(0, BLOCKS * BLOCK_BYTES);
    for (int block = 0; block < BLOCKS; block++) {
      long value = read.limit() < (block + 1) * BLOCK_BYTES ? 0 : read.getLong(block * BLOCK_BYTES);
      for (int at = block * BLOCK_BYTES; value != 0 && at < (block + 1) * BLOCK_BYTES; at += 8) {
        if (read.getLong(at) != value) {
          stage.broken("Scratch", "%s reads a torn block %d".formatted(who, block));
        }
      }
      check(who, block, value, version, begun, isNewest);
    }
  }

  private void check(
      String who, int block, long value, long version, long begun, boolean isNewest) {
    Write seen = writes.get(value);
    if (value != 0 && (seen == null || seen.block != block || seen.isWithoutEffect)) {
      stage.broken(
          "Scratch",
          "%s reads %d in block %d at version %d, which no writer has put there"
              .formatted(who, value, block, version));
      return;
    }
    long ended = seen == null ? -1 : seen.ended;
    for (Write other : writes.values()) {
      if (isNewest
          && other.block == block
          && other.isAcknowledged
          && other.ended < begun
          && other.invoked > ended) {
        stage.broken(
            "Scratch",
            "%s reads %d in block %d at version %d, but a later write was acknowledged"
                .formatted(who, value, block, version));
        return;
      }
    }
  }
}
