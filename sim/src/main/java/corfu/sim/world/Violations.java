package corfu.sim.world;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The violations found in a run. The first one counts; others may follow from it. */
public final class Violations {

  private static final int MOST = 20;
  private static final int FRAMES = 6;

  private final Trace trace;
  private final List<String> found = new ArrayList<>();

  public Violations(Trace trace) {
    this.trace = trace;
  }

  /** Reports a broken invariant of docs/design.md, section 8, or another broken guarantee. */
  @SuppressWarnings("AnnotateFormatMethod") // would need a dependency for one annotation
  public void broken(String invariant, String how, Object... details) {
    add(invariant + ": " + how.formatted(details));
  }

  /** Reports an exception that the code under test must never throw. */
  public void unexpected(String where, Throwable failure) {
    List<String> frames =
        Arrays.stream(failure.getStackTrace()).limit(FRAMES).map(f -> "  at " + f).toList();
    add("unexpected failure of " + where + ": " + failure + "\n" + String.join("\n", frames));
  }

  private void add(String what) {
    trace.say("!!!", () -> what);
    if (found.size() < MOST) {
      found.add(what);
    }
  }

  public boolean isEmpty() {
    return found.isEmpty();
  }

  public List<String> all() {
    return List.copyOf(found);
  }
}
