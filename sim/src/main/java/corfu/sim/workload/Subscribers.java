package corfu.sim.workload;

import corfu.protocol.StreamId;
import corfu.runtime.stream.Streams;
import corfu.sim.history.CallHistory;
import corfu.sim.history.RecordedCall.Call;
import corfu.sim.world.SimRandom;
import corfu.sim.world.SimWorld;
import corfu.sim.world.Simulator;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * The subscriptions of one application thread. It subscribes to one stream or several, sharing the
 * process's streams or not, and pauses, resumes and closes its subscriptions.
 */
public final class Subscribers {

  private final Simulator simulator;
  private final CallHistory history;
  private final SimWorld world;
  private final SimRandom chance;
  private final List<Streams> streams;
  private final WorkloadProfile habits;
  private final String name;
  private final ToLongFunction<StreamId> near;
  private final List<SimSubscriber> all = new ArrayList<>();
  private int begun;

  /**
   * @param streams the process's streams, several times: log units push to each of them separately
   * @param near returns an interesting stream address to begin at
   */
  public Subscribers(
      Simulator simulator,
      CallHistory history,
      SimWorld world,
      List<Streams> streams,
      WorkloadProfile habits,
      String name,
      ToLongFunction<StreamId> near) {
    this.simulator = simulator;
    this.history = history;
    this.world = world;
    this.chance = world.chance().split();
    this.streams = streams;
    this.habits = habits;
    this.name = name;
    this.near = near;
  }

  public void doSomething() {
    all.removeIf(SimSubscriber::isClosed);
    if (all.isEmpty() || (all.size() < habits.subscriptions() && chance.oneIn(2))) {
      subscribe(chance.pick(habits.streams()));
      return;
    }
    SimSubscriber one = chance.pick(all);
    if (chance.oneIn(5)) {
      one.close();
    } else if (one.isPaused()) {
      one.resume();
    } else {
      one.pause();
    }
  }

  private void subscribe(StreamId stream) {
    long from = chance.oneIn(2) ? 0 : near.applyAsLong(stream);
    var call = new Call.Follow(name + "/s" + begun++, stream, from);
    var subscriber =
        new SimSubscriber(history, simulator.findings, world, chance.split(), name, call);
    all.add(subscriber);
    subscriber.subscribe(chance.pick(streams).open(stream));
  }

  /** Returns the subscribers that receive entries, or were not notified of their end yet. */
  public List<SimSubscriber> all() {
    return all;
  }
}
