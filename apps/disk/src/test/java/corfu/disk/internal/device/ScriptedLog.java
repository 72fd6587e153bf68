package corfu.disk.internal.device;

import corfu.bytes.Owner;
import corfu.bytes.RangeChange;
import corfu.bytes.WriteOutcome;
import corfu.protocol.Address;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** A log in which entries end as a test says. Not thread-safe. */
final class ScriptedLog implements DiskLog {

  /** An entry that is in flight. */
  final class Entry {

    private final List<RangeChange> changes;
    private final CompletableFuture<WriteOutcome> outcome = new CompletableFuture<>();

    Entry(List<RangeChange> changes) {
      this.changes = changes;
    }

    List<RangeChange> changes() {
      return changes;
    }

    /** The entry is in the log, and the writer learns it. */
    void succeed() {
      apply();
      outcome.complete(new WriteOutcome.Written(new Address(next)));
    }

    /** The entry gets into the log, but the writer does not learn it. */
    void apply() {
      remove();
      applyAll(changes);
    }

    void fail(RuntimeException failure) {
      remove();
      outcome.completeExceptionally(failure);
    }

    void fence(Owner by) {
      remove();
      outcome.complete(new WriteOutcome.Fenced(by));
    }

    private void remove() {
      inFlight.remove(this);
    }
  }

  private final byte[] bytes;
  private final long[] addresses; // of the entries that hold the bytes, or -1
  private final List<Entry> inFlight = new ArrayList<>();
  private final List<Consumer<Owner>> receivers = new ArrayList<>();
  private long next;
  private boolean isReleased;

  ScriptedLog(int size) {
    bytes = new byte[size];
    addresses = new long[size];
    Arrays.fill(addresses, -1);
  }

  private void applyAll(List<RangeChange> changes) {
    for (RangeChange change : changes) {
      switch (change) {
        case RangeChange.Write(long offset, ByteBuffer data) -> {
          int length = data.remaining();
          data.duplicate().get(bytes, (int) offset, length);
          Arrays.fill(addresses, (int) offset, (int) offset + length, next);
        }
        case RangeChange.Punch(long offset, long length) -> {
          Arrays.fill(bytes, (int) offset, (int) (offset + length), (byte) 0);
          Arrays.fill(addresses, (int) offset, (int) (offset + length), -1);
        }
        case RangeChange.Resize resize -> throw new IllegalArgumentException("no such entry here");
      }
    }
    next++;
  }

  /** Returns the entries that have not ended, the oldest first. */
  List<Entry> inFlight() {
    return List.copyOf(inFlight);
  }

  Entry only() {
    if (inFlight.size() != 1) {
      throw new AssertionError("one entry was to be in flight, not " + inFlight.size());
    }
    return inFlight.getFirst();
  }

  boolean isReleased() {
    return isReleased;
  }

  /** Returns what a server that starts now finds. */
  byte[] stored() {
    return bytes.clone();
  }

  void fence(Owner by) {
    receivers.forEach(receiver -> receiver.accept(by));
  }

  @Override
  public CompletableFuture<WriteOutcome> append(List<RangeChange> changes) {
    Entry entry = new Entry(changes);
    inFlight.add(entry);
    return entry.outcome;
  }

  @Override
  public DiskContent content() {
    byte[] then = bytes.clone();
    long[] places = addresses.clone();
    return new DiskContent() {
      @Override
      public ByteBuffer read(long offset, int length) {
        return ByteBuffer.wrap(then, (int) offset, length).slice();
      }

      @Override
      public List<DataRange> ranges(long from, long to, int most) {
        List<DataRange> found = new ArrayList<>();
        int at = (int) from;
        while (at < to && found.size() < most) {
          int end = at + 1;
          while (end < to && places[end] == places[at]) {
            end++;
          }
          if (places[at] >= 0) {
            found.add(new DataRange(at, end - at, places[at], at));
          }
          at = end;
        }
        return found;
      }
    };
  }

  @Override
  public long epoch() {
    return 1;
  }

  @Override
  public void onFenced(Consumer<Owner> receiver) {
    receivers.add(receiver);
  }

  @Override
  public void release() {
    isReleased = true;
  }
}
