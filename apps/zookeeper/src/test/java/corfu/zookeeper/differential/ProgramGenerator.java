package corfu.zookeeper.differential;

import corfu.zookeeper.differential.Step.Variant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Makes random programs. The same seed gives the same program. */
final class ProgramGenerator {

  private static final int SESSIONS = 4;
  private static final int STEPS = 60;
  private static final int LONGEST_PIPELINE = 20;

  private final Random random;
  private final RequestGenerator requests;

  private ProgramGenerator(long seed) {
    this.random = new Random(seed);
    this.requests = new RequestGenerator(random);
  }

  /** Returns the program of the seed. */
  static Program generate(long seed) {
    return new ProgramGenerator(seed).program();
  }

  private Program program() {
    List<Step> steps = new ArrayList<>();
    for (int session = 0; session < SESSIONS; session++) {
      steps.add(new Step.Open(session));
    }
    while (steps.size() < STEPS) {
      addStep(steps);
    }
    return new Program(List.copyOf(steps));
  }

  private void addStep(List<Step> steps) {
    int session = random.nextInt(SESSIONS);
    int die = random.nextInt(1000);
    if (die < 70) {
      steps.add(new Step.Send(session, List.of(requests.isolated())));
      steps.add(new Step.Reconnect(session, Variant.AFTER_DROP));
    } else if (die < 170) {
      steps.add(new Step.Send(session, List.of(requests.isolated())));
    } else if (die < 200) {
      steps.add(new Step.Close(session));
    } else if (die < 204) {
      steps.add(new Step.Expire(session));
    } else if (die < 260) {
      reconnect(steps, session);
    } else if (die < 350) {
      steps.add(new Step.Open(session));
    } else {
      steps.add(new Step.Send(session, pipeline()));
    }
  }

  private void reconnect(List<Step> steps, int session) {
    Variant[] variants = Variant.values();
    int choice = random.nextInt(variants.length + 4);
    Variant variant = choice < variants.length ? variants[choice] : Variant.AFTER_DROP;
    steps.add(new Step.Reconnect(session, variant));
    if (variant == Variant.AFTER_DROP || variant == Variant.WHILE_CONNECTED) {
      steps.add(new Step.Send(session, List.of(requests.setWatches())));
    }
  }

  private List<Request> pipeline() {
    int length = random.nextInt(3) == 0 ? 1 : 1 + random.nextInt(LONGEST_PIPELINE);
    List<Request> pipeline = new ArrayList<>();
    for (int i = 0; i < length; i++) {
      pipeline.add(requests.pipelined());
    }
    return List.copyOf(pipeline);
  }
}
