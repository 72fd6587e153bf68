package corfu.sim.workload.object;

import corfu.objects.tango.TangoObject;
import corfu.objects.tango.TangoOptions;
import corfu.objects.tango.TangoRuntime;
import corfu.protocol.Address;
import corfu.protocol.StreamId;
import corfu.runtime.Corfu;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Two registers of Tango's interface, whose sum no transaction changes. Some clients host both.
 * Others host only the second one, so they have to be told which transactions commit.
 */
final class TangoPair {

  /** Timeouts that the simulated network's delays exceed in some runs, and not in others. */
  private static final TangoOptions OPTIONS =
      new TangoOptions(Duration.ofMillis(50), Duration.ofMillis(300));

  private final TangoRuntime runtime;
  private final Register first = new Register(false);
  private final Register second = new Register(true);
  private final StreamId firstId = StreamId.named("tango first");
  private final StreamId secondId = StreamId.named("tango second");

  private static final class Register implements TangoObject {
    private final boolean isShared;
    private int state;

    Register(boolean isShared) {
      this.isShared = isShared;
    }

    @Override
    public void apply(ByteBuffer update, Address address) {
      state = update.getInt();
    }

    @Override
    public boolean isShared() {
      return isShared;
    }

    @Override
    public ByteBuffer save() {
      return bytes(state);
    }

    @Override
    public void load(ByteBuffer checkpoint) {
      state = checkpoint.getInt();
    }
  }

  TangoPair(Corfu corfu, boolean hasBoth) {
    this.runtime = TangoRuntime.over(corfu, OPTIONS);
    if (hasBoth) {
      runtime.register(firstId, first);
    }
    runtime.register(secondId, second);
  }

  private static ByteBuffer bytes(int value) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(value).flip();
  }

  /**
   * Moves an amount from the first register to the second one.
   *
   * @param saw receives the values read, before the transaction ends
   */
  boolean move(int amount, Consumer<List<Integer>> saw) {
    return inTransaction(
            () -> {
              List<Integer> seen = seen();
              saw.accept(seen);
              runtime.updateHelper(firstId, bytes(seen.get(0) - amount));
              runtime.updateHelper(secondId, bytes(seen.get(1) + amount));
              return seen;
            })
        .isPresent();
  }

  /** Returns both values, or empty if they changed meanwhile. */
  Optional<List<Integer>> both() {
    return inTransaction(this::seen);
  }

  private List<Integer> seen() {
    return List.of(
        runtime.queryHelper(firstId, () -> first.state),
        runtime.queryHelper(secondId, () -> second.state));
  }

  private Optional<List<Integer>> inTransaction(Supplier<List<Integer>> body) {
    runtime.beginTx();
    boolean isDone = false;
    List<Integer> seen;
    try {
      seen = body.get();
      isDone = true;
    } finally {
      if (!isDone) {
        runtime.abortTx();
      }
    }
    return runtime.endTx() ? Optional.of(seen) : Optional.empty();
  }

  int second() {
    return runtime.queryHelper(secondId, () -> second.state);
  }

  void checkpoint() {
    Address unused = runtime.checkpoint(secondId);
  }
}
