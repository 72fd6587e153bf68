package corfu.smr;

import static java.nio.charset.StandardCharsets.UTF_8;

import corfu.protocol.Address;
import corfu.runtime.AppendOutcomeUnknownException;
import corfu.runtime.CorfuException;
import corfu.sim.application.Application;
import corfu.sim.application.ApplicationClient;
import corfu.sim.application.ApplicationContext;
import corfu.sim.application.ApplicationRun;
import corfu.sim.history.CollectionHistory;
import corfu.sim.history.CollectionHistory.Done;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Clients of one state machine, of which each process has a replica. All machines go through the
 * same states; what they answer is linearizable.
 */
final class ReplicaPlay implements ApplicationRun {

  static final Application APPLICATION = ReplicaPlay::new;

  private static final String NAME = "simulated";
  private static final int REGISTERS = 3;
  private static final int BURST_MAX = 8;
  private static final long THINK_NANOS_MAX = 300_000_000L;

  private final ApplicationContext stage;
  private final CollectionHistory<List<Long>> all;
  private final Map<Long, Long> states = new HashMap<>(); // digests, by commands carried out
  private final Map<Address, State> past = new TreeMap<>();
  private final Map<Long, CompletableFuture<byte[]>> ordered = new HashMap<>(); // by their numbers

  /** After so many commands. */
  private record State(long commands, long digest) {}

  private ReplicaPlay(ApplicationContext stage) {
    this.stage = stage;
    this.all = new CollectionHistory<>("machine", List.of(0L, 0L, 0L), stage);
  }

  /** Swaps what registers hold, and refuses now and then. */
  private final class Registers implements StateMachine {

    private final long[] registers = new long[REGISTERS];
    private final Map<Long, Long> newest = new TreeMap<>(); // ordered commands, by submitters
    private long commands;
    private long digest;

    @Override
    public byte[] apply(Command command) {
      String[] words = UTF_8.decode(command.body()).toString().split(" ");
      if (words[0].equals("next")) {
        return applyOrdered(Long.parseLong(words[1]), Long.parseLong(words[2]));
      }
      int register = Integer.parseInt(words[0]);
      if (words[1].equals("no")) {
        throw new IllegalArgumentException("no is no value");
      }
      if (command.index() > 0) {
        stage.count("command that shares an entry");
      }
      long before = registers[register];
      registers[register] = Long.parseLong(words[1]);
      applied(7 * register + registers[register]);
      return Long.toString(before).getBytes(UTF_8);
    }

    /** Applies the next command of a submitter that has one entry in flight at a time. */
    private byte[] applyOrdered(long submitter, long number) {
      long before = newest.getOrDefault(submitter, 0L);
      if (number <= before) {
        stage.count("command behind a later one");
        if (!isUnknown(ordered.get(number))) {
          stage.broken("Order", "command %d was applied behind %d".formatted(number, before));
        }
      }
      newest.put(submitter, Math.max(before, number));
      applied(number);
      return new byte[0];
    }

    private void applied(long change) {
      commands++;
      digest = 31 * digest + change;
      isSameEverywhere(state());
    }

    private State state() {
      return new State(commands, digest);
    }

    private List<Long> values() {
      return Arrays.stream(registers).boxed().toList();
    }

    @Override
    public Saved save() {
      long[] then = registers.clone();
      State state = state();
      Map<Long, Long> order = Map.copyOf(newest);
      return out -> write(then, state, order, out);
    }

    private void write(long[] then, State state, Map<Long, Long> order, DataOutput out)
        throws IOException {
      for (long value : then) {
        out.writeLong(value);
      }
      out.writeLong(state.commands());
      out.writeLong(state.digest());
      out.writeInt(order.size());
      for (Map.Entry<Long, Long> submitter : order.entrySet()) {
        out.writeLong(submitter.getKey());
        out.writeLong(submitter.getValue());
      }
    }

