package corfu.roles.logunit.task;

import corfu.world.Offload;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What has to be done but for nobody in particular: footers, deletions, the spare file, compaction.
 * One small step after the other, its disk work on the background thread, its decisions here
 * between requests.
 */
public final class Maintenance {

  private static final Runnable NOTHING = () -> {};

  private final AsyncTask task;
  private final List<Chore> chores;
  private boolean pumping;
  private boolean held;
  private boolean stopped;
  private boolean ceased;
  private Runnable outcome = NOTHING; // of a step that ended while all was held

  /** One kind of work. */
  public interface Chore {

    /** The next step, if there is one to do now. */
    Optional<Step> next();
  }

  /**
   * One step of a chore.
   *
   * @param work what the disk has to do; it touches nothing of the unit's state
   * @param then what follows from it, on the unit's thread
   */
  public record Step(Runnable work, Consumer<Optional<Throwable>> then) {}

  /**
   * @param chores the urgent ones first
   */
  public Maintenance(Offload background, List<Chore> chores) {
    this.task = new AsyncTask(background);
    this.chores = List.copyOf(chores);
  }

  /** Something may have to be done. */
  public void poke() {
    if (pumping) {
      return;
    }
    pumping = true;
    while (!stopped && !held && !task.isRunning()) {
      Optional<Step> step = nextStep();
      if (step.isEmpty()) {
        break;
      }
      task.run(
          step.get().work(),
          failure -> {
            if (held) {
              outcome = () -> step.get().then().accept(failure);
            } else if (!ceased) {
              step.get().then().accept(failure);
            }
            poke();
          });
    }
    pumping = false;
  }

  private Optional<Step> nextStep() {
    for (Chore chore : chores) {
      Optional<Step> step = chore.next();
      if (step.isPresent()) {
        return step;
      }
    }
    return Optional.empty();
  }

  /** Decides nothing until {@link #release}. */
  public void hold() {
    held = true;
  }

  public void release() {
    if (held) {
      held = false;
      Runnable last = outcome;
      outcome = NOTHING;
      last.run();
      poke();
    }
  }

  /** Starts no further step. */
  public void abort() {
    stopped = true;
  }

  /** Starts no further step, and draws no conclusions from the one that runs. */
  public void cease() {
    stopped = true;
    ceased = true;
    outcome = NOTHING;
  }

  /** Waits for the step that runs, and starts no further one. */
  public void stop() {
    stopped = true;
    release();
    task.join();
  }
}
