package corfu.disk;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The rules of a disk with a volatile cache, one writer at a time, and take-overs. Each write has a
 * value of its own in each block. A value may be seen unless a later write must have replaced it,
 * or the writer was fenced before it began.
 */
final class DiskModel {

  /** The value of a block that was trimmed, or never written. */
  static final long ZEROS = 0;

  private static final long NEVER = Long.MAX_VALUE;
  private static final Write INITIAL = new Write(-1, -1, ZEROS, -1);

  /** A write of one block. */
  static final class Write {

    private final long epoch;
    private final int block;
    private final long value;
    private final long invoked;
    private long acknowledged = NEVER;
    private long durable = NEVER;

    Write(long epoch, int block, long value, long invoked) {
      this.epoch = epoch;
      this.block = block;
      this.value = value;
      this.invoked = invoked;
    }

    /** Returns whether this write came behind the other one for certain. */
    private boolean replaces(Write other) {
      return epoch > other.epoch || (epoch == other.epoch && other.acknowledged < invoked);
    }

    @Override
    public String toString() {
      return "write of %d to block %d in epoch %d, begun at %d, acknowledged at %d, durable at %d"
          .formatted(value, block, epoch, invoked, acknowledged, durable);
    }
  }

  private record Opened(long epoch, long returned) {}

  private final List<Write> writes = new ArrayList<>();
  private final List<Opened> opened = new ArrayList<>();

  /** A server has the disk since {@code now}. */
  void opened(long epoch, long now) {
    opened.add(new Opened(epoch, now));
  }

  Write begin(long epoch, int block, long value, long now) {
    Write write = new Write(epoch, block, value, now);
    writes.add(write);
    return write;
  }

  void acknowledge(Write write, long now) {
    write.acknowledged = Math.min(write.acknowledged, now);
  }

  void isDurable(Write write, long now) {
    acknowledge(write, now);
    write.durable = Math.min(write.durable, now);
  }

  /** A flush that was begun at one time has ended at another. */
  void flushed(long epoch, long invoked, long now) {
    writes.stream()
        .filter(write -> write.epoch == epoch && write.acknowledged < invoked)
        .forEach(write -> isDurable(write, now));
  }

  /** Returns why a block must not have a value in a read of some epoch; empty if it may. */
  Optional<String> check(int block, long value, long epoch, long invoked, long returned) {
    List<Write> candidates =
        new ArrayList<>(
            writes.stream().filter(one -> one.block == block && one.value == value).toList());
    if (value == ZEROS) {
      candidates.add(INITIAL);
    }
    String problem = "nobody has written it";
    for (Write candidate : candidates) {
      Optional<String> its = check(candidate, block, epoch, invoked, returned);
      if (its.isEmpty()) {
        if (candidate != INITIAL && candidates.size() == 1 && candidate.epoch < epoch) {
          isDurable(candidate, returned); // it was read from the log
        }
        return its;
      }
      problem = its.get();
    }
    return Optional.of(problem);
  }

  private Optional<String> check(Write write, int block, long epoch, long invoked, long returned) {
    if (write.epoch > epoch || write.invoked > returned) {
      return Optional.of("it is of the future: " + write);
    }
    for (Opened later : opened) {
      if (later.epoch() > write.epoch
          && later.epoch() <= epoch
          && write.invoked > later.returned()
          && write != INITIAL) {
        return Optional.of("%s began after %s".formatted(write, later));
      }
    }
    for (Write other : writes) {
      boolean isCertain =
          other.epoch == epoch
              ? other.acknowledged < invoked
              : other.epoch < epoch && other.durable < invoked;
      if (other.block == block && isCertain && other.replaces(write)) {
        return Optional.of("%s was replaced by %s".formatted(write, other));
      }
    }
    return Optional.empty();
  }
}