    @Override
    public void load(DataInput in) throws IOException {
      for (int i = 0; i < REGISTERS; i++) {
        registers[i] = in.readLong();
      }
      commands = in.readLong();
      digest = in.readLong();
      for (int i = in.readInt(); i > 0; i--) {
        newest.put(in.readLong(), in.readLong());
      }
    }
  }

  /** Whether the submitter knows by now that the outcome of its command is unknown. */
  private static boolean isUnknown(@Nullable CompletableFuture<byte[]> answer) {
    if (answer == null || !answer.isCompletedExceptionally()) {
      return false;
    }
    return switch (answer.exceptionNow()) {
      case AppendOutcomeUnknownException unknown -> true;
      case CommandOutcomeUnknownException unknown -> true;
      default -> false;
    };
  }

  private void isSameEverywhere(State state) {
    Long before = states.putIfAbsent(state.commands(), state.digest());
    if (before != null && before != state.digest()) {
      stage.broken("Replicas", "after %d commands two differ".formatted(state.commands()));
    }
  }

  private void sawAt(String who, Address at, State state) {
    State before = past.putIfAbsent(at, state);
    if (before != null && !before.equals(state)) {
      stage.broken("Replicas", "%s saw at %s %s, but it was %s".formatted(who, at, state, before));
    }
  }

  @Override
  public Consumer<ApplicationClient> enter(ApplicationClient process) {
    RandomGenerator chance = process.chance();
    SmrOptions options =
        SmrOptions.DEFAULT
            .withBatches(1 + chance.nextInt(6), 40 + chance.nextInt(200), 1 + chance.nextInt(3))
            .withFollow(follow(chance))
            .withCheckpointEvery(chance.nextInt(20))
            .withKeepCheckpoints(chance.nextInt(4));
    var replica = StateMachineReplica.open(process.corfu(), NAME, Registers::new, options);
    return seat -> new Client(seat, replica, options).run();
  }

  private static Follow follow(RandomGenerator chance) {
    Duration every = Duration.ofMillis(1 + chance.nextInt(200));
    return chance.nextBoolean() ? Follow.poll(every) : Follow.push(every);
  }

  /** One thread. */
  private final class Client {

    private final ApplicationClient seat;
    private final RandomGenerator chance;
    private final StateMachineReplica<Registers> replica;
    private final boolean isOrdered;
    private final long submitter = stage.newValue();

    Client(ApplicationClient seat, StateMachineReplica<Registers> replica, SmrOptions options) {
      this.seat = seat;
      this.chance = seat.chance();
      this.replica = replica;
      this.isOrdered = options.maxBatchesInFlight() == 1;
    }

    void run() {
      while (!seat.isOver().getAsBoolean()) {
        try {
          doSomething();
        } catch (CorfuException | CommandOutcomeUnknownException failed) {
          stage.count("call, failed");
        } catch (HistoryForgottenException forgotten) {
          stage.count("call, overtaken by what others forgot");
        } catch (RuntimeException failure) {
          stage.unexpected(seat.name(), failure);
        }
        long most = chance.nextLong(1, THINK_NANOS_MAX);
        seat.world().pause(Duration.ofNanos(chance.nextLong(most)));
      }
    }

    private void doSomething() {
      switch (chance.nextInt(isOrdered ? 15 : 12)) {
        case 0, 1, 2 -> swap(chance.nextInt(REGISTERS), stage.newValue());
        case 3, 4 -> burst();
        case 5 -> refused();
        case 6, 7, 8 -> all.read("read", () -> replica.read(Registers::values), model -> model);
        case 9 -> {
          Address of = replica.checkpoint();
          sawAt(seat.name(), of, replica.at(of).state());
          stage.count("checkpoint");
        }
        case 10 -> lookBack();
        case 12, 13, 14 -> inOrder();
        default -> {
          if (chance.nextInt(3) == 0 && !past.isEmpty()) {
            var unused = replica.forget(somePast());
            stage.count("forget");
          }
        }
      }
    }

