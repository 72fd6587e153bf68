package corfu.bench.model;

import corfu.bench.model.QueueSimulation.Machine;
import java.util.ArrayList;
import java.util.List;

/**
 * A cluster as queues. Each machine has a processor, a network card and, for units, a disk. Each of
 * these does one job after the other, for the time in {@link Costs}.
 *
 * <p>Clients keep batches in flight. A batch of appends is a request for tokens, and then a write
 * to the replicas of each chain, one after the other. All chains work at the same time. A batch of
 * reads goes to one replica of each chain. Disks commit in groups. The same numbers give the same
 * result.
 */
public final class ClusterModel {

  private static final int FRAME_BYTES = 64;

  /** The part of the time that does not count, because queues fill first. */
  private static final double WARM = 0.25;

  private final Costs costs;
  private final Load load;
  private final int chains;
  private final QueueSimulation simulation = new QueueSimulation();
  private final List<Machine> clients = new ArrayList<>();
  private final List<Machine> units = new ArrayList<>();
  private final Machine sequencer = simulation.new Machine();
  private long done;
  private double countFrom;

  /**
   * The load of a cluster.
   *
   * @param units the machines with a log unit each
   * @param replicas the copies of each entry; each chain has this many units
   * @param clients the machines with a client each
   * @param batches the in-flight batches of each client
   * @param batchEntries the entries of a batch
   * @param entryBytes the size of an entry, in bytes
   * @param isRead whether the clients read instead of append
   */
  public record Load(
      int units,
      int replicas,
      int clients,
      int batches,
      int batchEntries,
      int entryBytes,
      boolean isRead) {

    public Load {
      if (replicas < 1 || units < replicas || units % replicas != 0) {
        throw new IllegalArgumentException(
            "%d units do not make chains of %d".formatted(units, replicas));
      }
      if (clients < 1 || batches < 1 || batchEntries < 1 || entryBytes < 0) {
        throw new IllegalArgumentException("clients, batches and entries are 1 or more");
      }
    }
  }

  private ClusterModel(Costs costs, Load load) {
    this.costs = costs;
    this.load = load;
    this.chains = load.units() / load.replicas();
    for (int i = 0; i < load.clients(); i++) {
      clients.add(simulation.new Machine());
    }
    for (int i = 0; i < load.units(); i++) {
      units.add(simulation.new Machine());
    }
  }

  /**
   * Returns the entries per second that the cluster would append or read, over this many simulated
   * seconds.
   */
  public static double perSecond(Costs costs, Load load, double seconds) {
    return new ClusterModel(costs, load).run(seconds);
  }

  private double run(double seconds) {
    double end = seconds * QueueSimulation.NANOS_A_SECOND;
    countFrom = WARM * end;
    for (Machine client : clients) {
      for (int i = 0; i < load.batches(); i++) {
        begin(client);
      }
    }
    simulation.runUntil(end);
    return done / (seconds * (1 - WARM));
  }

  private void begin(Machine client) {
    if (load.isRead()) {
      spread(client);
    } else {
      exchange(
          client,
          sequencer,
          costs.clientMessage(),
          costs.token(),
          FRAME_BYTES,
          FRAME_BYTES,
          false,
          () -> spread(client));
    }
  }

  /** Spreads the entries of a batch over the chains as evenly as addresses do. */
  private void spread(Machine client) {
    int parts = Math.min(chains, load.batchEntries());
    int[] left = {parts};
    int first = (int) (simulation.scheduled() % chains);
    for (int part = 0; part < parts; part++) {
      int entries = (load.batchEntries() + part) / parts;
      int chain = (first + part) % chains;
      walk(
          client,
          chain,
          load.isRead() ? load.replicas() - 1 : 0,
          entries,
          () -> {
            if (--left[0] == 0) {
              if (simulation.now() >= countFrom) {
                done += load.batchEntries();
              }
              begin(client);
            }
          });
    }
  }

  private void walk(Machine client, int chain, int replica, int entries, Runnable then) {
    if (replica == load.replicas()) {
      then.run();
      return;
    }
    Machine unit = units.get(chain * load.replicas() + replica);
    int bytes = FRAME_BYTES + entries * load.entryBytes();
    exchange(
        client,
        unit,
        costs.clientMessage() + entries * costs.clientEntry(),
        costs.unitMessage() + entries * costs.unitEntry(),
        load.isRead() ? FRAME_BYTES : bytes,
        load.isRead() ? bytes : FRAME_BYTES,
        !load.isRead(),
        () -> walk(client, chain, replica + 1, entries, then));
  }

  /** Sends a request, processes it at the server, and sends the reply. */
  private void exchange(
      Machine client,
      Machine server,
      double clientNanos,
      double serverNanos,
      int requestBytes,
      int replyBytes,
      boolean isStored,
      Runnable then) {
    Runnable reply =
        () ->
            server.out.serve(
                replyBytes * costs.nicByte(),
                () ->
                    simulation.after(
                        costs.wire(), () -> client.in.serve(replyBytes * costs.nicByte(), then)));
    Runnable handled =
        isStored && costs.sync() > 0
            ? () -> server.disk.commit(costs.sync(), requestBytes * costs.diskByte(), reply)
            : reply;
    client.processor.serve(
        clientNanos,
        () ->
            client.out.serve(
                requestBytes * costs.nicByte(),
                () ->
                    simulation.after(
                        costs.wire(),
                        () ->
                            server.in.serve(
                                requestBytes * costs.nicByte(),
                                () -> server.processor.serve(serverNanos, handled)))));
  }
}
