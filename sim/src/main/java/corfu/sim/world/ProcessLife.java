package corfu.sim.world;

import java.util.ArrayList;
import java.util.List;

/**
 * One life of a process, from its start to its end. Pending steps of a killed process never happen.
 * Pending steps of a paused process happen when it resumes.
 */
public final class ProcessLife {

  /** The maximum wait of a thread's step for a processor; sometimes it waits much longer. */
  private static final int STEP_NANOS_MAX = 4_000;

  private static final int HICCUP_NANOS_MAX = 2_000_000;

  private final String process;
  private final Timeline timeline;
  private final SimRandom chance;
  private final Violations findings;
  private final List<Runnable> whenOver = new ArrayList<>();
  private List<Runnable> backlog = new ArrayList<>();
  private boolean paused;
  private boolean over;

  public ProcessLife(String process, Timeline timeline, SimRandom chance, Violations findings) {
    this.process = process;
    this.timeline = timeline;
    this.chance = chance;
    this.findings = findings;
  }

  public String process() {
    return process;
  }

  public boolean isOver() {
    return over;
  }

  public boolean isPaused() {
    return paused;
  }

  /** Schedules a step of this process, which happens if the process is still alive then. */
  public Timeline.Event after(long delayNanos, Runnable what) {
    return timeline.after(delayNanos, () -> happen(what));
  }

  /** Schedules the next step of a thread, as soon as it gets a processor. */
  void soon(Runnable step) {
    long wait =
        chance.oneIn(2_000) ? chance.between(0, HICCUP_NANOS_MAX) : chance.below(STEP_NANOS_MAX);
    after(wait, step);
  }

  private void happen(Runnable what) {
    if (over) {
      return;
    }
    if (paused) {
      backlog.add(what);
    } else {
      what.run();
    }
  }

  public void pause() {
    paused = true;
  }

  public void resume() {
    if (paused) {
      paused = false;
      List<Runnable> missed = backlog;
      backlog = new ArrayList<>();
      missed.forEach(this::soon);
    }
  }

  /** Ends the life at once. */
  public void end() {
    if (!over) {
      over = true;
      backlog = new ArrayList<>();
      whenOver.forEach(Runnable::run);
    }
  }

  void whenOver(Runnable what) {
    whenOver.add(what);
  }

  /** Runs the body of a thread or a task, and reports every exception. */
  void guard(String what, Runnable body) {
    try {
      body.run();
    } catch (RuntimeException | Error failure) {
      findings.unexpected(process + ", " + what, failure);
    }
  }
}
