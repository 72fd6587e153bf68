package corfu.proof.cluster;

import corfu.protocol.Address;
import corfu.runtime.Log;
import corfu.sim.history.Payloads;
import corfu.sim.history.RecordedCall.Call;
import corfu.sim.history.RecordedCall.Outcome;
import corfu.sim.workload.Registers;
import corfu.world.World;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;

/** One thread of an application on a real cluster. It calls the log in all ways, repeatedly. */
public final class RealClient {

  private static final int RANGE_MAX = 30;
  private static final int PADDING_MAX = 2_000;
  private static final int THINK_MILLIS_MAX = 30;

  private final RealHistory history;
  private final World world;
  private final Log log;
  private final Registers registers;
  private final String name;
  private final SplittableRandom chance;
  private int appends;
  private long tail;

  /**
   * @param name the name of the process, a point, and the name of the thread
   */
  public RealClient(RealHistory history, World world, Log log, String name, long seed) {
    this.history = history;
    this.world = world;
    this.log = log;
    this.registers = new Registers(log);
    this.name = name;
    this.chance = new SplittableRandom(seed);
  }

  /** Makes calls until {@code over} returns true. */
  public void run(BooleanSupplier over) {
    while (!over.getAsBoolean()) {
      doSomething();
      world.pause(Duration.ofMillis(chance.nextInt(THINK_MILLIS_MAX)));
    }
  }

  private void doSomething() {
    int dice = chance.nextInt(100);
    if (dice < 40) {
      append(nextName());
    } else if (dice < 50) {
      append(Registers.written(nextName(), chance.nextInt(Registers.COUNT)));
    } else if (dice < 56) {
      Call.ReadRegister call = new Call.ReadRegister(chance.nextInt(Registers.COUNT));
      history.run(name, call, () -> registers.read(call));
    } else if (dice < 74) {
      long address = nearTail();
      Call call = new Call.Read(List.of(address));
      history.run(name, call, () -> RealHistory.saw(List.of(log.read(new Address(address)))));
    } else if (dice < 88) {
      readRange(nearTail());
    } else if (dice < 95) {
      askTail();
    } else if (dice < 98) {
      fill();
    } else if (tail > 0) {
      trim(Math.min(nearTail(), tail - 1)); // the log refuses to trim beyond the tail
    }
  }

  private String nextName() {
    return name + "#" + appends++;
  }

  private void append(String payload) {
    byte[] bytes = Payloads.of(payload, chance.nextInt(PADDING_MAX));
    history.run(
        name,
        new Call.Append(payload),
        () -> {
          Address address = log.append(bytes);
          tail = Math.max(tail, address.value() + 1);
          return new Outcome.Appended(address.value());
        });
  }

  private long nearTail() {
    long back = chance.nextInt(4) == 0 ? chance.nextLong(tail + 1) : chance.nextInt(10);
    return Math.max(0, tail - back + chance.nextInt(3));
  }

  private void readRange(long to) {
    long from = Math.max(0, to - chance.nextInt(RANGE_MAX));
    List<Long> addresses = LongStream.range(from, to).boxed().toList();
    Call call = new Call.Read(addresses);
    history.run(name, call, () -> RealHistory.saw(log.read(new Address(from), new Address(to))));
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

  private void fill() {
    if (tail > 0) {
      long address = tail - 1 - chance.nextInt((int) Math.min(tail, 5));
      Call call = new Call.Fill(address);
      history.run(name, call, () -> RealHistory.saw(List.of(log.fill(new Address(address)))));
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
}
