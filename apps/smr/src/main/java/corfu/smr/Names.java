package corfu.smr;

/** The names of a state machine's streams. */
final class Names {

  private static final String PREFIX = "corfu.smr/";

  private Names() {}

  static String commands(String name) {
    return PREFIX + name;
  }

  static String checkpoints(String name) {
    return PREFIX + name + "/checkpoints";
  }

  static String parts(String name) {
    return PREFIX + name + "/parts";
  }
}
