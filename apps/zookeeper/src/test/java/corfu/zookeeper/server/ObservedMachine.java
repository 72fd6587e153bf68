package corfu.zookeeper.server;

import corfu.smr.Command;
import corfu.zookeeper.machine.NamespaceMachine;
import java.io.DataInput;
import java.io.IOException;

/** A machine that reports each command that it has applied, and each checkpoint it has loaded. */
public final class ObservedMachine extends NamespaceMachine {

  /** Receives reports, on the thread that applies. */
  public interface Observer {
    /** The machine is about to apply a command. */
    void applying(NamespaceMachine machine);

    /** The machine has applied a command. */
    void applied(NamespaceMachine machine, Command command);

    /** The machine has loaded a checkpoint. */
    void loaded(NamespaceMachine machine);
  }

  private final Observer observer;

  /** Creates a machine without connections. */
  public ObservedMachine(Observer observer) {
    this.observer = observer;
  }

  /** Creates a machine that has a server's connections once it is installed. */
  public ObservedMachine(TranslationServer server, Observer observer) {
    super(server.host(), server.host()::installed, server.connections()::closed);
    this.observer = observer;
  }

  @Override
  public byte[] apply(Command command) {
    observer.applying(this);
    byte[] reply = super.apply(command);
    observer.applied(this, command);
    return reply;
  }

  @Override
  public void load(DataInput in) throws IOException {
    super.load(in);
    observer.loaded(this);
  }
}
