package corfu.smr;

import corfu.protocol.Address;
import corfu.protocol.StreamId;
import corfu.runtime.CallScope;
import corfu.runtime.Corfu;
import corfu.runtime.Deadline;
import corfu.runtime.Places;
import corfu.runtime.StreamAccess;
import corfu.runtime.UnavailableException;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.Streams;
import corfu.world.World;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * One of any number of replicas of a state machine. It submits commands, plays everybody's, and
 * answers questions about the state.
 *
 * <pre>{@code
 * try (var counter = Replica.open(corfu, "visits", Counter::new, SmrOptions.DEFAULT)) {
 *   byte[] count = counter.submit("one more".getBytes(UTF_8));
 *   long now = counter.read(Counter::value);
 * }
 * }</pre>
 *
 * <p>Commands and reads are linearizable: a command takes effect once, between its submission and
 * its answer, at the same place for everybody; a read sees every command that was answered before
 * it was called. Commands of one submitter that are under way at the same time may be ordered
 * either way.
 *
 * <p>Thread-safe. Answers are completed on threads of the client's or the replica's, or of whoever
 * submits something else: what is chained to them must not block. Calls fail like those of {@link
 * corfu.runtime.Log}; after {@link corfu.runtime.AppendOutcomeUnknownException} and {@link
 * CommandOutcomeUnknownException} a command may yet be carried out, after any other failure but
 * {@link CommandFailedException} and {@link ReplicaClosedException} it never will.
 */
public final class Replica<M extends StateMachine> implements AutoCloseable {

  private final String name;
  private final Supplier<M> machines;
  private final Corfu corfu;
  private final StreamAccess access;
  private final World world;
  private final LogStream commands;
  private final Checkpoints checkpoints;
  private final Player<M> player;
  private final Proposer proposer;
  private final Places room;
  private final Overdue overdue;

  private Replica(Corfu corfu, String name, Supplier<M> machines, SmrOptions options) {
    this.name = name;
    this.machines = machines;
    this.corfu = corfu;
    Streams streams = Streams.over(corfu);
    this.commands = streams.open(Names.commands(name));
    this.access = corfu.streamAccess();
    this.checkpoints = new Checkpoints(name, access, streams);
    this.world = access.world();
    this.player = new Player<>(name, access, streams, checkpoints, machines, options);
    this.proposer = new Proposer(access, streams, commands.id(), options, player);
    this.room = new Places("commands", options.maxPending());
    this.overdue = new Overdue(world);
    player.start(proposer::isOwn);
  }

  /**
   * Opens a replica; it catches up in the background, from the newest checkpoint on.
   *
   * @param name of the state machine; whoever opens the same name has the same state
   * @param machine makes a machine in its first state
   */
  public static <M extends StateMachine> Replica<M> open(
      Corfu corfu, String name, Supplier<M> machine, SmrOptions options) {
    return new Replica<>(corfu, name, machine, options);
  }

  /**
   * Has a command carried out by all replicas.
   *
   * @return what the machine returned, where the command was ordered
   * @throws CommandFailedException if the machine refused it
   * @throws CommandOutcomeUnknownException if it was sent, and has no answer by the deadline
   */
  public byte[] submit(byte[] command) {
    return submit(ByteBuffer.wrap(command));
  }

  /**
   * The same.
   *
   * @param command it must not change until this returns
   */
  public byte[] submit(ByteBuffer command) {
    CallScope call = access.call();
    try {
      Proposer.Proposal proposal = propose(command, call.deadline(), true);
      if (!call.deadline().await(proposal.answer())) {
        throw late(proposal, call.deadline());
      }
      return await(proposal.answer());
    } finally {
      call.end();
    }
  }

  /**
   * The same without waiting, except for room while too many are under way. The future is done by
   * the deadline, or a twentieth of the operation timeout later.
   *
   * @param command it must not change until there is an answer
   */
  public CompletableFuture<byte[]> submitAsync(ByteBuffer command) {
    Deadline deadline = access.deadline();
    CompletableFuture<byte[]> told = new CompletableFuture<>();
    try {
      Proposer.Proposal proposal = propose(command, deadline, false);
      var unused =
          proposal
              .answer()
              .whenComplete(
                  (result, failure) -> {
                    if (failure == null) {
                      told.complete(result);
                    } else {
                      told.completeExceptionally(failure);
                    }
                  });
      overdue.watch(told, deadline, () -> told.completeExceptionally(late(proposal, deadline)));
    } catch (UnavailableException noRoom) {
      told.completeExceptionally(noRoom);
    }
    return told;
  }

  /** Done when it is known what came of the command: that may be later than the deadline. */
  private Proposer.Proposal propose(ByteBuffer command, Deadline deadline, boolean mayBlock) {
    room.enter(deadline);
    CompletableFuture<byte[]> answer = new CompletableFuture<>();
    var unused = answer.whenComplete((result, failure) -> room.leave());
    return proposer.propose(command.duplicate(), answer, deadline, mayBlock);
  }

