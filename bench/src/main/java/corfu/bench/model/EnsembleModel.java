package corfu.bench.model;

import corfu.bench.model.QueueSimulation.Machine;
import java.util.ArrayList;
import java.util.List;

/**
 * An ensemble of servers with the protocol of ZooKeeper as queues, with a machine for each server.
 * Clients have machines without limits. Each client has a server and one request in flight. The
 * same numbers give the same result.
 */
public abstract sealed class EnsembleModel permits ZabModel, TranslationModel {

  static final int FRAME_BYTES = 64;
  private static final int PERCENT = 100;

  /** The part of the time that does not count, because queues fill first. */
  private static final double WARM = 0.25;

  final QueueSimulation simulation = new QueueSimulation();
  final List<Machine> servers = new ArrayList<>();
  final ServerCosts costs;
  private final Load load;
  private long done;
  private double countFrom;

  /**
   * The load of an ensemble.
   *
   * @param servers the number of servers, 1 or more
   * @param inFlight the requests in flight at each server, 1 or more
   * @param readPercent the part of the requests that read, 0 to 100
   * @param bytes the data of a node, in bytes
   */
  public record Load(int servers, int inFlight, int readPercent, int bytes) {
    public Load {
      if (servers < 1 || inFlight < 1 || bytes < 0 || readPercent < 0 || readPercent > PERCENT) {
        throw new IllegalArgumentException(
            "servers and requests are 1 or more, and reads 0 to 100 percent");
      }
    }
  }

  EnsembleModel(ServerCosts costs, Load load) {
    this.costs = costs;
    this.load = load;
    for (int i = 0; i < load.servers(); i++) {
      servers.add(simulation.new Machine());
    }
  }

  /** Carries a write from the network card of its server to the moment of its reply. */
  abstract void write(int server, Runnable reply);

  /** Returns the bytes of a write or a read on the network. */
  final int bytes() {
    return FRAME_BYTES + load.bytes();
  }

  final double run(double seconds) {
    double end = seconds * QueueSimulation.NANOS_A_SECOND;
    countFrom = WARM * end;
    for (int server = 0; server < load.servers(); server++) {
      for (int i = 0; i < load.inFlight(); i++) {
        begin(server, i * load.readPercent() % PERCENT);
      }
    }
    simulation.runUntil(end);
    return done / (seconds * (1 - WARM));
  }

  /** Makes a request, and the next one after its reply. It reads if the sum passes a hundred. */
  private void begin(int server, int before) {
    int sum = before + load.readPercent();
    boolean isRead = sum >= PERCENT;
    Runnable reply =
        () -> {
          if (simulation.now() >= countFrom) {
            done++;
          }
          begin(server, isRead ? sum - PERCENT : sum);
        };
    simulation.after(
        costs.wire(),
        () -> {
          if (isRead) {
            read(servers.get(server), reply);
          } else {
            servers
                .get(server)
                .in
                .serve(
                    bytes() * costs.nicByte(),
                    () -> write(server, () -> simulation.after(costs.wire(), reply)));
          }
        });
  }

  private void read(Machine server, Runnable reply) {
    server.processor.serve(
        costs.read(),
        () ->
            server.out.serve(
                bytes() * costs.nicByte(), () -> simulation.after(costs.wire(), reply)));
  }

  /** Sends bytes from one machine to another. */
  final void send(Machine from, Machine to, double bytes, Runnable arrived) {
    double nanos = bytes * costs.nicByte();
    from.out.serve(nanos, () -> simulation.after(costs.wire(), () -> to.in.serve(nanos, arrived)));
  }
}
