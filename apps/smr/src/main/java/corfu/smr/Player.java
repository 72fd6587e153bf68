package corfu.smr;

import corfu.protocol.Address;
import corfu.protocol.StreamAddress;
import corfu.runtime.CorfuException;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.StreamReader;
import corfu.world.World;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Plays commands, on a thread of its own. Whoever wants to be sure that all is played waits
 * together with all others for the next question where the stream ends. Commands of this client are
 * not read again when nothing is between them and what was played.
 */
final class Player<M extends StateMachine> implements Proposer.Outcomes {

  /** A checkpoint may be given up while it is loaded, but hardly so many of them. */
  private static final int TRIES = 8;

  private static final Duration AFTER_A_FAILURE = Duration.ofMillis(20);

  private record Landed(Address address, ByteBuffer payload) {}

  private final String name;
  private final World world;
  private final LogStream commands;
  private final Checkpoints checkpoints;
  private final Supplier<M> machines;
  private final SmrOptions options;
  private Predicate<Batch.Name> isOwn = batch -> false;

  private final ReentrantLock door = new ReentrantLock();
  private final Condition rung = door.newCondition();
  private List<CompletableFuture<Void>> asking = new ArrayList<>();
  private final TreeMap<StreamAddress, Landed> landed = new TreeMap<>();
  private final Map<Long, List<CompletableFuture<byte[]>>> answers = new HashMap<>();
  private boolean isDue = true;
  private boolean isClosed;
  private Optional<RuntimeException> broken = Optional.empty();

  private final ReentrantLock stateLock = new ReentrantLock();
  private M machine;
  private Address played = new Address(0);
  private StreamAddress next = StreamAddress.ZERO;
  private Optional<StreamReader> reader = Optional.empty(); // none: begin with a checkpoint
  private int sinceCheckpoint;
  private final CompletableFuture<Void> ended = new CompletableFuture<>();

  Player(
      String name,
      World world,
      LogStream commands,
      Checkpoints checkpoints,
      Supplier<M> machines,
      SmrOptions options) {
    this.name = name;
    this.world = world;
    this.commands = commands;
    this.checkpoints = checkpoints;
    this.machines = machines;
    this.options = options;
    this.machine = machines.get();
  }

  void start(Predicate<Batch.Name> own) {
    isOwn = own;
    world.start("corfu-smr-" + name, this::playUntilClosed);
  }

  // -------------------------------------------------------------------------------- who asks

  /** Done when all that was complete before this call is played. */
  CompletableFuture<Void> synced() {
    CompletableFuture<Void> done = new CompletableFuture<>();
    door.lock();
    try {
      Optional<RuntimeException> over = over();
      if (over.isPresent()) {
        return CompletableFuture.failedFuture(over.get());
      }
      asking.add(done);
      rung.signal();
    } finally {
      door.unlock();
    }
    return done;
  }

  private Optional<RuntimeException> over() {
    return isClosed ? Optional.of(new ReplicaClosedException(name)) : broken;
  }

  <R> R ask(Function<M, R> question) {
    stateLock.lock();
    try {
      return question.apply(machine);
    } finally {
      stateLock.unlock();
    }
  }

  Address played() {
    stateLock.lock();
    try {
      return played;
    } finally {
      stateLock.unlock();
    }
  }

  Address checkpoint() {
    StateMachine.Saved saved;
    Address before;
    StreamAddress resume;
    stateLock.lock();
    try {
      saved = machine.save();
      before = played;
      resume = next;
      sinceCheckpoint = 0;
    } finally {
      stateLock.unlock();
    }
    return checkpoints.write(saved, before, resume).before();
  }

  void close() {
    List<CompletableFuture<?>> waiting = new ArrayList<>();
    door.lock();
    try {
      isClosed = true;
      waiting.addAll(asking);
      answers.values().forEach(waiting::addAll);
      asking = new ArrayList<>();
      answers.clear();
      rung.signal();
    } finally {
      door.unlock();
    }
    waiting.forEach(one -> one.completeExceptionally(new ReplicaClosedException(name)));
    ended.join();
  }

  // ------------------------------------------------------------------------- what is submitted

  @Override
  public void leaves(long number, List<CompletableFuture<byte[]>> waiting) {
    Optional<RuntimeException> over;
    door.lock();
    try {
      over = over();
      if (over.isEmpty()) {
        answers.put(number, waiting);
      }
    } finally {
      door.unlock();
    }
    over.ifPresent(why -> waiting.forEach(answer -> answer.completeExceptionally(why)));
  }

