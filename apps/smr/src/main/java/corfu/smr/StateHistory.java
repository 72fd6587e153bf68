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
    Past past = new Past();
    Optional<Checkpoint> begin = checkpoints.newest(address);
    begin.ifPresent(past::load);
    StreamAddress from = begin.map(Checkpoint::resume).orElse(StreamAddress.ZERO);
    play(from, address, past, address);
    return past.machine;
  }

  /** Receives the entries of a stream of commands. */
  private interface Receiver {
    void apply(Command command);

    /** The machine began with this state. */
    void load(Checkpoint seed);
  }

  /** A machine of the past. */
  private final class Past implements Receiver {
    private M machine = machines.get();

    @Override
    public void apply(Command command) {
      try {
        machine.apply(command);
      } catch (RuntimeException refused) {
        // its submitter got the failure at that time
      }
    }

    @Override
    public void load(Checkpoint checkpoint) {
      machine = machines.get();
      checkpoints.load(checkpoint, machine);
    }
  }

  void replay(Address from, Address to, Consumer<Command> receiver) {
    StreamAddress begin =
        checkpoints.newest(from).map(Checkpoint::resume).orElse(StreamAddress.ZERO);
    play(
        begin,
        to,
        new Receiver() {
          @Override
          public void apply(Command command) {
            if (command.address().compareTo(from) >= 0) {
              receiver.accept(command);
              access.deadline().renew(); // the receiver's time does not count
            }
          }

          @Override
          public void load(Checkpoint seed) {} // no command
        },
        from);
  }

  private void play(StreamAddress from, Address below, Receiver receiver, Address wanted) {
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
          if (Checkpoint.isSeed(entry.payload())) {
            receiver.load(Checkpoint.decode(entry.address(), entry.payload()));
          } else {
            CommandBatch.forEach(entry.address(), entry.payload(), receiver::apply);
          }
        }
        case StreamRead.Trimmed trimmed -> throw new HistoryForgottenException(name, wanted);
        case StreamRead.Absent end -> {
          return;
        }
      }
    }
  }
}
