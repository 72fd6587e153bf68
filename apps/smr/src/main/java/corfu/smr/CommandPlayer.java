package corfu.smr;

import corfu.protocol.Address;
import corfu.protocol.StreamAddress;
import corfu.protocol.StreamId;
import corfu.runtime.CallScope;
import corfu.runtime.CorfuException;
import corfu.runtime.Deadline;
import corfu.runtime.StreamAccess;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.SharedQuestion;
import corfu.runtime.stream.StreamEnds;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.StreamReader;
import corfu.runtime.stream.Streams;
import corfu.world.World;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Applies commands in the order of their stream. A reader that needs the newest state asks for the
 * stream's tail, and waits until the player has applied the stream up to it. Readers that ask at
 * the same time share one request.
 *
 * <p>The thread that appended an entry applies it, without another read, if it is the next one and
 * no thread uses the state. So does the thread that receives a pushed entry. The player's own
 * thread does all other work, and reads other clients' entries. One thread applies entries at a
 * time.
 */
final class CommandPlayer<M extends StateMachine> implements Proposer.Outcomes {

  /** A checkpoint may be deleted while it is loaded, but not this many in a row. */
  private static final int TRIES = 8;

  private static final Duration AFTER_A_FAILURE = Duration.ofMillis(20);

  private final String name;
  private final StreamAccess access;
  private final World world;
  private final LogStream commands;
  private final SharedQuestion<?, StreamEnds> question;
  private final MachineCheckpoints checkpoints;
  private final PlayerQueue inbox;
  private final Optional<PushFollower> pushes;
  private Predicate<CommandBatch.Name> isOwn = batch -> false;

  private final ReentrantLock playing = new ReentrantLock(); // acquired before the state's lock
  private final AppliedState<M> state;
  private volatile Optional<StreamEnds> read =
      Optional.empty(); // the tails up to which all is read
  private volatile Optional<StreamEnds> asked = Optional.empty(); // the last answer
  private Optional<StreamReader> reader = Optional.empty(); // empty: begin with a checkpoint
  private final AtomicLong moved = new AtomicLong(); // applied entries
  private final CompletableFuture<Void> ended = new CompletableFuture<>();

  CommandPlayer(
      String name,
      StreamAccess access,
      Streams streams,
      MachineCheckpoints checkpoints,
      Supplier<M> machines,
      SmrOptions options) {
    this.name = name;
    this.access = access;
    this.world = access.world();
    this.commands = streams.open(Names.commands(name));
    this.checkpoints = checkpoints;
    this.state =
        new AppliedState<>(
            name,
            machines,
            new CheckpointSchedule(
                checkpoints, options.checkpointEvery(), options.keepCheckpoints()));
    this.inbox = new PlayerQueue(name, world, options.follow().pollEvery());
    this.pushes =
        options.follow() instanceof Follow.Push
            ? Optional.of(new PushFollower(commands, inbox, state::next, this::playOwnOrRing))
            : Optional.empty();
    List<StreamId> asked = List.of(commands.id());
    this.question = SharedQuestion.of(access::deadline, () -> streams.ends(asked));
  }

  void start(Predicate<CommandBatch.Name> own) {
    isOwn = own;
    world.start("corfu-smr-" + name, this::playUntilClosed);
  }

  // --------------------------------------------------------------------------------- readers

  /**
   * Asks for the stream's tail. The future is done when all commands are applied that were complete
   * before this call: at once if other clients have appended nothing.
   */
  CompletableFuture<Void> sync() {
    Optional<RuntimeException> over = inbox.over();
    if (over.isPresent()) {
      return CompletableFuture.failedFuture(over.get());
    }
    StreamEnds ends = ask();
    if (isPlayedTo(ends)) {
      inbox.looked();
      return CompletableFuture.completedFuture(null);
    }
    CompletableFuture<Void> done = inbox.awaitPlayed(ends);
    playOwnOrRing();
    return done;
  }

  private StreamEnds ask() {
    StreamEnds ends = question.ask();
    asked = Optional.of(ends);
    return ends;
  }

  /** Whether every command below these tails is applied. */
  private boolean isPlayedTo(StreamEnds ends) {
    StreamAddress end = ends.end(commands.id());
    return state.next().compareTo(end) >= 0
        || read.filter(known -> known.epoch().equals(ends.epoch()))
            .filter(known -> known.end(commands.id()).compareTo(end) >= 0)
            .isPresent();
  }

  /** Returns the number of applied entries. */
  long moved() {
    return moved.get();
  }

  <R> R ask(Function<M, R> question) {
    return state.ask(question);
  }

  Address played() {
    return state.played();
  }

  Address checkpoint() {
    AppliedState.Snapshot now = state.save();
    Checkpoint written = checkpoints.write(now.saved(), now.before(), now.resume());
    state.schedule().knows(written);
    return written.before();
  }

  /** Stops the player. Waits for its thread until the deadline at most. */
  void close(Deadline deadline) {
    inbox.close();
    if (!deadline.await(ended)) {
      return;
    }
    playing.lock();
    try {
      return; // no thread applies an entry any more
    } finally {
      playing.unlock();
    }
  }

