package corfu.smr;

import corfu.protocol.StreamId;

/** The names of a state machine's streams. */
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