  /** The failure of a command that has no answer by its deadline. */
  private RuntimeException late(Proposer.Proposal proposal, Deadline deadline) {
    long millis = deadline.timeout().toMillis();
    if (!proposer.withdraw(proposal)) {
      return new CommandOutcomeUnknownException(
          "a command of %s had no answer within %d ms: it may have been carried out, or may yet be;"
                  .formatted(name, millis)
              + " read the state to find out before you submit it again");
    }
    var unsent =
        new UnavailableException(
            "a command of %s was not sent within %d ms: those before it had no answer yet"
                .formatted(name, millis));
    proposal.answer().completeExceptionally(unsent);
    return unsent;
  }

  /**
   * Asks the state as it is now: every command that was answered before this call is in it. The
   * question must not change the state; commands wait while it is answered.
   */
  public <R> R read(Function<M, R> question) {
    CallScope call = access.call();
    try {
      sync();
      return player.ask(question);
    } finally {
      call.end();
    }
  }

  /** Asks the state as far as this replica has played, without looking for more. */
  public <R> R readPlayed(Function<M, R> question) {
    return player.ask(question);
  }

  /** Plays every command that was answered before this call. */
  public void sync() {
    CallScope call = access.call();
    try {
      CompletableFuture<Void> played = player.sync();
      if (!call.deadline().await(played, player::moved)) {
        throw new UnavailableException(
            "could not play all commands of %s within %d ms: it goes on; call again"
                .formatted(name, call.deadline().timeout().toMillis()));
      }
      await(played);
    } finally {
      call.end();
    }
  }

  /** The same without waiting. */
  public CompletableFuture<Void> syncAsync() {
    CompletableFuture<Void> done = new CompletableFuture<>();
    Deadline deadline = access.deadline();
    var unused =
        world.start(
            "corfu-smr-sync",
            () -> {
              CallScope call = access.within(deadline);
              try {
                sync();
                done.complete(null);
              } catch (RuntimeException failure) {
                done.completeExceptionally(failure);
              } finally {
                call.end();
              }
            });
    return done;
  }

  /**
   * The log address behind the newest entry that is in this replica's state: the name of that
   * state, for {@link #at}.
   */
  public Address played() {
    return player.played();
  }

  /**
   * A machine with the state at some address: that of all commands below it. Nobody else has it; it
   * does not change.
   *
   * @param address 0, or no higher than what some replica has {@linkplain #played played}
   * @throws IllegalArgumentException if the log ends before the address
   * @throws HistoryForgottenException if neither a checkpoint nor the commands are left
   */
  public M at(Address address) {
    CallScope call = access.call();
    try {
      if (address.compareTo(played()) > 0) {
        sync();
        Address tail = corfu.log().tail();
        if (address.compareTo(tail) > 0) {
          throw new IllegalArgumentException(
              "there is no state at address %s yet: the log ends at %s".formatted(address, tail));
        }
      }
      return new Past<>(access, name, commands, checkpoints, machines).at(address);
    } finally {
      call.end();
    }
  }

  /**
   * Gives commands to a machine that were carried out between two addresses, in their order. Ends
   * within the operation timeout after the last one was given.
   *
   * @param from the first entry's address, or below it
   * @param to behind the last
   * @throws HistoryForgottenException if some of them were forgotten
   */
  public void replay(Address from, Address to, Consumer<Command> receiver) {
    CallScope call = access.call();
    try {
      new Past<>(access, name, commands, checkpoints, machines).replay(from, to, receiver);
    } finally {
      call.end();
    }
  }

  /**
   * Writes a checkpoint of the state as this replica has played it.
   *
   * @return the address of that state
   */
  public Address checkpoint() {
    CallScope call = access.call();
    try {
      return player.checkpoint();
    } finally {
      call.end();
    }
  }

  /**
   * Gives up commands, and checkpoints, that are not needed to have the state at this address or at
   * a later one. Where no checkpoint is that old nothing is given up.
   *
   * @return from which address on history is kept
   */
  public Address forget(Address before) {
    CallScope call = access.call();
    try {
      Optional<Checkpoint> kept = checkpoints.newest(before);
      if (kept.isEmpty()) {
        return new Address(0);
      }
      return checkpoints.keep(kept.get()).before();
    } finally {
      call.end();
    }
  }

  /** The streams that the state machine of this name lives in: for who mirrors it, or trims. */
  public static List<StreamId> streams(String name) {
    return List.of(Names.commands(name), Names.checkpoints(name), Names.parts(name));
  }

  /**
   * Stops playing. Commands in flight fail with {@link ReplicaClosedException}. Waits for the
   * thread that plays, no longer than the operation timeout.
   */
  @Override
  public void close() {
    room.close();
    player.close(access.deadline());
  }

  private static <T> T await(CompletableFuture<T> answer) {
    try {
      return answer.join();
    } catch (CompletionException failed) {
      if (failed.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw failed;
    }
  }
}