  // ------------------------------------------------------------------------ submitted commands

  @Override
  public boolean leaves(long number, List<CompletableFuture<byte[]>> waiting) {
    return inbox.leaves(number, waiting);
  }

  @Override
  public void landed(StreamAddress at, PlayerQueue.Landed batch) {
    inbox.landed(at, batch);
    playOwnOrRing();
  }

  @Override
  public void failed(long number, RuntimeException why) {
    inbox.failed(number, why);
  }

  private void playOwnOrRing() {
    if (!playOwnIfFree()) {
      inbox.ring();
    }
  }

  /** Applies own entries if no other thread uses the state. Returns whether no work is left. */
  private boolean playOwnIfFree() {
    List<Runnable> untold = new ArrayList<>();
    if (!playing.tryLock()) {
      return false; // the applying thread may have looked already
    }
    try {
      return state.ifFree(() -> inbox.over().isPresent() || playOwnHere(untold));
    } finally {
      playing.unlock();
      untold.forEach(Runnable::run);
    }
  }

  private boolean playOwnHere(List<Runnable> untold) {
    try {
      Optional<PlayerQueue.Landed> blocked = playOwn(untold);
      tellPlayed();
      checkpointIfDue();
      return blocked.filter(inbox::isBehindOthers).isEmpty()
          && inbox.readersBehindOthers().isEmpty();
    } catch (RuntimeException forGood) {
      inbox.breakDown(forGood);
      return true;
    } catch (Error fatal) {
      inbox.breakDown(AppliedState.died(name, fatal));
      throw fatal;
    }
  }

  private void tellPlayed() {
    List<PlayerQueue.Reader> played =
        inbox.readers().stream().filter(one -> isPlayedTo(one.ends())).toList();
    if (!played.isEmpty()) {
      inbox.looked();
      tell(played);
    }
  }

  private void tell(List<PlayerQueue.Reader> played) {
    inbox.dismiss(played);
    played.forEach(one -> one.isPlayed().complete(null));
  }

  // -------------------------------------------------------------------------------- applying

  private void playUntilClosed() {
    try {
      while (inbox.await()) {
        CallScope call = access.call();
        try {
          lookIfDue();
          playWhatCame();
          pushes.ifPresent(PushFollower::open);
        } catch (CorfuException away) { // tries again later
          List<PlayerQueue.Reader> waiting = inbox.readers();
          inbox.dismiss(waiting);
          waiting.forEach(one -> one.isPlayed().completeExceptionally(away));
          world.pause(AFTER_A_FAILURE);
          inbox.failed();
        } catch (RuntimeException forGood) {
          inbox.breakDown(forGood);
          return;
        } finally {
          call.end();
        }
      }
    } catch (Error fatal) {
      inbox.breakDown(AppliedState.died(name, fatal));
      throw fatal;
    } finally {
      pushes.ifPresent(PushFollower::close);
      ended.complete(null);
    }
  }

  /** Asks for other clients' entries if no reader has asked for a while. */
  private void lookIfDue() {
    if (inbox.takeDue()) {
      StreamEnds now = ask();
      inbox.looked();
      if (!isPlayedTo(now)) {
        var unused = inbox.awaitPlayed(now);
      }
    }
  }

  private void playWhatCame() {
    playing.lock();
    try {
      if (inbox.over().isEmpty()) {
        play();
        checkpointIfDue();
      }
    } finally {
      playing.unlock();
    }
  }

  private void play() {
    List<Runnable> untold = new ArrayList<>();
    Optional<PlayerQueue.Landed> blocked = playOwn(untold);
    untold.forEach(Runnable::run);
    tellPlayed();
    if (blocked.filter(inbox::isBehindOthers).isPresent()) {
      playBehindOthers(blocked.get());
      tellPlayed();
    }
    List<PlayerQueue.Reader> waiting = inbox.readersBehindOthers();
    if (!waiting.isEmpty()) {
      playAll(
          waiting.stream()
              .max(PlayerQueue.Reader.NEWEST)
              .map(PlayerQueue.Reader::ends)
              .orElseThrow());
    }
    tell(waiting);
    tellPlayed();
  }

  /**
   * Applies own entries while they are the next ones.
   *
   * @param untold receives the replies that the submitters still need
   * @return the first own entry behind an entry of another client
   */
  private Optional<PlayerQueue.Landed> playOwn(List<Runnable> untold) {
    while (true) {
      Optional<Map.Entry<StreamAddress, PlayerQueue.Landed>> first = inbox.firstLanded();
      if (first.isEmpty()) {
        return Optional.empty();
      }
      StreamAddress at = first.get().getKey();
      PlayerQueue.Landed entry = first.get().getValue();
      if (at.compareTo(state.next()) >= 0) {
        boolean isSeed = Checkpoint.isSeed(entry.payload()); // to be loaded, which blocks
        if (isSeed || reader.isEmpty() || !reader.get().passOver(at, entry.address())) {
          return Optional.of(entry);
        }
        untold.addAll(carryOut(at, entry.address(), entry.payload()));
      } else {
        skipped(entry);
      }
      inbox.takeLanded(at, entry);
    }
  }

