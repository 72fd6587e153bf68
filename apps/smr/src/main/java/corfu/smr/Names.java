package corfu.smr;

import corfu.protocol.StreamId;

/** The streams of a state machine, by its name. */
final class Names {

  private static final String PREFIX = "corfu.smr/";

  private Names() {}

  static StreamId commands(String name) {
    return StreamId.named(PREFIX + name);
  }

  static StreamId checkpoints(String name) {
    return StreamId.named(PREFIX + name + "/checkpoints");
  }

  static StreamId parts(String name) {
    return StreamId.named(PREFIX + name + "/parts");
  }
}
