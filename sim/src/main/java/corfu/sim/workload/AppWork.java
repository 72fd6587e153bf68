package corfu.sim.workload;

import corfu.sim.application.Application;
import corfu.sim.application.ApplicationContext;
import corfu.sim.application.ApplicationRun;
import corfu.sim.history.ObjectCalls;
import corfu.sim.world.Simulator;

/** The application of a run. */
public final class AppWork implements ApplicationContext {

  private final Simulator simulator;
  private final ObjectCalls history;
  private final ApplicationRun play;

  public AppWork(Application application, Simulator simulator, ObjectCalls history) {
    this.simulator = simulator;
    this.history = history;
    this.play = application.begin(this);
  }

  public ApplicationRun play() {
    return play;
  }

  @Override
  public long now() {
    return history.now();
  }

  @Override
  public void count(String what) {
    simulator.trace.mark(what.hashCode());
    simulator.trace.say("play", () -> what);
    history.count(what);
  }

  @Override
  public long newValue() {
    return history.newValue();
  }

  @Override
  public boolean isUpToDate() {
    return history.isUpToDate();
  }

  @Override
  public void reached(String what) {
    simulator.reached(what);
  }

  @Override
  public void broken(String promise, String how) {
    simulator.findings.broken(promise, "%s", how);
  }

  @Override
  public void unexpected(String where, Throwable failure) {
    simulator.findings.unexpected(where, failure);
  }
}