    private void swap(int register, long value) {
      try {
        all.change(
            "swap",
            () -> {
              byte[] command = (register + " " + value).getBytes(UTF_8);
              return Long.valueOf(new String(replica.submit(command), UTF_8));
            },
            before -> {
              List<Long> after = new ArrayList<>(before);
              return new Done<>(after.set(register, value), List.copyOf(after));
            });
      } catch (HistoryForgottenException | CommandOutcomeUnknownException lost) {
        stage.count("swap, answer lost"); // it was carried out, or is still to be
      }
    }

    /** Several at the same time, which share entries. */
    private void burst() {
      List<CompletableFuture<Void>> ends = new ArrayList<>();
      for (int i = 1 + chance.nextInt(BURST_MAX); i > 0; i--) {
        CompletableFuture<Void> end = new CompletableFuture<>();
        ends.add(end);
        int register = chance.nextInt(REGISTERS);
        long value = stage.newValue();
        var unused =
            seat.world()
                .start(
                    seat.name() + " burst",
                    () -> {
                      try {
                        swap(register, value);
                      } catch (RuntimeException failure) {
                        stage.unexpected(seat.name(), failure);
                      }
                      end.complete(null);
                    });
      }
      ends.forEach(CompletableFuture::join);
      stage.count("burst");
    }

    /** Several in a row, without waiting for answers; the last one on this thread. */
    private void inOrder() {
      List<CompletableFuture<byte[]>> answers = new ArrayList<>();
      for (int i = chance.nextInt(BURST_MAX); i > 0; i--) {
        long number = stage.newValue();
        CompletableFuture<byte[]> answer = replica.submitAsync(ByteBuffer.wrap(next(number)));
        ordered.put(number, answer);
        answers.add(answer);
      }
      long last = stage.newValue();
      try {
        ordered.put(last, CompletableFuture.completedFuture(replica.submit(next(last))));
      } catch (RuntimeException failure) {
        ordered.put(last, CompletableFuture.failedFuture(failure));
      }
      answers.add(ordered.get(last));
      for (CompletableFuture<byte[]> answer : answers) {
        try {
          var unused = answer.join();
          stage.count("command in order");
        } catch (CompletionException failure) {
          failedInOrder(failure.getCause());
        }
      }
    }

    private void failedInOrder(Throwable failure) {
      switch (failure) {
        case CorfuException away -> stage.count("command in order, failed");
        case CommandOutcomeUnknownException late -> stage.count("command in order, failed");
        case HistoryForgottenException lost -> stage.count("command in order, answer lost");
        default -> stage.unexpected(seat.name(), failure);
      }
    }

    private byte[] next(long number) {
      return "next %d %d".formatted(submitter, number).getBytes(UTF_8);
    }

    private void refused() {
      try {
        byte[] answer = replica.submit("0 no".getBytes(UTF_8));
        stage.broken("Replicas", "a machine refused, but answered " + new String(answer, UTF_8));
      } catch (CommandFailedException asItShould) {
        stage.count("refusal");
      }
    }

    private void lookBack() {
      if (!past.isEmpty()) {
        Address at = somePast();
        try {
          sawAt(seat.name(), at, replica.at(at).state());
          stage.count("look at the past");
        } catch (IllegalArgumentException beyond) {
          if (stage.isUpToDate()) { // otherwise it may not have heard of it
            throw beyond;
          }
        }
      }
    }

    private Address somePast() {
      List<Address> addresses = List.copyOf(past.keySet());
      return addresses.get(chance.nextInt(addresses.size()));
    }
  }

  @Override
  public void audit(ApplicationClient auditor) {
    try (var replica =
        StateMachineReplica.open(auditor.corfu(), NAME, Registers::new, SmrOptions.DEFAULT)) {
      all.read("at last", () -> replica.read(Registers::values), model -> model);
      isSameEverywhere(replica.read(Registers::state));
      for (Address at : List.copyOf(past.keySet())) {
        try {
          sawAt(auditor.name(), at, replica.at(at).state());
        } catch (HistoryForgottenException forgotten) {
          stage.count("past, forgotten");
        }
      }
    }
  }

  @Override
  public void check() {
    if (stage.isUpToDate()) {
      all.check(stage);
    }
  }
}