  @Override
  public void landed(long number, StreamAddress at, Address address, ByteBuffer payload) {
    door.lock();
    try {
      landed.put(at, new Landed(address, payload));
      rung.signal();
    } finally {
      door.unlock();
    }
  }

  @Override
  public void failed(long number, RuntimeException why) {
    answersTo(number).forEach(answer -> answer.completeExceptionally(why));
  }

  private List<CompletableFuture<byte[]>> answersTo(long number) {
    door.lock();
    try {
      List<CompletableFuture<byte[]>> waiting = answers.remove(number);
      return waiting == null ? List.of() : waiting;
    } finally {
      door.unlock();
    }
  }

  // --------------------------------------------------------------------------------- playing

  private void playUntilClosed() {
    try {
      while (true) {
        List<CompletableFuture<Void>> asked = awaitWork();
        if (isOver()) {
          return;
        }
        try {
          boolean mustLook = !playOwn() || !asked.isEmpty() || isDueNow();
          if (mustLook) {
            playAll();
          }
          asked.forEach(one -> one.complete(null));
          checkpointIfDue();
        } catch (CorfuException away) { // later, perhaps
          asked.forEach(one -> one.completeExceptionally(away));
          world.pause(AFTER_A_FAILURE);
        } catch (RuntimeException forGood) {
          asked.forEach(one -> one.completeExceptionally(forGood));
          breakDown(forGood);
          return;
        }
      }
    } catch (Error fatal) {
      breakDown(new IllegalStateException("the replica of " + name + " died: " + fatal, fatal));
      throw fatal;
    } finally {
      ended.complete(null);
    }
  }

  private List<CompletableFuture<Void>> awaitWork() {
    World.Timer timer = world.after(options.followEvery().toNanos(), this::due);
    door.lock();
    try {
      while (asking.isEmpty() && landed.isEmpty() && !isDue && !isClosed) {
        rung.awaitUninterruptibly();
      }
      List<CompletableFuture<Void>> asked = asking;
      asking = new ArrayList<>();
      return asked;
    } finally {
      door.unlock();
      timer.cancel();
    }
  }

  private void due() {
    door.lock();
    try {
      isDue = true;
      rung.signal();
    } finally {
      door.unlock();
    }
  }

  private boolean isDueNow() {
    door.lock();
    try {
      return isDue;
    } finally {
      door.unlock();
    }
  }

  private boolean isOver() {
    door.lock();
    try {
      return isClosed;
    } finally {
      door.unlock();
    }
  }

  private void breakDown(RuntimeException why) {
    List<CompletableFuture<?>> waiting = new ArrayList<>();
    door.lock();
    try {
      broken = Optional.of(why);
      waiting.addAll(asking);
      answers.values().forEach(waiting::addAll);
      asking = new ArrayList<>();
      answers.clear();
    } finally {
      door.unlock();
    }
    waiting.forEach(one -> one.completeExceptionally(why));
  }

  /** Plays own entries as long as they come next; false if others are before one of them. */
  private boolean playOwn() {
    while (true) {
      Map.Entry<StreamAddress, Landed> first;
      door.lock();
      try {
        first = landed.firstEntry();
      } finally {
        door.unlock();
      }
      if (first == null) {
        return true;
      }
      StreamAddress at = first.getKey();
      Address address = first.getValue().address();
      if (at.compareTo(next) >= 0) {
        if (reader.isEmpty() || !reader.get().passOver(at, address)) {
          return false;
        }
        carryOut(at, address, first.getValue().payload());
      } else {
        skipped(List.of(first.getValue()));
      }
      door.lock();
      try {
        landed.remove(at);
      } finally {
        door.unlock();
      }
    }
  }

  private void playAll() {
    StreamReader from = reader.orElseGet(this::begin);
    from.sync();
    while (true) {
      switch (from.readNext()) {
        case StreamRead.Entry entry ->
            carryOut(entry.streamAddress(), entry.address(), entry.payload());
        case StreamRead.Trimmed(StreamAddress before) -> {
          from = beginBehind(before);
          from.sync();
        }
        case StreamRead.Absent end -> {
          forgetPlayed();
          return;
        }
      }
    }
  }

