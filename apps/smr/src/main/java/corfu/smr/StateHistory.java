package corfu.smr;

import corfu.protocol.Address;
import corfu.protocol.StreamAddress;
import corfu.runtime.Deadline;
import corfu.runtime.StreamAccess;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.StreamReader;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Reads earlier states of a machine, and the commands between them. */
final class StateHistory<M extends StateMachine> {

  private final StreamAccess access;
  private final String name;
  private final LogStream commands;
  private final MachineCheckpoints checkpoints;
  private final Supplier<M> machines;

  StateHistory(
      StreamAccess access,
      String name,
      LogStream commands,
      MachineCheckpoints checkpoints,
      Supplier<M> machines) {
    this.access = access;
    this.name = name;
    this.commands = commands;
    this.checkpoints = checkpoints;
    this.machines = machines;
  }

  M at(Address address) {
    M machine = machines.get();
    Optional<Checkpoint> begin = checkpoints.newest(address);
    begin.ifPresent(checkpoint -> checkpoints.load(checkpoint, machine));
    StreamAddress from = begin.map(Checkpoint::resume).orElse(StreamAddress.ZERO);
    play(from, address, command -> carryOut(machine, command), address);
    return machine;
  }

  void replay(Address from, Address to, Consumer<Command> receiver) {
    StreamAddress begin =
        checkpoints.newest(from).map(Checkpoint::resume).orElse(StreamAddress.ZERO);
    play(
        begin,
        to,
        command -> {
          if (command.address().compareTo(from) >= 0) {
            receiver.accept(command);
            access.deadline().renew(); // the receiver's time does not count
          }
        },
        from);
  }

  private void play(StreamAddress from, Address below, Consumer<Command> receiver, Address wanted) {
    StreamReader reader = commands.reader(from);
    reader.sync();
    for (long moved = 1; ; moved++) {
      if (moved % Deadline.ENTRIES == 0) {
        access.deadline().renew();
      }
      switch (reader.readNext()) {
        case StreamRead.Entry entry -> {
          if (entry.address().compareTo(below) >= 0) {
            return;
          }
          CommandBatch.forEach(entry.address(), entry.payload(), receiver);
        }
        case StreamRead.Trimmed trimmed -> throw new HistoryForgottenException(name, wanted);
        case StreamRead.Absent end -> {
          return;
        }
      }
    }
  }

  /** Applies a command of the past; no call waits for its reply. */
  private static void carryOut(StateMachine machine, Command command) {
    try {
      machine.apply(command);
    } catch (RuntimeException refused) {
      // its submitter got the failure at that time
    }
  }
}
