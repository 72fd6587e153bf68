package corfu.roles.logunit.task;

import corfu.world.Offload;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Work for which no request waits: footers, deletions, the spare file, compaction. It runs in small
 * steps, one after the other. A step's disk work runs on the background thread, and its decisions
 * run on the unit's thread between requests.
 */
public final class Maintenance {

  private static final Runnable NOTHING = () -> {};

  private final AsyncTask task;
  private final List<Chore> chores;
  private boolean pumping;
  private boolean held;
  private boolean stopped;
  private boolean ceased;
  private Runnable outcome = NOTHING; // of a step that ended while held

  /** One kind of work. */
  public interface Chore {

    /** Returns the next step, or empty if there is none to do now. */
    Optional<Step> next();
  }

  /**
   * One step of a chore.
   *
   * @param work the disk work, which touches no state of the unit
   * @param then receives the failure, or empty, on the unit's thread
   */
  public record Step(Runnable work, Consumer<Optional<Throwable>> then) {}

  /**
   * @param background runs the disk work
   * @param chores the kinds of work, the urgent ones first
   */
  public Maintenance(Offload background, List<Chore> chores) {
    this.task = new AsyncTask(background);
    this.chores = List.copyOf(chores);
  }

  /** Starts the next step if there is one. */
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

  /** Makes no decisions until {@link #release}. */
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

  /** Starts no further step, and ignores the outcome of the running one. */
  public void cease() {
    stopped = true;
    ceased = true;
    outcome = NOTHING;
  }

  /** Waits for the running step, and starts no further one. */
  public void stop() {
    stopped = true;
    release();
    task.join();
  }
}