  /** With the newest checkpoint, if there is one. */
  private StreamReader begin() {
    var unused = becomeNewest(next);
    StreamReader begun = commands.reader(next);
    reader = Optional.of(begun);
    return begun;
  }

  /** Others may give it up while it is loaded; then they keep a newer one. */
  private Optional<Checkpoint> becomeNewest(StreamAddress resume) {
    for (int i = 1; ; i++) {
      Optional<Checkpoint> newest = checkpoints.newestFrom(resume);
      try {
        newest.ifPresent(this::become);
        return newest;
      } catch (HistoryForgottenException givenUp) {
        if (i == TRIES) {
          throw givenUp;
        }
      }
    }
  }

  /** Others have forgotten what this replica has not played: it goes on with a checkpoint. */
  private StreamReader beginBehind(StreamAddress trimmedBefore) {
    reader = Optional.empty(); // it has told of the gap, and will not tell once more
    List<CompletableFuture<byte[]>> unanswered = new ArrayList<>();
    door.lock();
    try {
      answers.values().forEach(unanswered::addAll);
      answers.clear();
    } finally {
      door.unlock();
    }
    var lost = new HistoryForgottenException(name, played());
    unanswered.forEach(answer -> answer.completeExceptionally(lost));
    if (becomeNewest(trimmedBefore).isEmpty()) {
      throw lost;
    }
    StreamReader begun = commands.reader(next);
    reader = Optional.of(begun);
    return begun;
  }

  private void become(Checkpoint checkpoint) {
    M fresh = machines.get();
    checkpoints.load(checkpoint, fresh);
    stateLock.lock();
    try {
      machine = fresh;
      played = checkpoint.before();
      next = checkpoint.resume();
      sinceCheckpoint = 0;
    } finally {
      stateLock.unlock();
    }
  }

  private void carryOut(StreamAddress at, Address address, ByteBuffer payload) {
    Batch.Name batch = Batch.nameOf(address, payload);
    List<CompletableFuture<byte[]>> waiting =
        isOwn.test(batch) ? answersTo(batch.number()) : List.of();
    List<Runnable> given = new ArrayList<>(waiting.size());
    stateLock.lock();
    try {
      Batch.forEach(address, payload, command -> given.add(carryOut(command, waiting)));
      played = new Address(address.value() + 1);
      next = new StreamAddress(at.value() + 1);
      sinceCheckpoint++;
    } finally {
      stateLock.unlock();
    }
    given.forEach(Runnable::run); // not before the state can be asked
  }

  /**
   * Returns how it is answered.
   *
   * @param waiting for each command of the entry; empty if it is somebody else's
   */
  private Runnable carryOut(Command command, List<CompletableFuture<byte[]>> waiting) {
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

  /** Carries out a command of the past, whose answer nobody waits for. */
  static void carryOut(StateMachine machine, Command command) {
    try {
      machine.apply(command);
    } catch (RuntimeException refused) {
      // its submitter was told, then
    }
  }

  private void forgetPlayed() {
    List<Landed> passed;
    door.lock();
    try {
      isDue = false;
      passed = List.copyOf(landed.headMap(next).values());
      landed.headMap(next).clear();
    } finally {
      door.unlock();
    }
    skipped(passed);
  }

  /**
   * Own entries that the state is behind. What came of them has been told, if they were carried out
   * here; if a checkpoint had them already, nobody will tell.
   */
  private void skipped(List<Landed> passed) {
    for (Landed one : passed) {
      Batch.Name batch = Batch.nameOf(one.address(), one.payload());
      var lost = new HistoryForgottenException(name, one.address());
      answersTo(batch.number()).forEach(answer -> answer.completeExceptionally(lost));
    }
  }

  private void checkpointIfDue() {
    if (options.checkpointEvery() == 0 || sinceCheckpoint < options.checkpointEvery()) {
      return;
    }
    sinceCheckpoint = 0;
    Address since = played();
    world.start("corfu-smr-checkpoint-" + name, () -> checkpointUnlessThereIsOne(since));
  }

  /** All replicas come to want one at the same time; most find that another was first. */
  private void checkpointUnlessThereIsOne(Address since) {
    try {
      Optional<Checkpoint> newest = checkpoints.newest(new Address(Long.MAX_VALUE));
      long enough = options.checkpointEvery() / 2;
      if (newest.isEmpty() || newest.get().before().value() + enough < since.value()) {
        checkpoint();
      }
    } catch (CorfuException leftToOthers) {
      // the next one comes
    }
  }
}
