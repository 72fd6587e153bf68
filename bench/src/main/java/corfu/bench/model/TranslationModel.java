package corfu.bench.model;

import corfu.bench.model.QueueSimulation.Machine;
import java.util.ArrayList;
import java.util.List;

/**
 * Translation servers on a log as queues. A server appends the writes of its clients in batches,
 * one batch at a time, to all log servers one after the other. Every server receives every write
 * from one of the log servers and applies it.
 */
public final class TranslationModel extends EnsembleModel {

  private final List<Double> unitCosts;
  private final List<Machine> units = new ArrayList<>();
  private final List<List<Runnable>> waiting = new ArrayList<>();
  private final boolean[] isAppending;

  private TranslationModel(ServerCosts costs, List<Double> unitCosts, Load load) {
    super(costs, load);
    this.unitCosts = unitCosts;
    this.isAppending = new boolean[load.servers()];
    unitCosts.forEach(cost -> units.add(simulation.new Machine()));
    servers.forEach(server -> waiting.add(new ArrayList<>()));
  }

  /**
   * Returns the requests per second that the servers would serve.
   *
   * @param unitCosts for each log server, its processor: a write, in nanoseconds
   * @param seconds the simulated time
   */
  public static double perSecond(
      ServerCosts costs, List<Double> unitCosts, Load load, double seconds) {
    return new TranslationModel(costs, List.copyOf(unitCosts), load).run(seconds);
  }

  @Override
  void write(int server, Runnable reply) {
    servers
        .get(server)
        .processor
        .serve(
            costs.handle(),
            () -> {
              waiting.get(server).add(reply);
              if (!isAppending[server]) {
                append(server);
              }
            });
  }

  private void append(int server) {
    isAppending[server] = true;
    List<Runnable> batch = waiting.set(server, new ArrayList<>());
    Machine sequencer = units.getFirst();
    Machine origin = servers.get(server);
    send(
        origin,
        sequencer,
        FRAME_BYTES,
        () -> send(sequencer, origin, FRAME_BYTES, () -> store(server, 0, batch)));
  }

  private void store(int server, int unit, List<Runnable> batch) {
    if (unit == units.size()) {
      deliver(server, batch);
      isAppending[server] = false;
      if (!waiting.get(server).isEmpty()) {
        append(server);
      }
      return;
    }
    Machine origin = servers.get(server);
    Machine stores = units.get(unit);
    Runnable stored = () -> send(stores, origin, FRAME_BYTES, () -> store(server, unit + 1, batch));
    send(
        origin,
        stores,
        (double) batch.size() * bytes(),
        () ->
            stores.processor.serve(
                batch.size() * unitCosts.get(unit),
                () -> stores.disk.commit(costs.sync(), 0, stored)));
  }

  private void deliver(int server, List<Runnable> batch) {
    for (int i = 0; i < servers.size(); i++) {
      int each = i;
      Machine receiver = servers.get(i);
      send(
          units.get(i % units.size()),
          receiver,
          (double) batch.size() * bytes(),
          () ->
              receiver.processor.serve(
                  batch.size() * costs.apply(),
                  () -> {
                    if (each == server) {
                      batch.forEach(Runnable::run);
                    }
                  }));
    }
  }
}
