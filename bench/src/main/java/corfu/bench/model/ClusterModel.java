package corfu.bench.model;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * A cluster as queues: machines with a processor, a network card and, units, a disk, each of which
 * does one thing after the other and takes as long as {@link Costs} says. Clients keep batches
 * under way: a request for tokens, then a write to each chain's replicas, one behind the other, all
 * chains at the same time; or reads of one replica each. Disks commit in groups. The same numbers
 * give the same result.
 */
public final class ClusterModel {

  private static final double NANOS_A_SECOND = 1e9;
  private static final int FRAME_BYTES = 64;

  /** This part of the time does not count: queues fill first. */
  private static final double WARM = 0.25;

  private final Costs costs;
  private final Load load;
  private final int chains;
  private final List<Machine> clients = new ArrayList<>();
  private final List<Machine> units = new ArrayList<>();
  private final Machine sequencer = new Machine();
  private final PriorityQueue<Event> events =
      new PriorityQueue<>(Comparator.comparingDouble(Event::at).thenComparingLong(Event::number));
  private double now;
  private long scheduled;
  private long done;
  private double countFrom;

  /**
   * What is asked of a cluster.
   *
   * @param units machines with a log unit each
   * @param replicas of each entry; units are made of so many a chain
   * @param clients machines with a client each
   * @param batches that each client has under way
   * @param batchEntries how many entries are in one
   * @param entryBytes what one measures
   * @param isRead whether entries are read, rather than appended
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
      clients.add(new Machine());
    }
    for (int i = 0; i < load.units(); i++) {
      units.add(new Machine());
    }
  }

  /** Entries a second that the cluster would append or read, over so many simulated seconds. */
  public static double perSecond(Costs costs, Load load, double seconds) {
    return new ClusterModel(costs, load).run(seconds);
  }

  private double run(double seconds) {
    double end = seconds * NANOS_A_SECOND;
    countFrom = WARM * end;
    for (Machine client : clients) {
      for (int i = 0; i < load.batches(); i++) {
        begin(client);
      }
    }
    while (!events.isEmpty() && events.peek().at <= end) {
      Event next = events.remove();
      now = next.at;
      next.then.run();
    }
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

  /** The batch's entries go to their chains, as evenly as addresses do. */
  private void spread(Machine client) {
    int parts = Math.min(chains, load.batchEntries());
    int[] left = {parts};
    int first = (int) (scheduled % chains);
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
              if (now >= countFrom) {
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

  /** A request, what the server does with it, and the reply. */
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
                () -> at(costs.wire(), () -> client.in.serve(replyBytes * costs.nicByte(), then)));
    Runnable handled =
        isStored && costs.sync() > 0 ? () -> server.disk.commit(requestBytes, reply) : reply;
    client.processor.serve(
        clientNanos,
        () ->
            client.out.serve(
                requestBytes * costs.nicByte(),
                () ->
                    at(
                        costs.wire(),
                        () ->
                            server.in.serve(
                                requestBytes * costs.nicByte(),
                                () -> server.processor.serve(serverNanos, handled)))));
  }

  private void at(double delay, Runnable then) {
    events.add(new Event(now + delay, scheduled++, then));
  }

  private record Event(double at, long number, Runnable then) {}

  private final class Machine {
    private final Station processor = new Station();
    private final Station in = new Station();
    private final Station out = new Station();
    private final GroupDisk disk = new GroupDisk();
  }

  /** Does one thing after the other, in the order in which they come. */
  private final class Station {
    private double freeAt;

    void serve(double nanos, Runnable then) {
      freeAt = Math.max(now, freeAt) + nanos;
      at(freeAt - now, then);
    }
  }

  /** What comes while a sync is under way shares the next one. */
  private final class GroupDisk {
    private List<Runnable> gathered = new ArrayList<>();
    private long gatheredBytes;
    private boolean isBusy;

    void commit(int bytes, Runnable then) {
      gathered.add(then);
      gatheredBytes += bytes;
      if (!isBusy) {
        sync();
      }
    }

    private void sync() {
      isBusy = true;
      List<Runnable> group = gathered;
      double nanos = costs.sync() + gatheredBytes * costs.diskByte();
      gathered = new ArrayList<>();
      gatheredBytes = 0;
      at(
          nanos,
          () -> {
            isBusy = false;
            if (!gathered.isEmpty()) {
              sync();
            }
            group.forEach(Runnable::run);
          });
    }
  }
}
