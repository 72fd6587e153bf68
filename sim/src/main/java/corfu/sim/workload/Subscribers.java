package corfu.sim.workload;

import corfu.protocol.StreamId;
import corfu.runtime.stream.Streams;
import corfu.sim.history.History;
import corfu.sim.history.Operation.Call;
import corfu.sim.world.Chance;
import corfu.sim.world.SimWorld;
import corfu.sim.world.Simulator;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * What one thread of an application does with subscriptions: begins some, of one stream or several,
 * with others of its process or beside them; pauses them, lets them go on, closes them.
 */
public final class Subscribers {

  private final Simulator simulator;
  private final History history;
  private final SimWorld world;
  private final Chance chance;
  private final List<Streams> streams;
  private final Habits habits;
  private final String name;
  private final ToLongFunction<StreamId> near;
  private final List<SimSubscriber> all = new ArrayList<>();
  private int begun;

  /**
   * @param streams those of its process, several times: each is told by units on its own
   * @param near a place that may be interesting to begin at
   */
  public Subscribers(
      Simulator simulator,
      History history,
      SimWorld world,
      List<Streams> streams,
      Habits habits,
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

  /** Those that follow now, or have not been told yet that they do not any more. */
  public List<SimSubscriber> all() {
    return all;
  }
}