  /**
   * Applies an own entry behind those of other clients. Its append has told which ones these are,
   * so the player need not wait for newer ones, which may be in flight.
   */
  private void playBehindOthers(PlayerQueue.Landed own) {
    Optional<StreamEnds> before =
        asked
            .filter(known -> reader.isPresent())
            .flatMap(known -> own.append().flatMap(it -> known.before(it, commands.id())));
    if (before.isPresent()) {
      playAll(before.get());
      List<Runnable> untold = new ArrayList<>();
      Optional<PlayerQueue.Landed> blocked = playOwn(untold);
      untold.forEach(Runnable::run);
      if (blocked.filter(inbox::isBehindOthers).isEmpty()) {
        return;
      }
    }
    playAll(ask());
  }

  /** Applies every command below these tails. */
  private void playAll(StreamEnds ends) {
    if (reader.isPresent()) {
      StreamReader from = reader.get();
      from.sync(ends);
      playFrom(from);
      read = Optional.of(read.filter(known -> isPast(known, ends)).orElse(ends));
    } else {
      StreamReader from = begin();
      from.sync();
      playFrom(from);
    }
    inbox.looked();
    inbox.takeLandedBefore(state.next()).forEach(this::skipped);
  }

  private static boolean isPast(StreamEnds known, StreamEnds other) {
    return known.epoch().equals(other.epoch()) && known.tail().compareTo(other.tail()) >= 0;
  }

  private void playFrom(StreamReader begun) {
    StreamReader from = begun;
    while (true) {
      switch (from.readNext()) {
        case StreamRead.Entry entry when Checkpoint.isSeed(entry.payload()) ->
            from = playSeed(from, entry);
        case StreamRead.Entry entry ->
            carryOut(entry.streamAddress(), entry.address(), entry.payload())
                .forEach(Runnable::run);
        case StreamRead.Trimmed(StreamAddress before) -> {
          from = beginBehind(before);
          from.sync();
        }
        case StreamRead.Absent end -> {
          return;
        }
      }
    }
  }

  /** Loads the state with which the machine began. Returns the reader with which to go on. */
  private StreamReader playSeed(StreamReader from, StreamRead.Entry entry) {
    Checkpoint seed = Checkpoint.decode(entry.address(), entry.payload());
    try {
      state.begin(entry.streamAddress(), entry.address(), seed, checkpoints);
      return from;
    } catch (HistoryForgottenException deleted) {
      StreamReader behind = beginBehind(new StreamAddress(entry.streamAddress().value() + 1));
      behind.sync();
      return behind;
    }
  }

  /** Loads the newest checkpoint, if any, and returns a reader behind it. */
  private StreamReader begin() {
    var unused = becomeNewest(state.next());
    StreamReader begun = commands.reader(state.next());
    reader = Optional.of(begun);
    return begun;
  }

  /** Loads the newest checkpoint, again if another replica deletes it meanwhile. */
  private Optional<Checkpoint> becomeNewest(StreamAddress resume) {
    for (int i = 1; ; i++) {
      Optional<Checkpoint> newest = checkpoints.newestFrom(resume);
      try {
        newest.ifPresent(one -> state.become(one, checkpoints));
        return newest;
      } catch (HistoryForgottenException givenUp) {
        if (i == TRIES) {
          throw givenUp;
        }
      }
    }
  }

  /** Continues with a checkpoint, because needed commands are deleted. */
  private StreamReader beginBehind(StreamAddress trimmedBefore) {
    reader = Optional.empty(); // a reader reports a gap once
    var lost = new HistoryForgottenException(name, played());
    inbox.takeAnswers().forEach(answer -> answer.completeExceptionally(lost));
    if (becomeNewest(trimmedBefore).isEmpty()) {
      throw lost;
    }
    StreamReader begun = commands.reader(state.next());
    reader = Optional.of(begun);
    return begun;
  }

  /** Applies an entry. Returns its replies, to be sent once readers see the state. */
  private List<Runnable> carryOut(StreamAddress at, Address address, ByteBuffer payload) {
    CommandBatch.Name batch = CommandBatch.nameOf(address, payload);
    List<CompletableFuture<byte[]>> waiting =
        isOwn.test(batch) ? inbox.takeAnswersTo(batch.number()) : List.of();
    if (moved.incrementAndGet() % Deadline.ENTRIES == 0) {
      access.deadline().renew();
    }
    return state.apply(at, address, payload, waiting);
  }

  /**
   * Handles an own entry that the state already includes. Its replies are sent, or lost if a
   * checkpoint included the entry.
   */
  private void skipped(PlayerQueue.Landed entry) {
    inbox
        .takeAnswersTo(entry.number())
        .forEach(
            answer ->
                answer.completeExceptionally(new HistoryForgottenException(name, entry.address())));
  }

  private void checkpointIfDue() {
    state
        .takeDueCheckpoint()
        .ifPresent(
            enough ->
                world.start(
                    "corfu-smr-checkpoint-" + name,
                    () -> state.schedule().carryOut(enough, this::checkpoint)));
  }
}
