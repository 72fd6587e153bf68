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
import corfu.smr.internal.DeadlineScanner;
import corfu.world.World;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * A replica of a state machine; there may be any number. It submits commands, applies the commands
 * of all replicas, and reads the state.
 *
 * <pre>{@code
 * var options = SmrOptions.DEFAULT;
 * try (var counter = StateMachineReplica.open(client, "visits", Counter::new, options)) {
 *   byte[] count = counter.submit("one more".getBytes(UTF_8));
 *   long now = counter.read(Counter::value);
 * }
 * }</pre>
 *
 * <p>Commands and reads are linearizable. A command takes effect once, between its submission and
 * its reply, at the same place for all replicas. A read sees every command that had its reply
 * before the read was called.
 *
 * <p>In-flight commands of one replica may take effect in any order if several batches are in
 * flight. With one batch in flight ({@link SmrOptions#withBatches}), the commands of a replica take
 * effect in the order in which they were submitted, though some of them may fail. A failure with an
 * unknown outcome is the exception: that command may be applied after commands that were submitted
 * later.
 *
 * <p>Thread-safe. Futures complete on threads of the client, of the replica or of another
 * submitter, so dependent stages must not block. Calls fail like those of {@link
 * corfu.runtime.Log}. After an {@link corfu.runtime.AppendOutcomeUnknownException} or a {@link
 * CommandOutcomeUnknownException} the command may still be applied. A {@link
 * CommandFailedException} says that it was refused, and after a {@link ReplicaClosedException} it
 * may be applied. After any other failure it is never applied.
 */
public final class StateMachineReplica<M extends StateMachine> implements AutoCloseable {

  private final String name;
  private final Supplier<M> machines;
  private final Corfu corfu;
  private final StreamAccess access;
  private final World world;
  private final LogStream commands;
  private final MachineCheckpoints checkpoints;
  private final CommandPlayer<M> player;
  private final Proposer proposer;
  private final Places room;
  private final DeadlineScanner overdue;

  private StateMachineReplica(Corfu corfu, String name, Supplier<M> machines, SmrOptions options) {
    this.name = name;
    this.machines = machines;
    this.corfu = corfu;
    Streams streams = Streams.over(corfu);
    this.commands = streams.open(Names.commands(name));
    this.access = corfu.streamAccess();
    this.checkpoints = new MachineCheckpoints(name, access, streams);
    this.world = access.world();
    this.player = new CommandPlayer<>(name, access, streams, checkpoints, machines, options);
    this.proposer = new Proposer(access, streams, commands.id(), options, player);
    this.room = new Places("commands", options.maxPending());
    this.overdue = new DeadlineScanner(world);
    player.start(proposer::isOwn);
  }

  /**
   * Opens a replica, which catches up in the background from the newest checkpoint on.
   *
   * @param name the name of the state machine; all replicas of one name have the same state
   * @param machine a supplier of machines in their initial state
   */
  public static <M extends StateMachine> StateMachineReplica<M> open(
      Corfu corfu, String name, Supplier<M> machine, SmrOptions options) {
    return new StateMachineReplica<>(corfu, name, machine, options);
  }

  /**
   * Submits a command, which all replicas apply.
   *
   * @return the machine's reply to the command
   * @throws CommandFailedException if the machine refused it
   * @throws CommandOutcomeUnknownException if the command was sent and has no reply by the deadline
   */
  public byte[] submit(byte[] command) {
    return submit(ByteBuffer.wrap(command));
  }

  /**
   * Submits a command, which all replicas apply.
   *
   * @param command the command's bytes, which must not change until this returns
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
   * Submits a command without waiting for the reply. Waits for room while too many commands have no
   * reply. The future is done by the deadline, or at most a twentieth of the operation timeout
   * later.
   *
   * @param command the command's bytes, which must not change before the reply
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

  /**
   * Returns a proposal that is done when the command's outcome is known, perhaps after the
   * deadline.
   */
  private Proposer.Proposal propose(ByteBuffer command, Deadline deadline, boolean mayBlock) {
    room.enter(deadline);
    CompletableFuture<byte[]> answer = new CompletableFuture<>();
    var unused = answer.whenComplete((result, failure) -> room.leave());
    return proposer.propose(command.duplicate(), answer, deadline, mayBlock);
  }

  /** Returns the failure of a command that has no reply by its deadline. */
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
   * Reads the present state, with every command that had its reply before this call. The question
   * must not change the state; commands wait for it.
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

  /** Reads the state that this replica has applied, without asking for further commands. */
  public <R> R readPlayed(Function<M, R> question) {
    return player.ask(question);
  }

  /** Waits until every command is applied that had its reply before this call. */
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

  /** Returns a future that is done when {@link #sync} would return. */
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
   * Returns the log address behind the newest applied entry. It names the state for {@link #at}.
   */
  public Address played() {
    return player.played();
  }

  /**
   * Returns a machine with the state of all commands below an address. The machine belongs to the
   * caller, and receives no further commands.
   *
   * @param address 0, or an address up to that which some replica has {@linkplain #played applied}
   * @throws IllegalArgumentException if the log ends before the address
   * @throws HistoryForgottenException if the needed commands and checkpoints are deleted
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
      return new StateHistory<>(access, name, commands, checkpoints, machines).at(address);
    } finally {
      call.end();
    }
  }

  /**
   * Passes the commands between two addresses to a receiver, in their order. Ends within the
   * operation timeout after the last one.
   *
   * @param from the log address of the first entry, or a lower one
   * @param to the log address behind the last entry
   * @throws HistoryForgottenException if some of the commands are deleted
   */
  public void replay(Address from, Address to, Consumer<Command> receiver) {
    CallScope call = access.call();
    try {
      new StateHistory<>(access, name, commands, checkpoints, machines).replay(from, to, receiver);
    } finally {
      call.end();
    }
  }

  /**
   * Writes a checkpoint of this replica's state.
   *
   * @return the log address of that state
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
   * Deletes the commands and checkpoints that states from this address on do not need. Deletes
   * nothing if no checkpoint is that old.
   *
   * @return the log address from which on history is kept
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

  /**
   * Gives a new state machine its first state, for example that of another system. Replicas may be
   * open already: they load it like a checkpoint.
   *
   * @param name the name of the state machine, which has had no commands and no checkpoints
   * @param state the first state; the machine's {@link StateMachine#load} must be able to load it
   * @return the log address of that state
   * @throws MachineNotEmptyException if the machine has commands or checkpoints, or may have: a
   *     failed command counts, too
   * @throws corfu.runtime.AppendOutcomeUnknownException if the machine may have this state now; a
   *     further call tells
   */
  public static Address seed(Corfu corfu, String name, StateMachine.Saved state) {
    StreamAccess access = corfu.streamAccess();
    CallScope call = access.call();
    try {
      return new MachineCheckpoints(name, access, Streams.over(corfu)).seed(state).before();
    } finally {
      call.end();
    }
  }

  /** Returns the streams of the state machine of this name, for mirrors and trims. */
  public static List<StreamId> streams(String name) {
    return Stream.of(Names.commands(name), Names.checkpoints(name), Names.parts(name))
        .map(StreamId::named)
        .toList();
  }

  /**
   * Stops the replica. In-flight commands fail with {@link ReplicaClosedException}. Waits for the
   * replica's thread, at most for the operation timeout.
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
