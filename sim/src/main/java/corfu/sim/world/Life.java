package corfu.sim.world;

import java.util.ArrayList;
import java.util.List;

/**
 * One life of a process, from its start to its end. What it was about to do when it is killed never
 * happens; what it was about to do when it is paused happens when it goes on.
 */
public final class Life {

  /** A step of a thread waits this long for its processor, now and then much longer. */
  private static final int STEP_NANOS_MAX = 4_000;

  private static final int HICCUP_NANOS_MAX = 2_000_000;

  private final String process;
  private final Timeline timeline;
  private final Chance chance;
  private final Findings findings;
  private final List<Runnable> whenOver = new ArrayList<>();
  private List<Runnable> backlog = new ArrayList<>();
  private boolean paused;
  private boolean over;

  public Life(String process, Timeline timeline, Chance chance, Findings findings) {
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

  /** Something of this process happens later, if the process still lives then. */
  public Timeline.Event after(long delayNanos, Runnable what) {
    return timeline.after(delayNanos, () -> happen(what));
  }

  /** One of its threads goes on as soon as it gets a processor. */
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

  /** Ends it here and now. */
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

  /** Runs the body of a thread or a task; none of ours may fail without being noticed. */
  void guard(String what, Runnable body) {
    try {
      body.run();
    } catch (RuntimeException | Error failure) {
      findings.unexpected(process + ", " + what, failure);
    }
  }
}
