package corfu.bench.model;

import corfu.bench.model.QueueSimulation.Machine;

/**
 * An ensemble of Apache ZooKeeper as queues. The first server leads. It sends each write to all
 * followers, and commits it when more than half of the servers have synced it.
 */
public final class ZabModel extends EnsembleModel {

  private final double lead;
  private final double leadEach;

  private ZabModel(ServerCosts costs, double lead, double leadEach, Load load) {
    super(costs, load);
    this.lead = lead;
    this.leadEach = leadEach;
  }

  /**
   * Returns the requests per second that the ensemble would serve.
   *
   * @param costs the costs of a follower
   * @param lead the leader's processor: a write, in nanoseconds
   * @param leadEach the leader's processor: a write, for each follower, in nanoseconds
   * @param seconds the simulated time
   */
  public static double perSecond(
      ServerCosts costs, double lead, double leadEach, Load load, double seconds) {
    return new ZabModel(costs, lead, leadEach, load).run(seconds);
  }

  @Override
  void write(int server, Runnable reply) {
    Machine origin = servers.get(server);
    Machine leader = servers.getFirst();
    origin.processor.serve(
        costs.handle(),
        () -> {
          if (server == 0) {
            propose(reply);
          } else {
            Runnable committed = () -> send(leader, origin, FRAME_BYTES, reply);
            send(origin, leader, bytes(), () -> propose(committed));
          }
        });
  }

  private void propose(Runnable committed) {
    int followers = servers.size() - 1;
    int[] synced = {0};
    Runnable acknowledge =
        () -> {
          if (++synced[0] == servers.size() / 2 + 1) {
            committed.run();
          }
        };
    Machine leader = servers.getFirst();
    leader.processor.serve(
        lead + followers * leadEach,
        () -> {
          leader.disk.commit(costs.sync(), 0, acknowledge);
          for (Machine follower : servers.subList(1, servers.size())) {
            send(leader, follower, bytes(), () -> follow(follower, leader, acknowledge));
          }
        });
  }

  private void follow(Machine follower, Machine leader, Runnable acknowledge) {
    follower.processor.serve(
        costs.apply(),
        () ->
            follower.disk.commit(
                costs.sync(), 0, () -> send(follower, leader, FRAME_BYTES, acknowledge)));
  }
}
