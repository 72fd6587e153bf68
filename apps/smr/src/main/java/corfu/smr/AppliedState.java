package corfu.smr;

import corfu.protocol.Address;
import corfu.protocol.StreamAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A state machine with the commands that it has applied so far. Its lock keeps readers and the
 * thread that applies apart. Thread-safe; one thread at a time applies entries and loads
 * checkpoints.
 */
final class AppliedState<M extends StateMachine> {

  private final String name;
  private final Supplier<M> machines;
  private final CheckpointSchedule schedule; // guarded by the lock, but for carryOut
  private final ReentrantLock lock = new ReentrantLock();
  private M machine;
  private Address played = new Address(0);
  private volatile StreamAddress next = StreamAddress.ZERO;

  /**
   * The state at one moment.
   *
   * @param before the log address behind the last applied entry
   * @param resume the stream address of the first entry that is not applied
   */
  record Snapshot(StateMachine.Saved saved, Address before, StreamAddress resume) {}

  AppliedState(String name, Supplier<M> machines, CheckpointSchedule schedule) {
    this.name = name;
    this.machines = machines;
    this.schedule = schedule;
    lock.lock();
    try {
      this.machine = machines.get();
      machine.installed();
    } finally {
      lock.unlock();
    }
  }

  CheckpointSchedule schedule() {
    return schedule;
  }

  /** Returns the stream address of the first entry that is not applied. Does not lock. */
  StreamAddress next() {
    return next;
  }

  Address played() {
    lock.lock();
    try {
      return played;
    } finally {
      lock.unlock();
    }
  }

  <R> R ask(Function<M, R> question) {
    lock.lock();
    try {
      return question.apply(machine);
    } finally {
      lock.unlock();
    }
  }

  /** Runs the action if no other thread uses the state. Returns its result, or false. */
  boolean ifFree(BooleanSupplier action) {
    if (!lock.tryLock()) {
      return false;
    }
    try {
      return action.getAsBoolean();
    } finally {
      lock.unlock();
    }
  }

  Snapshot save() {
    lock.lock();
    try {
      var snapshot = new Snapshot(machine.save(), played, next);
      schedule.isDone(played);
      return snapshot;
    } finally {
      lock.unlock();
    }
  }

  /** Returns {@link CheckpointSchedule#due} once, and begins to count anew. */
  Optional<Address> takeDueCheckpoint() {
    lock.lock();
    try {
      Optional<Address> due = schedule.due(played);
      if (due.isPresent()) {
        schedule.isDone(played);
      }
      return due;
    } finally {
      lock.unlock();
    }
  }

  /** Replaces the state by a checkpoint. */
  void become(Checkpoint checkpoint, MachineCheckpoints checkpoints) {
    M fresh = machines.get();
    checkpoints.load(checkpoint, fresh);
    lock.lock();
    try {
      machine = fresh;
      fresh.installed();
      played = checkpoint.before();
      next = checkpoint.resume();
      schedule.knows(checkpoint);
      schedule.isDone(played);
    } finally {
      lock.unlock();
    }
  }

  /** Applies an entry that says with which state the machine began. */
  void begin(StreamAddress at, Address address, Checkpoint seed, MachineCheckpoints checkpoints) {
    Address before = new Address(address.value() + 1);
    StreamAddress resume = new StreamAddress(at.value() + 1);
    become(
        new Checkpoint(before, resume, seed.firstPart(), seed.bytes(), seed.parts()), checkpoints);
  }

  /**
   * Applies the commands of an entry.
   *
   * @param waiting the submitters' futures, one for each command; empty for another client's entry
   * @return the tasks that reply to the submitters, to be run once readers see the state
   */
  List<Runnable> apply(
      StreamAddress at,
      Address address,
      ByteBuffer payload,
      List<CompletableFuture<byte[]>> waiting) {
    List<Runnable> replies = new ArrayList<>(waiting.size());
    lock.lock();
    try {
      CommandBatch.forEach(address, payload, command -> replies.add(apply(command, waiting)));
      played = new Address(address.value() + 1);
      next = new StreamAddress(at.value() + 1);
      schedule.played(replies.size(), payload.remaining());
    } catch (Error fatal) {
      waiting.forEach(answer -> answer.completeExceptionally(died(name, fatal)));
      throw fatal;
    } finally {
      lock.unlock();
    }
    return replies;
  }

  private Runnable apply(Command command, List<CompletableFuture<byte[]>> waiting) {
    try {
      byte[] result = machine.apply(command);
      return waiting.isEmpty() ? () -> {} : () -> waiting.get(command.index()).complete(result);
    } catch (RuntimeException refused) {
      var failure = new CommandFailedException(command, refused);
      return waiting.isEmpty()
          ? () -> {}
          : () -> waiting.get(command.index()).completeExceptionally(failure);
    }
  }

  static IllegalStateException died(String name, Error fatal) {
    return new IllegalStateException("the replica of " + name + " died: " + fatal, fatal);
  }
}
